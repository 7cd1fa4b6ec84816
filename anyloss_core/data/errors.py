"""The one error of this package: what is wrong with the data, and what to do about it."""


class DataError(ValueError):
    """A file or table that cannot become a Dataset; `repair` tells the user what to do."""

    def __init__(self, message: str, repair: str = "") -> None:
        super().__init__(f"{message} {repair}".strip())
        self.message = message
        self.repair = repair

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        """Keep both sentences when the error travels between processes."""
        return type(self), (self.message, self.repair)

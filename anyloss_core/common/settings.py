"""Settings as plain values: frozen dataclasses that go into a job, a link or a report and back."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


def as_plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's, for `json.dumps(default=...)`."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


class SettingsError(ValueError):
    """A setting that cannot be used; the message names it and what is possible."""


@dataclass(frozen=True)
class Settings:
    """What all settings have in common; lists become tuples, so that equal ones are equal."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
                object.__setattr__(self, field.name, tuple(value))

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it; `from_dict` reads it back."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        known = cls.__dataclass_fields__
        if unknown := sorted(set(stored) - set(known)):
            raise SettingsError(f"unknown setting {unknown[0]!r}; there are {', '.join(known)}")
        return cls(**stored)

    @classmethod
    def among(cls, values: Mapping[str, Any]) -> Self:
        """From values that hold more than settings, as those of a finished comparison do."""
        return cls(**{name: values[name] for name in cls.__dataclass_fields__ if name in values})

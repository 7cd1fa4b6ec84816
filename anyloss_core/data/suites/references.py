"""A data set as a line of text that another process, or a link, can open.

`builtin:random`, `synthetic:rows=500,noise=0.1`, `real:ISLR/Default`, `twin:17`, `openml:31`,
`upload:<32 hex digits>`; files of the user take their choices after a question mark:
`upload:...?target=y&positive=1&drop=id`, and `#member` picks a table of an uploaded zip or a sheet
of an Excel file. A reference never holds data, and without permission it never names a path.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode

from anyloss_core.common.text import display_name
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.errors import DataError
from anyloss_core.data.reading.table import load_csv
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.data.suites.entries import load_member, load_twin
from anyloss_core.data.suites.openml import load_openml
from anyloss_core.data.suites.paper_data import paper_dataset
from anyloss_core.data.suites.real_suite import load_large, load_real
from anyloss_core.data.suites.synthetic import generate, parse_settings

UPLOAD_ID = re.compile(r"[0-9a-f]{32}")
LONGEST = 20_000  # characters; column names may be long


@dataclass(frozen=True)
class Reference:
    """A parsed reference; `str()` writes it again."""

    kind: str
    what: str
    member: str | None = None
    target: str | None = None
    positive: str | None = None
    drop: tuple[str, ...] = ()
    paper: int | None = None  # the file is data set 2 or 4 of the paper

    def __str__(self) -> str:
        """The one line that `parse_reference` reads."""
        chosen = {"target": self.target, "positive": self.positive, "paper": self.paper}
        pairs = [(key, value) for key, value in chosen.items() if value is not None]
        pairs += [("drop", name) for name in self.drop]
        inside = "" if self.member is None else f"#{quote(self.member)}"
        query = f"?{urlencode(pairs)}" if pairs else ""
        return f"{self.kind}:{quote(self.what, safe='/,=:.')}{inside}{query}"

    def without(self, columns: Iterable[str]) -> "Reference | None":
        """The same data less these columns; None where columns are fixed."""
        if self.kind not in CHOOSING or self.paper:
            return None
        return replace(self, drop=tuple(dict.fromkeys((*self.drop, *columns))))

    @property
    def choices(self) -> dict[str, Any]:
        """What the user decided about the columns."""
        return {"target": self.target, "positive": self.positive, "drop": self.drop}


def open_reference(
    reference: str | dict | Reference, uploads: Path | None = None, files: bool = False
) -> Dataset:
    """The data set of a reference.

    `uploads` is the folder with a sub-folder per upload id (`data`, and `meta.json` with the
    user's `name` for it). `files=True` allows `file:` references: on the command line only.
    """
    parsed = parse_reference(reference)
    if parsed.kind == "upload":
        return _open_upload(parsed, uploads)
    if parsed.kind == "file":
        if not files:
            raise DataError("Files of this machine cannot be opened here.", "Upload the file.")
        return _open_file(parsed, Path(parsed.what))
    if parsed.kind == "openml":
        return load_openml(parsed.what, **parsed.choices)
    if any(parsed.choices.values()) or parsed.member:
        raise DataError(
            f"The target of '{display_name(parsed.kind)}' data is fixed.",
            "Only uploads, files and OpenML tables take target, positive and drop.",
        )
    return _FIXED[parsed.kind](parsed.what)


def parse_reference(reference: str | dict | Reference) -> Reference:
    """Read a reference; a dict has the key 'ref' and the choices beside it."""
    if isinstance(reference, Reference):
        return reference
    if isinstance(reference, dict):
        return _from_dict(reference)
    text = str(reference)
    kind, colon, rest = text[:LONGEST].partition(":")
    if not colon or kind not in KINDS:
        raise DataError(
            f"'{display_name(text)}' names no data set.",
            f"A reference begins with one of {', '.join(f'{kind}:' for kind in KINDS)}",
        )
    rest, _, query = rest.partition("?")
    what, hash_sign, member = rest.partition("#")
    parsed = Reference(kind, unquote(what), unquote(member) if hash_sign else None)
    return replace(parsed, **_choices(query))


def _from_dict(stored: dict) -> Reference:
    choices = {key: stored[key] for key in ("target", "positive", "paper") if key in stored}
    drop = tuple(str(name) for name in stored.get("drop", ()))
    return replace(parse_reference(str(stored.get("ref", ""))), drop=drop, **choices)


def _choices(query: str) -> dict[str, Any]:
    try:
        given = parse_qs(query, keep_blank_values=True, max_num_fields=3000)
    except ValueError:
        raise DataError("The reference holds too many choices.") from None
    choices: dict[str, Any] = {k: given[k][0] for k in ("target", "positive") if k in given}
    if given.get("paper", [""])[0] in ("2", "4"):
        choices["paper"] = int(given["paper"][0])
    return choices | {"drop": tuple(given.get("drop", ()))}


def _open_upload(reference: Reference, uploads: Path | None) -> Dataset:
    folder = uploads / reference.what if uploads and UPLOAD_ID.fullmatch(reference.what) else None
    if folder is None or not (folder / "data").is_file():
        raise DataError("This upload is no longer there.", "Upload the file once more.")
    return replace(_open_file(reference, folder / "data"), name=_given_name(folder))


def _open_file(reference: Reference, path: Path) -> Dataset:
    if reference.paper:
        return paper_dataset(reference.paper, path)
    if reference.member is not None:
        return load_member(path, reference.member, **reference.choices)
    return load_csv(path, **reference.choices)


def _given_name(folder: Path) -> str:
    try:
        return str(json.loads((folder / "meta.json").read_bytes())["name"])
    except (OSError, ValueError, KeyError, TypeError):
        return "upload"


_FIXED: dict[str, Callable[[str], Dataset]] = {
    "builtin": builtin,
    "synthetic": lambda settings: generate(parse_settings(settings)),
    "real": load_real,
    "large": load_large,
    "twin": load_twin,
}
CHOOSING = ("openml", "upload", "file")  # kinds that take target, positive and drop
KINDS = (*_FIXED, *CHOOSING)

"""Text that means a date. Works on the distinct texts of a column.

A column is a date column when one format fits all of its cells; a day-month order that the cells
leave open is settled by the separator: dots mean day first, slashes month first.
"""

import re

import pandas as pd

# Formats are tried in this order; the first that fits every cell wins.
DAYS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%m-%d-%Y",
    "%d-%m-%Y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%B %d, %Y",
)
TIMES = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
LOOKS_DATED = re.compile(
    r"^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{4}|"
    r"[A-Za-z]{3,9} \d{1,2}, \d{4})([T ]\d{1,2}:\d{2}.*)?$"
)
ISO_TIME = re.compile(r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")


def parse_dates(texts: list[str]) -> pd.DatetimeIndex | None:
    """The date of each text without time zone, or None when the texts are no dates."""
    if not texts or not all(len(text) < 40 and LOOKS_DATED.match(text) for text in texts):
        return None
    if all(ISO_TIME.match(text) for text in texts):
        return _parse(texts, "ISO8601")
    times = TIMES if any(":" in text for text in texts) else TIMES[:1]
    return next((d for t in times for f in DAYS if (d := _parse(texts, f + t)) is not None), None)


def _parse(texts: list[str], form: str) -> pd.DatetimeIndex | None:
    try:
        dates = pd.to_datetime(pd.Series(texts, dtype="str"), format=form, utc=True)
        return pd.DatetimeIndex(dates).tz_localize(None).as_unit("us")
    except (ValueError, OverflowError):
        return None

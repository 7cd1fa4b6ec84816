"""Text that means a number: '1,234', '3,14', '12%', '$5', '(7)', '1.234,5'.

Works on the distinct texts of a column, so a column of a million cells costs what its distinct
cells cost. Whether a comma groups thousands or marks decimals is decided per column, and where a
column leaves it open, by the other columns of the table.
"""

import re

import numpy as np

# Only in front of or behind digits, so that 'R' or 'kr' alone stays a word.
CURRENCY = re.compile(r"^(?:[$€£¥₹]|USD|EUR|GBP)\s*|\s*(?:[$€£¥₹%]|USD|EUR|GBP)$")
PLAIN = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$")
THOUSANDS = re.compile(r"^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$")
DECIMAL = re.compile(r"^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?,\d+(?:[eE][+-]?\d+)?$")
SPACED = re.compile(r"(?<=\d)[ \u00a0\u202f'](?=\d{3}(?:\D|$))")
INFINITE = re.compile(r"^[+-]?inf(?:inity)?$", re.IGNORECASE)
LONGEST = 400  # characters of a number in full (1e308 has 309); free text should not cost time
# Markers of a missing cell only where everything else in the column is a number.
NUMERIC_BLANKS = frozenset({"-", "--", ".", "..", "none", "missing", "unknown", "nil", "*"})


def comma_style(texts: list[str]) -> str | None:
    """'decimal', 'thousands' or 'either' where commas stand between digits, else None."""
    stripped = [_strip(text) for text in texts if len(text) <= LONGEST]
    if not any("," in text for text in stripped):
        return None
    known = [t for t in stripped if THOUSANDS.match(t) or DECIMAL.match(t)]
    if len(known) < sum("," in text for text in stripped):
        return None
    if not all(THOUSANDS.match(text) for text in known):
        return "decimal"
    return "thousands" if any("." in text for text in stripped) else "either"


def parse_numbers(texts: list[str], decimal_comma: bool = False) -> np.ndarray:
    """The number of each text, NaN where it is none; shape (len(texts),)."""
    return np.array([_number(text, decimal_comma) for text in texts], dtype=np.float64)


def is_blank(text: str) -> bool:
    """True for words that mean 'no number here' in a column of numbers."""
    return text.casefold() in NUMERIC_BLANKS


def _strip(text: str) -> str:
    """Without currency, per cent and accountants' brackets: '($5)' becomes '-5'."""
    text = text.strip()
    if len(text) > 2 and text[0] == "(" and text[-1] == ")":
        text = "-" + text[1:-1].strip()
    sign = text[0] if text[:1] in {"+", "-"} else ""
    body = CURRENCY.sub("", CURRENCY.sub("", text[len(sign) :].strip()))
    return sign + SPACED.sub("", body.strip())


def _number(text: str, decimal_comma: bool) -> float:
    if len(text) > LONGEST:
        return np.nan
    if INFINITE.match(text):
        return float(text)
    body = _strip(text)
    if decimal_comma and DECIMAL.match(body):
        return float(body.replace(".", "").replace(",", "."))
    if not decimal_comma and THOUSANDS.match(body):
        body = body.replace(",", "")
    return float(body) if PLAIN.match(body) else np.nan

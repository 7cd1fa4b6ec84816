"""Cells to typed columns: int64, float64, datetime64[us], or a categorical of trimmed texts.

Texts are worked on by their distinct values ('levels', in order of first appearance, so that the
codes of a categorical are what pandas.factorize gives). What a column is for is decided later, in
`columns`.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from anyloss_core.data.cells.dates import parse_dates
from anyloss_core.data.cells.numbers import comma_style, is_blank, parse_numbers
from anyloss_core.data.cells.spreadsheet import plain

MISSING = frozenset({"", "na", "n/a", "nan", "null", "?", "#n/a", "#na", "<na>", "nat", "\\n"})
SPELLINGS = pa.array(sorted({s for m in MISSING for s in (m, m.upper(), m.title())} | {"NaN"}))
PROBED = 200  # levels looked at before a long column is tried as numbers
SCRAP_SHARE = 0.05  # cells of a numeric column that may be no numbers, and count as missing
SCRAP_LEVELS = 20  # different numbers a column must show before it may hold scrap


def typed_frame(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Every column typed, and what the user should hear about it."""
    columns = {name: plain_column(frame[name]) for name in frame.columns}
    return settle_texts(columns)


def settle_texts(columns: dict[str, pd.Series]) -> tuple[pd.DataFrame, list[str]]:
    """Turn texts that mean numbers or dates into them; the commas of all columns decide together.

    Consumes `columns`, so that at any time only one column exists twice.
    """
    styles = {n: comma_style(_probe(c)) for n, c in columns.items() if _is_text(c)}
    european = "decimal" in styles.values()
    typed, notes = {}, []
    for name in list(columns):
        column = columns.pop(name)
        if _is_text(column):
            comma = styles[name] == "decimal" or (styles[name] == "either" and european)
            column, scrap = _settle(column, comma)
            if scrap:
                notes.append(f"'{name[:200]}': {scrap}")
        typed[name] = column
    return pd.DataFrame(typed, copy=False), notes


class ColumnBuilder:
    """Gathers the text chunks of one column as numbers while they are, else as texts.

    Numbers take a third of the memory of their texts, so the texts are not kept. A column that
    turns out to be text after some chunks of numbers is `spoilt` and must be read again.
    """

    def __init__(self, as_text: bool = False) -> None:
        self.as_text = as_text
        self.spoilt = False
        self._chunks: list[pa.Array] = []

    def add(self, texts: pa.Array) -> None:
        """Take the next chunk of texts."""
        numbers = None if self.as_text else _as_numbers(texts)
        if numbers is None and not self.as_text:
            self.as_text = True
            self.spoilt = bool(self._chunks)
        if not self.spoilt:
            self._chunks.append(texts if numbers is None else numbers)

    def finish(self) -> pd.Series:
        """The whole column; the chunks are let go."""
        chunks, self._chunks = self._chunks, []
        if self.as_text:
            trimmed = _trimmed(pa.chunked_array(chunks, pa.string()))
            return _categorical(trimmed)
        arrays = [chunk.to_numpy(zero_copy_only=False) for chunk in chunks]
        return pd.Series(np.concatenate(arrays) if arrays else np.empty(0), copy=False)


def arrow_column(texts: pa.ChunkedArray) -> pd.Series:
    """Numbers where all texts are plain numbers or missing, else a categorical of texts."""
    builder = ColumnBuilder()
    builder.add(texts.combine_chunks())
    return builder.finish()


def plain_column(column: pd.Series) -> pd.Series:
    """A column of any pandas type as one of ours; texts are not yet read as numbers."""
    column = column.reset_index(drop=True)
    kind = column.dtype.kind
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _from_categorical(column)
    if kind in "iuf":
        return _numeric(column)
    if kind == "M":
        return _naive(column)
    if kind == "m":
        return column.dt.total_seconds().astype(np.float64)
    return _text_column(column)  # truth values too


def class_text(value: object) -> str:
    """How a class is written: 1.0 and 1 are both '1', texts lose outer blanks."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def first_seen(column: pd.Series) -> pd.Series:
    """A categorical whose levels are those present, in order of first appearance."""
    codes, order = pd.factorize(column.cat.codes.to_numpy(), use_na_sentinel=False)
    present = order >= 0
    ranks = np.where(present, np.cumsum(present) - 1, -1)
    levels = pd.Index(column.cat.categories[order[present]], dtype="str")
    return pd.Series(pd.Categorical.from_codes(ranks[codes], levels), index=column.index)


def _settle(column: pd.Series, comma: bool) -> tuple[pd.Series, str]:
    """The column as numbers or dates if its texts are, and a note about cells left out."""
    gone = [text for text in column.cat.categories if text.casefold() in MISSING]
    column = column.cat.remove_categories(gone)
    levels = list(column.cat.categories)
    if not levels:
        return pd.Series(np.full(len(column), np.nan)), ""
    words = [text for text in levels[:PROBED] if not is_blank(text)]
    if words and np.isfinite(parse_numbers(words, comma)).mean() > 0.5:
        numbers = parse_numbers(levels, comma)
        scrap = np.isnan(numbers) & ~np.array([is_blank(text) for text in levels])
        if not np.isnan(numbers).all() and (not scrap.any() or _is_scrap(column, numbers, scrap)):
            return _take(numbers, column), _scrap_note(column, levels, scrap)
    dates = parse_dates(levels)
    return (column, "") if dates is None else (_take(dates, column), "")


def _is_scrap(column: pd.Series, numbers: np.ndarray, scrap: np.ndarray) -> bool:
    """True when so few cells are no numbers that they must be slips of the pen."""
    if (~np.isnan(numbers)).sum() < SCRAP_LEVELS:
        return False
    codes = column.cat.codes.to_numpy()
    return scrap[codes[codes >= 0]].mean() <= SCRAP_SHARE


def _scrap_note(column: pd.Series, levels: list[str], scrap: np.ndarray) -> str:
    if not scrap.any():
        return ""
    codes = column.cat.codes.to_numpy()
    cells = int(scrap[codes[codes >= 0]].sum())
    example = levels[int(np.argmax(scrap))][:40]
    return f"{cells} cells such as '{example}' are no numbers and count as missing."


def _take(values: np.ndarray | pd.DatetimeIndex, column: pd.Series) -> pd.Series:
    """The parsed value of each cell, missing where the cell is."""
    codes = column.cat.codes.to_numpy()
    taken = pd.Series(pd.Index(values).take(np.maximum(codes, 0)))
    return taken.mask(codes < 0)


def _as_numbers(texts: pa.Array) -> pa.Array | None:
    """As int64, else float64, else None; blanks around and missing markers are forgiven."""
    if (numbers := _cast(texts)) is not None:
        return numbers
    return _cast(_trimmed(texts))


def _trimmed(texts: pa.Array) -> pa.Array:
    """Without outer blanks; null where the text means 'missing'."""
    trimmed = pc.utf8_trim_whitespace(texts)
    blanks = pc.is_in(trimmed, value_set=SPELLINGS)
    return pc.if_else(blanks, pa.scalar(None, trimmed.type), trimmed)


def _cast(texts: pa.Array) -> pa.Array | None:
    for kind in (pa.int64(), pa.float64()) if texts.null_count == 0 else (pa.float64(),):
        try:
            numbers = pc.cast(texts, kind)
        except pa.ArrowInvalid:
            continue
        return None if pa.types.is_integer(kind) and _hexadecimal(texts) else numbers
    return None


def _hexadecimal(texts: pa.Array) -> bool:
    """Whether there is a 0x10, which pyarrow takes for 16 and people for a name or a colour."""
    return any(pc.any(pc.match_substring(texts, x)).as_py() for x in "xX")


def _categorical(strings: pa.ChunkedArray) -> pd.Series:
    """First-seen codes of the texts; missing cells have the code -1."""
    encoded = strings.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    texts = encoded.dictionary.to_pylist()
    levels = pd.Index([plain(text) for text in texts], dtype="str")
    if not levels.is_unique:  # the same text with and without its apostrophe
        codes, levels = _merged(codes, levels)
    return pd.Series(pd.Categorical.from_codes(codes, levels))


def _from_categorical(column: pd.Series) -> pd.Series:
    levels = column.cat.categories
    if levels.dtype.kind in "iufM":
        return plain_column(pd.Series(_take(levels, column)))
    texts = pd.Index([class_text(level) for level in levels], dtype="str")
    codes, unique = _merged(column.cat.codes.to_numpy(), texts)
    return first_seen(pd.Series(pd.Categorical.from_codes(codes, unique)))


def _merged(codes: np.ndarray, texts: pd.Index) -> tuple[np.ndarray, pd.Index]:
    """Codes and levels after equal texts became one level."""
    merged, unique = pd.factorize(texts)
    return np.append(merged, -1)[codes], unique  # code -1 picks the appended one


def _text_column(column: pd.Series) -> pd.Series:
    cells = zip(column, column.isna(), strict=True)
    texts = [None if missing else class_text(cell) for cell, missing in cells]
    return arrow_column(pa.chunked_array([pa.array(texts, pa.string())]))


def _numeric(column: pd.Series) -> pd.Series:
    if column.dtype == np.int64 and isinstance(column.dtype, np.dtype):
        return column
    if column.dtype.kind in "iu" and not column.isna().any() and column.max() < 2**62:
        return column.astype(np.int64)
    return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan), copy=False)


def _naive(column: pd.Series) -> pd.Series:
    dates = pd.DatetimeIndex(column)
    return pd.Series((dates.tz_convert(None) if dates.tz else dates).as_unit("us"))


def _is_text(column: pd.Series) -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)


def _probe(column: pd.Series) -> list[str]:
    return [t for t in column.cat.categories[:PROBED] if t.casefold() not in MISSING]

"""Text that means a number."""

import numpy as np
import pytest

from anyloss_core.data.cells.numbers import comma_style, is_blank, parse_numbers
from anyloss_core.data.reading.table import read_table


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,234", "12", "1,000,000.5"], [1234, 12, 1000000.5]),
        (["12%", "7.5%", "100 %"], [12, 7.5, 100]),
        (["$5", "-$7.25", "($3)"], [5, -7.25, -3]),
        (["€ 5", "3 €", "£4"], [5, 3, 4]),
        (["1.234,5", "7,25", "0,5"], [1234.5, 7.25, 0.5]),
        (["1 234", "12 345 678", "5"], [1234, 12345678, 5]),
        (["5", "NA", "7"], [5, np.nan, 7]),
        (["5", "-", "."], [5, np.nan, np.nan]),
        ([" 5", "null ", "?"], [5, np.nan, np.nan]),
        (["+5", "1e3", ".5"], [5, 1000, 0.5]),
    ],
)
def test_numbers_stored_as_text_are_numbers(cells, numbers):
    text = "\n".join(["x;y", *(f'"{cell}";{n}' for n, cell in enumerate(cells))])
    np.testing.assert_array_equal(read_table(text.encode())["x"].to_numpy(float), numbers)


@pytest.mark.parametrize(
    ("texts", "style"),
    [
        (["1,5", "22,75"], "decimal"),
        (["1.234,5"], "decimal"),
        (["1,234", "5,678"], "either"),
        (["1,234", "5.5"], "thousands"),
        (["1,234", "0,5"], "decimal"),
        (["0,500"], "decimal"),  # no number begins with a group of nothing
        (["12", "3.5"], None),
        (["Paris, France", "1,5"], None),
    ],
)
def test_commas_group_thousands_or_mark_decimals(texts, style):
    assert comma_style(texts) == style


@pytest.mark.parametrize(
    ("text", "number", "european"),
    [
        ("1,234", 1234, 1.234),
        ("1.234,5", np.nan, 1234.5),
        ("1,234.5", 1234.5, np.nan),
        ("($1,000)", -1000, -1),
        ("- 5", -5, -5),
        ("12 %", 12, 12),
        ("12 345", 12345, 12345),
        ("1'234'567", 1234567, 1234567),
        ("12 34", np.nan, np.nan),
        ("EUR 7", 7, 7),
        ("R", np.nan, np.nan),
        ("-inf", -np.inf, -np.inf),
        ("1e5", 1e5, 1e5),
        ("0x10", np.nan, np.nan),
        ("1_000", np.nan, np.nan),
        ("٣", 3, 3),
        ("9" * 401, np.nan, np.nan),
    ],
)
def test_one_text_is_one_number_in_each_style(text, number, european):
    np.testing.assert_array_equal(parse_numbers([text]), [number])
    np.testing.assert_array_equal(parse_numbers([text], decimal_comma=True), [european])


def test_words_for_nothing_are_known_in_any_case():
    assert all(is_blank(text) for text in ("-", "None", "MISSING", "..", "Unknown"))
    assert not any(is_blank(text) for text in ("", "0", "nothing", "a"))

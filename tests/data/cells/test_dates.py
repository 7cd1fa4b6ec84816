"""Text that means a date."""

import pandas as pd
import pytest

from anyloss_core.data.cells.dates import parse_dates
from anyloss_core.data.cells.values import typed_frame
from anyloss_core.data.columns import describe_column


def test_days_and_months_are_not_mixed_up():
    frame, _ = typed_frame(
        pd.DataFrame({"d": ["03/04/2020", "25/04/2020"], "m": ["03/04/2020", "04/25/2020"]})
    )
    assert list(frame["d"].dt.month) == [4, 4]
    assert list(frame["m"].dt.month) == [3, 4]


@pytest.mark.parametrize("text", ["1.2.3", "10/12", "version 2", "2020-13-45", "12:30"])
def test_what_only_looks_like_a_date_stays_text(text):
    frame, _ = typed_frame(pd.DataFrame({"x": [text, "2020-01-01"] * 3}))
    assert describe_column("x", frame["x"]).kind == "category"


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        (["2020-02-03"], "2020-02-03"),
        (["2020/02/03"], "2020-02-03"),
        (["03.02.2020"], "2020-02-03"),  # dots: the day first
        (["02/03/2020"], "2020-02-03"),  # slashes: the month first
        (["02/03/2020", "25/03/2020"], "2020-03-02"),  # unless that cannot be
        (["02/03/20"], "2020-02-03"),
        (["3 Feb 2020"], "2020-02-03"),
        (["February 3, 2020"], "2020-02-03"),
        (["2020-02-03T10:30:00"], "2020-02-03 10:30"),
        (["2020-02-03 10:30:00+02:00"], "2020-02-03 08:30"),
        (["03.02.2020 23:59"], "2020-02-03 23:59"),
        (["02/03/2020 01:05 PM"], "2020-02-03 13:05"),
    ],
)
def test_the_usual_ways_to_write_a_date_are_read(texts, first):
    assert parse_dates(texts)[0] == pd.Timestamp(first)


@pytest.mark.parametrize(
    "texts",
    [[], ["2020"], ["2020-02-30"], ["2020-02-03", "soon"], ["31/31/2020"], ["1.2.3"], ["x" * 50]],
)
def test_one_text_that_is_no_date_makes_none(texts):
    assert parse_dates(texts) is None


def test_all_dates_lose_their_zone_and_keep_microseconds():
    dates = parse_dates(["2020-02-03T10:30:00.123456Z", "1850-01-01T00:00:00Z"])
    assert dates.tz is None
    assert dates[0].microsecond == 123456
    assert dates[1].year == 1850  # beyond nanoseconds

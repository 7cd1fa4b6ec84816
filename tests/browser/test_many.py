"""Journeys: a suite of uploaded tables is run and read; points open the comparison behind them."""

import pytest

from anyloss_core.store import Store
from tests.small_suite import write_suite

pytestmark = pytest.mark.browser


@pytest.fixture
def uploads(tmp_path, home):
    folder = write_suite(tmp_path / "suite", tables=3, bad=True)
    return [
        Store(home).save_upload(path.read_bytes(), {"name": path.name})
        for path in sorted(folder.iterdir())
    ]


def test_a_suite_is_run_and_a_point_opens_its_comparison(visit, uploads):
    settings = {"suite": "upload", "files": ";".join(uploads), "losses": "bce;anyloss:f1"}
    visit.open("many", folds=3, epochs=20, workers=1, view="imbalance", **settings)
    visit.press("Start")
    visit.see("On 3 data sets, AnyLoss-F1 has a")
    visit.settle()
    visit.see("1 data set failed")
    points = "c.data.reduce((all, t) => all.concat(t.customdata.map(d => d[0])), [])"
    assert sorted(visit.chart_value("many_imbalance", points)) == ["t0.csv", "t1.csv", "t2.csv"]
    assert "imbalance" in visit.chart("many_imbalance").get_attribute("aria-label")
    run = visit.query()
    visit.page.reload()
    visit.see("On 3 data sets, AnyLoss-F1 has a")
    assert visit.query() == run
    visit.settle()
    visit.chart("many_imbalance").locator(".points path").first.click(force=True)
    visit.page.wait_for_url("**/compare?*")
    visit.see("Compare losses")
    visit.settle()
    visit.see("On t")


def test_a_point_of_our_own_study_opens_the_comparison_of_its_table(visit):
    visit.open("many", source="kept", view="imbalance", metric="gmean", rope=0.05)
    visit.chart("many_imbalance").locator(".points path").first.click(force=True)
    visit.page.wait_for_url("**/compare?*")
    visit.see("Take it home")  # the comparison is made again, and over
    visit.settle()
    assert "metric=gmean" in visit.query()
    assert "rope=0.05" in visit.query()

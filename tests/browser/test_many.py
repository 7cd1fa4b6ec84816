"""Journeys: a suite of uploaded tables is run and read; points open the comparison behind them."""

import io
import zipfile

import pytest

from anyloss_core.store.store import Store
from tests.small_suite import write_suite

pytestmark = pytest.mark.browser


@pytest.fixture
def uploads(tmp_path, home):
    folder = write_suite(tmp_path / "suite", tables=3, bad=True)
    return [
        Store(home).save_upload(path.read_bytes(), {"name": path.name})
        for path in sorted(folder.iterdir())
    ]


def bring(visit, name, content):
    """Choose a file in the uploader of the page."""
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    visit.page.locator("[data-testid=stMain] input[type=file]").set_input_files(file)


def test_a_suite_is_run_and_a_point_opens_its_comparison(visit, uploads):
    settings = {"suite": "upload", "files": ";".join(uploads), "losses": "bce;anyloss:f1"}
    visit.open("many", folds=3, epochs=20, workers=1, view="imbalance", **settings)
    visit.press("Start")
    visit.see("On 3 data sets, AnyLoss-F1 has a")
    visit.settle()
    visit.see("1 data set failed")
    points = "c.data.reduce((all, t) => all.concat(t.customdata.map(d => d[0])), [])"
    assert sorted(visit.chart_value("many.difference_by_imbalance", points)) == [
        "t0.csv",
        "t1.csv",
        "t2.csv",
    ]
    assert "imbalance" in visit.chart("many.difference_by_imbalance").get_attribute("aria-label")
    run = visit.query()
    visit.page.reload()
    visit.see("On 3 data sets, AnyLoss-F1 has a")
    assert visit.query() == run
    visit.settle()
    visit.chart("many.difference_by_imbalance").locator(".points path").first.click(force=True)
    visit.page.wait_for_url("**/compare?*")
    visit.see("Compare losses")
    visit.settle()
    visit.see("On t")


def test_a_point_of_our_own_study_opens_the_comparison_of_its_table(visit):
    visit.open("many", source="kept", view="imbalance", metric="gmean", rope=0.05)
    visit.chart("many.difference_by_imbalance").locator(".points path").first.click(force=True)
    visit.page.wait_for_url("**/compare?*")
    visit.see("Take it home")  # the comparison is made again, and over
    visit.settle()
    visit.linked("metric=gmean")
    visit.linked("rope=0.05")


def test_a_zip_is_brought_and_its_broken_table_named(visit, tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path in write_suite(tmp_path / "suite", tables=2, bad=False).iterdir():
            file.write(path, path.name)
        file.writestr("broken.csv", b"\x00\xff garbage")
    visit.open("many", suite="upload", losses="bce;anyloss:f1", folds=3, epochs=10, workers=1)
    bring(visit, "tables.zip", packed.getvalue())
    visit.see("3 tables: ").settle()
    visit.press("Start")
    visit.see("On 2 data sets, AnyLoss-F1 has a")
    visit.see("1 data set failed")


def test_tidy_scores_are_brought_and_get_the_whole_analysis(visit):
    lines = ["dataset,loss,metric,score,positive_share"]
    for number in range(9):
        lines += [
            f"d{number},{loss},f1,{0.5 + gain + number / 100},{0.05 + number / 25}"
            for loss, gain in (("bce", 0.0), ("ours", 0.04))
        ]
    visit.open("many", source="scores", view="imbalance")
    bring(visit, "scores.csv", "\n".join(lines).encode())
    visit.see("On 9 data sets, ours has a higher F1 than BCE on 9")
    visit.see("By imbalance group")
    visit.settle()

"""The report: one file, opened in a real browser without a network, and nothing in it can run."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from anyloss_core.comparison.comparison import compare
from anyloss_core.comparison.tables import all_scores
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from anyloss_core.export.report import ReportSection, render
from anyloss_core.export.report_content import comparison_report, sweep_report
from anyloss_core.statistics.verdict_sentence import headline
from anyloss_core.sweep.sweep import sweep
from anyloss_core.sweep.words import sweep_headline

EVIL = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
FORMULA = "anyloss:TP / (TP + FP + FN)"


@pytest.fixture(scope="module")
def comparison():
    frame = builtin("moons").frame.iloc[:150]
    table = frame.assign(**{"a<b>": np.where(builtin("moons").labels[:150] == 1, EVIL, "no")})
    data = dataset_from_frame(table, "a<b>", EVIL, name=EVIL)
    return compare(data, ["bce", FORMULA, "bce+threshold"], folds=3, epochs=10)


@pytest.fixture(scope="module")
def read(tmp_path_factory, browser):
    """Opens a report offline; gives its text, the number of drawn figures and all complaints."""
    folder = tmp_path_factory.mktemp("reports")

    def open_report(content):
        (folder / "report.html").write_text(content, encoding="utf-8")
        page = browser.new_context(offline=True).new_page()
        page.set_default_timeout(120_000)  # a busy machine is no fault of the report
        complaints = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url))
        page.goto((folder / "report.html").as_uri())
        wanted = page.locator("div[data-figure]").count()
        page.wait_for_function(f"document.querySelectorAll('.main-svg').length >= {wanted}")
        page.wait_for_timeout(300)
        return page, complaints[1:]  # the first request is the report itself

    return open_report


def test_a_comparison_opens_offline_with_everything_in_it(comparison, read):
    page, complaints = read(comparison_report(comparison))
    text = page.locator("body").inner_text()
    settings = comparison.settings
    assert headline(all_scores(comparison), settings["dataset"], settings) in text
    assert settings["fingerprint"] in text
    assert page.locator("div[data-figure] .main-svg").count() >= 5
    for words in ("TP / (TP + FP + FN)", "Settings", "Versions", "torch", "seed", "warm_up"):
        assert words in text
    mean = comparison.scores.query("loss == 'bce' and metric == 'f1'")["score"].mean()
    assert f"{mean:.3f} ±" in text
    assert not complaints


def test_foreign_text_stays_text(comparison, read):
    page, complaints = read(comparison_report(comparison))
    assert page.evaluate("window.hacked") is None
    assert EVIL in page.locator("h1").inner_text()
    assert not complaints


def test_figures_react_to_the_mouse(comparison, read):
    page, _ = read(comparison_report(comparison))
    figure = page.locator("div[data-figure]").first
    figure.scroll_into_view_if_needed()
    figure.hover()
    assert figure.locator(".modebar").count() == 1


def test_plotly_stands_in_the_file_once(comparison):
    content = comparison_report(comparison)
    assert content.count("plotly.js v") == 1
    assert "https://cdn" not in content.partition("</head>")[2]


def test_a_sweep_opens_offline(read):
    found = sweep(builtin("moons"), ["f1"], [5, 73, "5..73"], folds=2, epochs=5)
    page, complaints = read(sweep_report(found))
    assert sweep_headline(found, "moons") in page.locator("body").inner_text()
    assert page.locator("div[data-figure] .main-svg").count() >= 2
    assert not complaints


def test_a_script_element_cannot_be_closed_by_a_figure():
    figure = go.Figure(go.Scatter(x=[1], y=[2], name=EVIL))
    content = render("x", "y", [ReportSection("z", figure, pd.DataFrame({EVIL: [EVIL]}))], {})
    assert EVIL not in content
    assert "<img" not in content.partition("</head>")[2]

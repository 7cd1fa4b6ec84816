"""One data set, its runs and scores, all with hostile names, on every page: shown as they are."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.data.suites.references import Reference
from anyloss_core.jobs.jobs import run_job
from anyloss_core.live.settings import LiveSettings
from anyloss_core.sweep.job import SweepSettings
from anyloss_core.sweep.job import job_settings as sweep_settings
from tests.hostile_text import DIRECTIVES, IMAGE, MARKDOWN, NAMES, SCRIPT

BUSY = 180_000  # milliseconds that a step may take where every core is taken
TARGET = f"{DIRECTIVES} target"
FORMULA = "2*TP/(2*TP+FP+FN)*1"  # stars are emphasis in Markdown
LOSSES = (f"anyloss:{FORMULA}", "bce")
TITLE = f"{MARKDOWN} {SCRIPT} {DIRECTIVES}"
# Whatever a browser would make of the names, were they anything but text.
MADE_OF_NAMES = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const odd = all("img[src=x], a[href^='javascript'], svg a, [onerror], [onclick]");
  const words = ["bold", "it", "link", "code", "red", "x", "TP/(2", "TP+FP+FN)"];
  const styled = all("strong, b, em, i, a, h1, .stMarkdownColoredText, [class*=ColoredText]")
    .filter((node) => words.includes(node.textContent.trim()));
  const maths = all(".katex annotation")
    .filter((node) => /frac\\{1\\}\\{0\\}|href/.test(node.textContent));
  const icons = all("[data-testid=stMain] [data-testid=stIconMaterial]")
    .filter((node) => node.textContent.trim() === "home");
  const scripts = all("script").filter((node) => node.textContent.includes("pwned"));
  const found = [...odd, ...styled, ...maths, ...icons, ...scripts].map((node) => node.outerHTML);
  const text = document.body.innerText;
  const marks = ["\\u202e", "\\u0007", "\\u001b", "🎉"].filter((mark) => text.includes(mark));
  return [...(window.pwned ? ["a script ran"] : []), ...found, ...marks];
}"""


def hostile_table():
    """Features, target and classes with hostile names; the classes can be told apart."""
    random = np.random.default_rng(3)
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow([*NAMES, TARGET])
    for row in range(120):
        positive = row % 4 == 0
        numbers = random.normal(positive, 1, len(NAMES)).round(3)
        table.writerow([*numbers, SCRIPT if positive else IMAGE])
    return file.getvalue().encode()


def hostile_scores():
    """Tidy scores whose data sets, losses and metric have hostile names."""
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(["dataset", "loss", "metric", "score"])
    for place, dataset in enumerate(NAMES):
        for step, loss in enumerate(("bce", SCRIPT, MARKDOWN)):
            table.writerow(
                [f"{dataset} {place}", loss, DIRECTIVES, 0.5 + 0.03 * step * (place - 2)]
            )
    return file.getvalue().encode()


@pytest.fixture
def data(store):
    """The reference of the table, uploaded under a hostile name."""
    upload = store.save_upload(hostile_table(), {"name": f"{MARKDOWN} {IMAGE}"})
    return str(Reference("upload", upload, target=TARGET, positive=SCRIPT))


@pytest.fixture
def links(store, data):
    """Every page with everything hostile that it can show: (page, settings, words to be read)."""
    kinds = {
        "compare": job_settings(data, ComparisonSettings(losses=LOSSES, folds=2, epochs=4)),
        "sweep": sweep_settings(data, SweepSettings((FORMULA,), (5.0, 73.0), folds=2, epochs=4)),
        "train": LiveSettings(data=data, losses=LOSSES, metric=FORMULA, epochs=4).to_dict(),
    }
    made = {}
    for kind, settings in kinds.items():
        made[kind] = store.create_run(kind, settings, TITLE, queue=False)
        assert run_job(store, made[kind]).status == "done", store.run(made[kind]).error
    lost = job_settings("upload:" + "0" * 32, ComparisonSettings(losses=LOSSES[1:], folds=2))
    failed = store.create_run("compare", lost, TITLE, queue=False)
    run_job(store, failed)
    scores = {"source": "scores", "scores": store.save_upload(hostile_scores(), {"name": SCRIPT})}
    name, formula, shown = {"data": data}, {"formula": FORMULA}, TITLE[:40]
    return [
        ("home", {**name, "run": made["compare"]}, shown),
        ("home", {"data": f"builtin:{MARKDOWN}{SCRIPT}", "run": failed}, MARKDOWN[:20]),
        ("lessons", {"step": 6, "run": made["train"]}, "TP/(2"),
        ("lessons", {"step": 7, "run": failed}, "rope"),
        ("approximation", {**name, "run": made["train"]}, "A(p)"),
        ("metric", {**name, "metric": "formula", "typed": FORMULA}, MARKDOWN[:20]),
        ("metric", {"metric": "formula", "typed": f"TP {SCRIPT}"}, "cannot be used in a formula"),
        ("train", {**formula, "run": made["train"]}, FORMULA),
        ("compare", {**formula, "run": made["compare"]}, FORMULA),
        ("compare", {"run": made["compare"], "view": "predictions"}, FORMULA),
        ("sweep", {"run": made["sweep"]}, FORMULA),
        ("many", {**scores, "view": "verdict"}, DIRECTIVES[:20]),
        ("many", {**scores, "view": "datasets"}, DIRECTIVES[:20]),
        ("many", {**scores, "view": "ranks"}, DIRECTIVES[:20]),
        ("paper", {**name, "show": "many"}, "Paper"),
        ("runs", {"first": made["compare"], "second": made["sweep"]}, shown),
    ]


def test_hostile_names_are_text_on_every_page(visit, links):
    visit.page.set_default_timeout(BUSY)
    wrong = {}
    for url, settings, words in links:
        visit.open("" if url == "home" else url, **settings)
        found = visit.page.evaluate(MADE_OF_NAMES)
        if words not in visit.text().replace("\N{WORD JOINER}", ""):
            found.append(f"not to be read: {words}")
        if found:
            wrong[f"{url} {settings}"] = found
    assert not wrong


def test_the_profile_and_the_choice_show_names_as_text(visit, data):
    visit.page.set_default_timeout(BUSY)
    visit.open("runs", data=data)
    visit.press("Profile")
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_text("Imbalance").first.wait_for()
    visit.settle()
    for name in (TARGET, SCRIPT, IMAGE):
        assert name in dialog.inner_text().replace("\N{WORD JOINER}", "")
    assert not visit.page.evaluate(MADE_OF_NAMES)
    visit.page.keyboard.press("Escape")
    visit.press("Change")
    dialog.get_by_role("radio", name="Upload", exact=True).click()
    visit.page.locator("[role=dialog] input[type=file]").set_input_files(
        {"name": f"{IMAGE}.csv".replace("/", ""), "mimeType": "text/csv", "buffer": hostile_table()}
    )
    visit.see("Column to predict")
    visit.settle()
    chosen = dialog.locator("input").evaluate_all("all => all.map((one) => one.value)")
    assert any(SCRIPT in value for value in chosen), chosen
    assert not visit.page.evaluate(MADE_OF_NAMES)


def test_a_hover_holds_no_markup(visit, store):
    visit.page.set_default_timeout(BUSY)
    scores = store.save_upload(hostile_scores(), {"name": SCRIPT})
    visit.open("many", source="scores", scores=scores, view="datasets")
    node = visit.chart("many.heatmap")
    node.scroll_into_view_if_needed()
    box = node.locator(".nsewdrag").first.bounding_box()
    visit.page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 8)
    hover = node.locator(".hoverlayer .hovertext").first
    hover.wait_for()
    assert "<" in hover.text_content()
    assert hover.locator("a, tspan[style*=bold]").count() == 0
    assert not visit.page.evaluate(MADE_OF_NAMES)


def test_streamlits_own_csv_without_a_guard_is_not_offered(visit, store):
    visit.page.set_default_timeout(BUSY)
    scores = store.save_upload(hostile_scores(), {"name": SCRIPT})
    visit.open("many", source="scores", scores=scores, view="datasets")
    visit.page.get_by_test_id("stDataFrame").first.hover()
    buttons = visit.page.locator("[data-testid=stElementToolbarButton]")
    buttons.filter(has=visit.page.locator("[aria-label^='Fullscreen']")).first.wait_for()
    raw = visit.page.locator("[aria-label^='Download as CSV']")
    assert raw.count() > 0  # were it gone, the rule that hides it could go too
    assert not raw.first.is_visible()

"""What leaves the page Compare with a result: a script, a report, the run itself."""

import streamlit as st

from anyloss_core.common.wording import loss_words
from anyloss_core.data.suites.references import parse_reference
from anyloss_core.export.report_content import comparison_report
from anyloss_core.export.snippet import comparison_script, model_lines
from anyloss_core.store.store import Run, StoreError
from pages.ui.base.buttons import download, on_demand
from pages.ui.base.text import in_markdown
from pages.ui.choice import losses as loss_choice
from pages.ui.compare import threshold
from pages.ui.compare.controls import BOARD
from pages.ui.compare.panels import ComparisonView
from pages.ui.data import chosen
from pages.ui.runs import export, runs


def show(run: Run, view: ComparisonView) -> None:
    """Script, report and bundle of a comparison."""
    with st.container(horizontal=True, key="take_home"):
        on_demand("Copy code", "code", "code", lambda: _code(run, view), "secondary")
        export.report(lambda: comparison_report(view.comparison, **view.asked), "comparison")
        export.bundle(run)


def _code(run: Run, view: ComparisonView) -> None:
    """One model in scikit-learn first, the whole comparison below it."""
    try:
        dataset = chosen.open_dataset(run.settings["data"])
        script = comparison_script(run.settings["data"], run.settings["comparison"], _file(run))
    except (ValueError, KeyError):
        st.caption("The data of this run is not here, so there is no script for it.")
        return
    loss = _pick_loss(view)
    at = _threshold(view, loss)
    made = (view.comparison.settings, loss, view.metric, at, _file(run))
    lines = model_lines(run.settings["data"], dataset, *made)
    words = in_markdown(loss_words(loss, view.metric), 200)
    st.caption(f"{words} in scikit-learn, as most folds were trained.")
    st.code(lines, language="python", height=300)
    download("Save", lines, "model.py", "code.model")
    st.caption("The whole comparison: a script that prints the same scores.")
    st.code(script, language="python", height=240)
    download("Save", script, "compare.py", "code.file")


def _pick_loss(view: ComparisonView) -> str:
    """The loss whose threshold was moved, or else the candidate, unless another is picked."""
    losses = dict.fromkeys((view.candidate, *view.losses))
    known = loss_choice.trained_by_us([BOARD["cut"], *losses] if BOARD["cut"] in losses else losses)
    return st.selectbox(
        "Model",
        list(dict.fromkeys(known)),
        format_func=loss_choice.loss_option,
        key="code.loss",
    )


def _threshold(view: ComparisonView, loss: str) -> float | None:
    """What somebody chose, or the mean of what was tuned; None leaves it to the loss."""
    if (own := threshold.chosen(loss)) is not None:
        return own
    used = view.confusion.loc[view.confusion["loss"] == loss, "threshold"]
    return float(used.mean()) if used.nunique() > 1 else None


def _file(run: Run) -> str | None:
    """What the user called an uploaded table, with its ending."""
    reference = parse_reference(run.settings["data"])
    if reference.kind != "upload":
        return None
    try:
        meta = runs.store().open_upload(reference.what).meta
    except StoreError:
        return None
    return meta.get("file") or meta.get("name")

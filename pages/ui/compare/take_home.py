"""What leaves the page Compare with a result: a script, a report, the run itself."""

import streamlit as st

from anyloss_core.data.suites.references import parse_reference
from anyloss_core.export.report_content import comparison_report
from anyloss_core.export.snippet import comparison_script
from anyloss_core.store.store import Run, StoreError
from pages.ui.base.buttons import download, on_demand
from pages.ui.compare.panels import ComparisonView
from pages.ui.runs import export, runs


def show(run: Run, view: ComparisonView) -> None:
    """Script, report and bundle of a comparison."""
    with st.container(horizontal=True, key="take_home"):
        on_demand("Copy code", "code", "code", lambda: _code(run), "secondary")
        export.report(lambda: comparison_report(view.comparison, **view.asked), "comparison")
        export.bundle(run)


def _code(run: Run) -> None:
    try:
        settings = run.settings["comparison"]
        script = comparison_script(run.settings["data"], settings, _file_name(run))
    except ValueError:
        st.caption("The data of this run is not here, so there is no script for it.")
        return
    st.caption("A complete script that prints the same scores. Copy it with the button in it.")
    st.code(script, language="python", height=420)
    download("Save", script, "compare.py", "code.file")


def _file_name(run: Run) -> str | None:
    """What the user called an uploaded table."""
    reference = parse_reference(run.settings["data"])
    if reference.kind != "upload":
        return None
    try:
        return runs.store().open_upload(reference.what).meta.get("name")
    except StoreError:
        return None

"""What leaves the page with a result: a script, a report, the run itself."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from anyloss_core.datasets.references import parse_reference
from anyloss_core.snippet import comparison_script
from anyloss_core.store import Run, StoreError
from anyloss_core.sweep import Sweep
from pages.ui import runs
from pages.ui.comparison_panels import View
from pages.ui.run_file import bundle


def comparison(run: Run, view: View) -> None:
    """Script, report and bundle of a comparison."""
    choices = {"candidate": view.candidate, "baseline": view.baseline, "metric": view.metric}
    with st.container(horizontal=True, key="take_home"):
        _code(run)
        _report(lambda: _comparison_report(view, choices), "comparison")
        bundle(run)


def sweep(run: Run, found: Sweep) -> None:
    """Report and bundle of a sweep."""
    with st.container(horizontal=True, key="take_home"):
        _report(lambda: _sweep_report(found), "sweep")
        bundle(run)


def _code(run: Run) -> None:
    popover = st.popover("Copy code", icon=":material/code:", key="code", on_change="rerun")
    if not popover.open:
        return
    with popover:
        try:
            settings = run.settings["comparison"]
            script = comparison_script(run.settings["data"], settings, _file_name(run))
        except ValueError:
            st.caption("The data of this run is not here, so there is no script for it.")
            return
        st.caption("A complete script that prints the same scores. Copy it with the button in it.")
        st.code(script, language="python", height=420)
        st.download_button(
            "Save", script, "compare.py", "text/x-python", key="code.file", on_click="ignore"
        )


def _file_name(run: Run) -> str | None:
    """What the user called an uploaded table."""
    reference = parse_reference(run.settings["data"])
    if reference.kind != "upload":
        return None
    try:
        return runs.store().open_upload(reference.what).meta.get("name")
    except StoreError:
        return None


def _report(write: Callable[[], str], name: str) -> None:
    st.download_button(
        "Report (HTML)",
        lambda: write().encode(),
        f"{name}_report.html",
        "text/html",
        key="report",
        on_click="ignore",
        icon=":material/article:",
        help="One file with the sentence, tables, interactive figures and settings. Opens offline.",
    )


def _comparison_report(view: View, choices: dict[str, str | None]) -> str:
    from anyloss_core.report_content import comparison_report

    return comparison_report(view.comparison, rope=view.rope, **choices)


def _sweep_report(found: Sweep) -> str:
    from anyloss_core.report_content import sweep_report

    return sweep_report(found)

"""A run as a file to take away; the uploaded data goes with it only when asked for."""

from __future__ import annotations

import streamlit as st

from anyloss_core.bundle import export_bundle
from anyloss_core.store import Run
from pages.ui import runs


def bundle(run: Run, label: str = "Run bundle", look: str = "secondary") -> None:
    """A button that opens the choices of the export."""
    popover = st.popover(
        label,
        icon=":material/inventory_2:",
        type=look,
        key=f"bundle:{run.id}",
        on_change="rerun",
    )
    if not popover.open:
        return
    with popover:
        with_data = "upload:" in str(run.settings) and st.checkbox(
            "With the uploaded data", key=f"bundle.data:{run.id}", help="Left out unless you ask."
        )
        st.download_button(
            "Save as JSON",
            lambda: export_bundle(runs.store(), run.id, with_data=with_data),
            f"anyloss-{run.kind}-{run.id[:8]}.json",
            "application/json",
            key=f"bundle.file:{run.id}",
            on_click="ignore",
            icon=":material/download:",
        )
        st.caption("Settings and results. Import it on the page Runs, here or elsewhere.")

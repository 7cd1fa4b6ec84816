"""What leaves the Lab with a run: its report, and the run itself as a file."""

from collections.abc import Callable

import streamlit as st

from anyloss_core.store.bundle import UPLOAD_REFERENCE, export_bundle
from anyloss_core.store.store import Run, StoreError
from pages.ui.base.buttons import download, on_demand
from pages.ui.runs import runs


def report(write: Callable[[], str], name: str) -> None:
    """A button that writes the report of a result."""
    download(
        "Report (HTML)",
        lambda: write().encode(),
        f"{name}_report.html",
        "report",
        icon="article",
        help="One file with the sentence, tables, interactive figures and settings. Opens offline.",
    )


def bundle(run: Run, label: str = "Run bundle", look: str = "secondary") -> None:
    """A button that opens the choices of the export; uploaded data goes along when asked for."""
    on_demand(label, "inventory_2", f"bundle:{run.id}", lambda: _choices(run), look)


def _choices(run: Run) -> None:
    owners = runs.owners()  # the file is made later, where nobody knows for whom
    with_data = _has_data(run) and st.checkbox(
        "With the uploaded data", key=f"bundle.data:{run.id}", help="Left out unless you ask."
    )
    download(
        "Save as JSON",
        lambda: export_bundle(runs.store(), run.id, with_data, owners),
        f"anyloss-{run.kind}-{run.id[:8]}.json",
        f"bundle.file:{run.id}",
    )
    st.caption("Settings and results. Import it on the page Runs, here or elsewhere.")


def _has_data(run: Run) -> bool:
    """Whether a file that this visitor brought could go along."""
    named = set(UPLOAD_REFERENCE.findall(str(run.settings)))
    try:
        brought = [runs.store().open_upload(upload_id).owner for upload_id in named]
    except StoreError:  # it is gone
        return False
    return bool(named) and set(brought) <= set(runs.owners())

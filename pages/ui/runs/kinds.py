"""The kinds of runs: what each is called, the page that shows it, and one to begin with."""

from urllib.parse import urlencode

from anyloss_core.store.store import Run
from pages.ui.base import navigation

KIND_NAMES = {
    "train": "Training",
    "compare": "Comparison",
    "sweep": "L sweep",
    "model": "Model",
    "importance": "Importance of columns",
    "benchmark": "Many data sets",
    "paper": "Paper",
}
# Plain values, so that Home starts without torch: the worker that trains has it loaded.
FIRST_COMPARISON = {
    "data": "builtin:random",
    "comparison": {"losses": ["bce", "anyloss:f1", "bce+threshold"], "folds": 10},
}
# The others are called like their page.
PAGE_OF_KIND = {"benchmark": "many", "model": "compare", "importance": "compare"}
BESIDE = {"model": "fitted", "importance": "explained"}  # shown beside the run that they are of


def link(run: Run) -> None:
    """Open a run on its page; a model, say, is shown beside its comparison."""
    page, query = _place(run)
    navigation.link(page, "Open", **query)


def address(run: Run) -> str:
    """The page of a run with its settings, as a link beside the page Runs."""
    page, query = _place(run)
    return f"{page}?{urlencode(query)}"


def _place(run: Run) -> tuple[str, dict[str, str]]:
    page = PAGE_OF_KIND.get(run.kind, run.kind if run.kind in KIND_NAMES else "runs")
    if name := BESIDE.get(run.kind):
        return page, {"run": str(run.settings.get("of", "")), name: run.id}
    return page, {"run": run.id}

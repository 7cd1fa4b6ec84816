"""Every page with everything it can show: small runs in the store, and the links that open them."""

from __future__ import annotations

from anyloss_core.comparison.comparison import ComparisonSettings
from anyloss_core.comparison.job import job_settings
from anyloss_core.jobs.jobs import run_job
from anyloss_core.live.settings import LiveSettings
from anyloss_core.store.store import Store
from anyloss_core.sweep.job import SweepSettings
from anyloss_core.sweep.job import job_settings as sweep_settings
from pages.ui.compare.controls import VIEWS as COMPARE_VIEWS
from pages.ui.many.controls import VIEWS as MANY_VIEWS
from pages.ui.paper.sections import SECTIONS

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
LOSSES = ("anyloss:f1", "bce", "bce+threshold")
LESSONS = 8
OPEN = {"hide": "guess"}  # a lesson without its guess
Link = tuple[str, dict[str, object]]  # the page's address and its settings


def every_view(store: Store) -> list[Link]:
    """(page, settings) of every view that a visitor can open, results included."""
    made = {kind: _trained(store, kind, settings) for kind, settings in _experiments().items()}
    run = {"data": DATA, "run": made["compare"]}
    steps: dict[int, dict] = {6: {"run": made["train"]}, 7: {"run": made["compare"]}}
    return [
        ("", run),
        *(("lessons", {"step": n} | steps.get(n, OPEN)) for n in range(1, LESSONS + 1)),
        *(("lessons", {"step": n}) for n in (1, 2, 3)),  # a guess of each kind
        ("approximation", {"run": made["train"]}),
        *(("metric", {"metric": name}) for name in ("f1", "gmean", "mcc", "formula")),
        ("train", {"data": DATA, "run": made["train"]}),
        *(("compare", run | {"view": view}) for view in COMPARE_VIEWS),
        ("sweep", {"data": DATA, "run": made["sweep"]}),
        ("sweep", {}),
        *(("many", {"source": "kept", "view": view}) for view in MANY_VIEWS),
        ("many", {"source": "scores", "scores": _scores(store), "test": "signed_rank"}),
        *(("paper", {"show": part}) for part in SECTIONS),
        ("runs", {"first": made["compare"], "second": made["sweep"]}),
    ]


def open_expanders(visit) -> None:
    """All of them; one that opens may hold another."""
    for _ in range(3):
        closed = "document.querySelectorAll('details:not([open]) > summary')"
        if not visit.page.evaluate(f"{closed}.length"):
            return
        visit.page.evaluate(f"{closed}.forEach(summary => summary.click())")
        visit.settle()


def _scores(store: Store) -> str:
    """Scores of two losses on nine tables, as somebody brings them."""
    lines = ["dataset,loss,metric,score"]
    lines += [
        f"d{n},{loss},f1,{(50 + n + 4 * (loss == 'ours')) / 100}"
        for n in range(9)
        for loss in ("bce", "ours")
    ]
    return store.save_upload("\n".join(lines).encode(), {"name": "scores.csv"})


def _experiments() -> dict[str, dict]:
    return {
        "compare": job_settings(DATA, ComparisonSettings(losses=LOSSES, folds=3, epochs=10)),
        "sweep": sweep_settings(DATA, SweepSettings(("f1",), (5.0, 73.0), folds=2, epochs=4)),
        "train": LiveSettings(data=DATA, losses=LOSSES[:2], epochs=4).to_dict(),
    }


def _trained(store: Store, kind: str, settings: dict) -> str:
    run_id = store.create_run(kind, settings, f"{kind}: small", queue=False)
    assert run_job(store, run_id).status == "done", store.run(run_id).error
    return run_id

"""Many data sets: which loss wins on a whole suite, how surely, and where."""

import pandas as pd
import streamlit as st

from anyloss_core import default_study
from anyloss_core.analysis import count_wins
from anyloss_core.benchmark import find_run, start_settings, take_up, title_of
from anyloss_core.benchmark_results import Benchmark, load_benchmark, open_unit
from anyloss_core.comparison_job import job_settings
from anyloss_core.evidence import Evidence, from_benchmark, from_table, score_file
from anyloss_core.figures.benchmark import win_tie_loss_bars
from anyloss_core.published.many import find_shares
from anyloss_core.score_table import read_repeats
from anyloss_core.settings import ComparisonSettings
from anyloss_core.wording import loss_words, metric_words
from pages.ui import benchmark_controls as controls
from pages.ui import benchmark_panels as panels
from pages.ui import navigation, run_link, runs
from pages.ui.benchmark_controls import BOARD
from pages.ui.charts import harmless_csv, show_figure, show_table
from pages.ui.frame import formulas

HOW_CHOSEN = (
    "Default settings on the real suite: protocol 'fresh', ten folds, one start. L, warm-up, "
    "epochs and weight decay were chosen on half A (every second table by name) and confirmed on "
    "half B, which had no say."
)


def main() -> None:
    BOARD.open()
    run = run_link.open_run(BOARD, "benchmark", controls.settings_of)
    st.title("Many data sets")
    st.markdown(
        "One data set proves little. Here every loss is compared on a whole suite, and the result "
        "says how surely one beats another."
    )
    BOARD.segments(
        "source", "Scores", format_func=controls.SOURCES.get, label_visibility="collapsed"
    )
    if BOARD["source"] == "scores":
        uploaded_scores()
        return
    if BOARD["source"] == "kept":
        kept_study()
        return
    if settings := controls.form():
        start(settings)
    if run is not None:
        st.divider()
        runs.follow(run.id, while_running, "many")
        if not run.active:
            result(run)


def start(settings) -> None:
    """Show a run with these settings: a finished one, one to go on with, or a new one."""
    known = find_run(runs.store(), settings)
    if known is None or known.owner not in ("", runs.owner()):
        job = start_settings(settings, BOARD["workers"])
        run_id = runs.start("benchmark", job, title_of(settings))
    else:
        run_id = known.id
        if known.resumable:
            runs.store().requeue(run_id)
    if run_id:
        run_link.show_run(BOARD, run_id)
        st.rerun()


def while_running(run) -> None:
    """Who leads so far, and what has failed."""
    if not run.active:
        return
    benchmark = load(run.id, run.attempt, int(run.done))
    failures(benchmark)
    losses = benchmark.settings.comparison.names
    if benchmark.done.empty or len(losses) < 2:
        return
    baseline = "bce" if "bce" in losses else losses[0]
    evidence = from_benchmark(benchmark)
    counts = count_wins(evidence.of(evidence.aims[0]), baseline)
    show_figure(
        win_tie_loss_bars(counts),
        "many_so_far",
        alt=f"Data sets won, tied and lost so far, of {len(benchmark.done)}.",
        table=counts,
        filename="so_far",
    )


def result(run) -> None:
    """Everything that the finished data sets say."""
    benchmark = load(run.id, run.attempt, int(run.done))
    failures(benchmark)
    if not benchmark.failed.empty and run.status == "done":
        st.button("Try the failed ones again", key="many.again", on_click=again, args=(benchmark,))
    if benchmark.done.empty:
        st.info("No data set is finished.", icon=":material/info:")
        return
    evidence = weigh_up(run.id, run.attempt, int(run.done), formulas())

    def open_dataset(name: str, view: panels.View) -> None:
        opened = open_unit(runs.store(), benchmark, name, runs.owner())
        navigation.go_to("compare", run=opened, **view.question)

    view = panels.show(evidence, f"{run.id}.{run.attempt}.{run.done}", BOARD, open_dataset)
    downloads(benchmark, evidence, view)


def failures(benchmark: Benchmark) -> None:
    """Data sets without scores, and why."""
    failed = benchmark.failed
    if not failed.empty:
        many = len(failed)
        label = f"{many} data set{'s' if many > 1 else ''} failed"
        with st.expander(label, icon=":material/warning:"):
            show_table(failed, "many_failed", "failed")


def again(benchmark: Benchmark) -> None:
    """Try failed data sets once more; the finished ones are kept."""
    run_id = take_up(runs.store(), benchmark.settings)
    runs.store().requeue(run_id)
    runs.server()
    run_link.show_run(BOARD, run_id)


def downloads(benchmark: Benchmark, evidence: Evidence, view: panels.View | None) -> None:
    """All scores as files, and the report."""
    from anyloss_core.report_content import benchmark_report

    chosen = {} if view is None else {"baseline": view.baseline, "rope": view.rope}
    files = {
        "All scores (CSV)": (lambda: harmless_csv(score_file(evidence)), "scores.csv", "text/csv"),
        "Scores of every fold (CSV)": (
            lambda: harmless_csv(evidence.folds),
            "fold_scores.csv",
            "text/csv",
        ),
        "Report (HTML)": (
            lambda: benchmark_report(benchmark, **chosen),
            "benchmark.html",
            "text/html",
        ),
    }
    with st.container(horizontal=True, key="many.downloads"):
        for label, (content, name, kind) in files.items():
            st.download_button(
                label,
                content,
                name,
                kind,
                key=f"many.file:{name}",
                on_click="ignore",
                icon=":material/download:",
            )


def uploaded_scores() -> None:
    """The same analysis for scores from elsewhere."""
    st.caption(
        "A CSV with the columns dataset, loss, metric, score, one row each; further columns named "
        "fold or seed hold repeats, whose mean is taken, and positive_share the share of positive "
        "rows of a data set, for the groups by imbalance. Larger scores must be better."
    )
    file = st.file_uploader("Tidy scores", ["csv"], key="many.scores_file")
    if file is not None and st.session_state.get("many.scores_seen") != file.file_id:
        content = file.getvalue()
        read_repeats(content)  # refuses what cannot be used, before it is kept
        BOARD.set("scores", runs.store().save_upload(content, {"name": file.name}))
        st.session_state["many.scores_seen"] = file.file_id
    if BOARD["scores"]:
        evidence = read(BOARD["scores"])
        panels.show(evidence, BOARD["scores"], BOARD, None)


def kept_study() -> None:
    """What the default settings reach on the real suite, made beforehand."""
    st.caption(HOW_CHOSEN)
    with st.container(horizontal=True):
        BOARD.segments("model", "Model", format_func=controls.MODEL_NAMES.get)
        BOARD.segments("half", "Tables", format_func=controls.HALVES.get)
    evidence = kept(BOARD["model"], BOARD["half"])
    panels.show(evidence, f"kept.{BOARD['model']}.{BOARD['half']}", BOARD, compare_again)
    with st.expander("AnyLoss against every rival, metric by metric", expanded=True):
        show_table(rivals(BOARD["model"], BOARD["half"], BOARD["rope"]), "many_rivals", "rivals")


def compare_again(name: str, view: panels.View) -> None:
    """Train the two losses once more on a table of the study: its folds were not kept."""
    settings = ComparisonSettings(
        losses=(view.candidate, view.baseline),
        model=BOARD["model"],
        protocol=default_study.SETTINGS["protocol"],
        folds=default_study.SETTINGS["folds"],
        seed=default_study.SETTINGS["seed"],
    )
    run_id = runs.start("compare", job_settings(f"real:{name}", settings), name)
    if run_id:
        navigation.go_to("compare", run=run_id, **view.question)


@st.cache_resource(show_spinner="Reading the study", max_entries=6)
def kept(model: str, half: str) -> Evidence:
    """The kept scores of one model on all tables or one half of them."""
    return default_study.load_study(model, None if half == "both" else half)


@st.cache_data(show_spinner="Weighing the rivals", max_entries=20)
def rivals(model: str, half: str, rope: float) -> pd.DataFrame:
    """Each AnyLoss against each rival on its own metric, in words."""
    found = default_study.verdicts(kept(model, half), rope).round(4)
    return pd.DataFrame(
        {
            "metric": found["metric"].map(metric_words),
            "AnyLoss": found["score"],
            "rival": found["baseline"].map(loss_words),
            "its score": found["baseline_score"],
            "AnyLoss better": found["better"],
            "the same": found["same"],
            "AnyLoss worse": found["worse"],
        }
    )


@st.cache_resource(show_spinner="Reading the scores", max_entries=4)
def read(upload_id: str) -> Evidence:
    """A kept file of scores."""
    content = runs.store().open_upload(upload_id).read()
    return from_table(read_repeats(content), find_shares(content))


@st.cache_resource(show_spinner="Reading the results", max_entries=4)
def load(run_id: str, attempt: int, done: int) -> Benchmark:
    """What a run has finished; a new number of finished data sets is another result."""
    return load_benchmark(runs.store(), run_id)


@st.cache_resource(show_spinner="Scoring", max_entries=4)
def weigh_up(run_id: str, attempt: int, done: int, extra: tuple[str, ...]) -> Evidence:
    """The scores of a run, with the formulas that the visitor typed."""
    return from_benchmark(load(run_id, attempt, done), extra)


main()

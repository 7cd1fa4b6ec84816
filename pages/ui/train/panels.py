"""The panels of the page Train: what a training shows while it runs, and any epoch afterwards."""

import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from anyloss_core.figures import epoch as epoch_figures
from anyloss_core.figures import training as curves
from anyloss_core.figures.fast import FastFigure
from anyloss_core.live.findings import find, small_batches
from anyloss_core.live.history import History, Snapshot, chosen_plane
from anyloss_core.live.plane import Plane
from anyloss_core.store.store import Run
from pages.ui.base.errors import guarded
from pages.ui.base.text import STATUS_NAMES, duration, in_markdown, literal, option
from pages.ui.charts.charts import show_figure, show_table
from pages.ui.choice.losses import loss_option, metric_option
from pages.ui.data import chosen
from pages.ui.runs import runs
from pages.ui.runs.live_history import history_of
from pages.ui.train import controls, redraw
from pages.ui.train.form import BOARD, PLANE_NAMES, ROW_NAMES
from pages.ui.train.words import FORMULAS, amplifier_words, explain, soft_title

POLL_SECONDS = 0.3


def follow(ready: bool) -> None:
    """Buttons and panels, redrawn while the run is active and no longer."""
    run = runs.find(BOARD["run"])
    every = redraw.interval(POLL_SECONDS) if run is not None and run.active else None

    @st.fragment(run_every=every, key="train.follow")
    @guarded
    def live() -> None:
        began = time.thread_time()
        now = runs.find(BOARD["run"])
        if bool(every) != (now is not None and now.active):
            st.rerun()  # it began or is over: the whole page learns of it
        if every and redraw.is_due_for_a_change(every, POLL_SECONDS):
            st.rerun()
        controls.buttons(now, ready)
        if now is not None:
            _show_run(now)
        else:
            st.info(
                "Press Start to train all losses side by side, or Step to go epoch by epoch. Every "
                "epoch is kept: afterwards a slider takes you back to any of them.",
                icon=":material/play_circle:",
            )
        if every:
            visitor = st.session_state.setdefault("visitor", secrets.token_hex(8))
            redraw.note(visitor, time.thread_time() - began)

    live()


@runs.of_run
def _show_run(run: Run) -> None:
    history = history_of(run)
    if run.status in ("failed", "interrupted"):
        runs.progress(run)
    if history is None:
        if run.active:
            st.progress(0.0, text=controls.status(run, None))
        elif run.status == "cancelled":
            st.caption("Stopped before the first epoch.")
        return
    _whose(run, history)
    epoch = _timeline(run, history)
    snapshot = history.snapshot(epoch)
    _curves(run, history, snapshot)
    _chosen_recipe(history)
    for loss, words in small_batches(history).items():
        st.warning(f"{literal(loss_option(loss))}: {words}.", icon=":material/warning:")
    for finding in find(history, snapshot.epoch):
        st.warning(explain(finding), icon=":material/warning:")
    _closer_look(run, snapshot)


def _whose(run: Run, history: History) -> None:
    """The table of the run, if it is not the chosen one."""
    if run.settings.get("data") != chosen.reference():
        name = literal(history.view["name"])
        st.info(f"This run is of {name}, not of the chosen data.", icon=":material/info:")


def _chosen_recipe(history: History) -> None:
    """What automatic has settled on; below the curves, which fit on a small screen without it."""
    settings = history.settings
    taken = [
        f"{loss_option(loss)} {amplifier_words(spec)}"
        for loss, own, spec in zip(settings.losses, settings.trained, settings.specs, strict=False)
        if own != loss
    ]
    if taken:
        st.caption(f"Automatic chose on inner folds: {in_markdown('; '.join(taken), 300)}")


def _timeline(run: Run, history: History) -> int | None:
    """Progress while it runs; afterwards a slider over all kept epochs. None: the newest."""
    if run.active:
        st.progress(run.share, text=controls.status(run, history))
        return None
    name = in_markdown(history.view["name"], 40)
    ended = f"{name} · {STATUS_NAMES[run.status].capitalize()} after {duration(run.seconds)}"
    if len(history.epochs) == 1:
        st.caption(f"{ended}, with one epoch.")
        return None
    newest, linked = history.epochs[-1], BOARD["epoch"]
    chosen = st.select_slider(
        f"Epoch shown in every panel · {ended}",
        history.epochs,
        value=linked if linked in history.epochs else newest,
        key=f"train.epoch.{run.id}.{run.attempt}",
    )
    BOARD.set("epoch", 0 if chosen == newest else chosen)
    return chosen


def _curves(run: Run, history: History, snapshot: Snapshot) -> None:
    metric = history.settings.metric
    known = {"epoch": snapshot.epoch, "live": run.active}
    name = metric_option(metric)
    table = partial(curves.curve_table, history, metric)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Loss**")
        alt = _alt("Training loss", snapshot, snapshot.values["losses"])
        _panel(run, "training_loss", curves.loss_figure(history, **known), alt, table)
    with right:
        st.markdown(f"{_bold(name)}, validation strong, training faint")
        alt = _alt(f"{name} on the validation rows", snapshot, snapshot.scores(metric, "valid"))
        _panel(run, "training_metric", curves.metric_figure(history, metric, **known), alt, table)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Achievement**")
        reached = history.achievement()[history.epochs.index(snapshot.epoch)]
        alt = _alt("Share of the descent", snapshot, reached)
        _panel(run, "training_achievement", curves.achievement_figure(history, **known), alt, table)
    with right:
        st.markdown("**Dead rows and gradient**")
        alt = _alt("Share of dead rows", snapshot, snapshot.values["dead"])
        _panel(run, "training_health", curves.health_figure(history, **known), alt, table)


def _closer_look(run: Run, snapshot: Snapshot) -> None:
    history = snapshot.history
    st.header(f"Epoch {snapshot.epoch} from close up")
    with st.container(horizontal=True, gap="medium", key="train.look"):
        words = lambda loss: in_markdown(loss_option(loss))  # noqa: E731
        loss = _segments("closely", "Loss", history.losses, words, f"train.loss.{run.id}")
        model = history.losses.index(loss)
        rows = _segments("rows", "Rows", ROW_NAMES, ROW_NAMES.get, "train.look.rows")
    left, right = st.columns(2, gap="medium")
    with left:
        _confusion(run, snapshot, model, rows)
        _histograms(run, snapshot, model)
    with right:
        _boundary(run, snapshot, model)
    _numbers(run, snapshot, rows)


def _segments(
    name: str, label: str, options: Iterable[str], words: Callable[[str], str], key: str
) -> str:
    """A choice that stands in the link, drawn inside of a part that redraws itself.

    Such a part may be drawn twice before the browser shows it; a value that is set from outside,
    as a board does it, is lost then. A default is not.
    """
    options = list(options)
    linked = BOARD[name]
    chosen = st.segmented_control(
        label,
        options,
        default=linked if linked in options else options[0],
        required=True,
        format_func=words,
        key=key,
    )
    BOARD.set(name, BOARD.settings[name].default if chosen == options[0] else chosen)
    return chosen


def _confusion(run: Run, snapshot: Snapshot, model: int, rows: str) -> None:
    st.markdown(f"**Confusion matrix**, {ROW_NAMES[rows].lower()} rows")
    soft, hard = (snapshot.counts(rows, soft)[model] for soft in (True, False))
    words = ", ".join(
        f"{cell} {s:.1f} soft, {h:.0f} hard"
        for cell, s, h in zip(("TN", "FN", "FP", "TP"), soft, hard, strict=True)
    )
    figure = epoch_figures.confusion_figure(snapshot, model, rows)
    alt = f"Soft and hard confusion matrix at epoch {snapshot.epoch}: {words}"
    _panel(run, "confusion", figure, alt, partial(epoch_figures.confusion_table, snapshot, rows))


def _histograms(run: Run, snapshot: Snapshot, model: int) -> None:
    st.markdown("**Probabilities and soft labels**, training rows")
    title = soft_title(snapshot, model)
    figure = epoch_figures.histogram_figure(snapshot, model, title)
    alt = f"Histograms of p and {title} by class at epoch {snapshot.epoch}"
    table = partial(epoch_figures.histogram_table, snapshot, model)
    _panel(run, "histograms", figure, alt, table)


def _boundary(run: Run, snapshot: Snapshot, model: int) -> None:
    st.markdown("**Decision boundary**, a sample of the training rows")
    plane = _choose_plane(run, snapshot.history)
    grid = plane.grid(plane.project(snapshot.history.view["points"]))
    landscape = snapshot.landscape(plane, grid)
    figure = epoch_figures.boundary_figure(snapshot, landscape, model)
    first, second = (option(name) for name in plane.names)
    alt = f"Decision boundary of every loss at epoch {snapshot.epoch} over {first} and {second}"
    _panel(run, "boundary", figure, alt, partial(epoch_figures.boundary_table, snapshot, landscape))


def _choose_plane(run: Run, history: History) -> Plane:
    names = [str(name) for name in history.view["features"]]
    if len(names) <= 2:
        return chosen_plane(history.view, None, None)
    kind = _segments("plane", "Drawn over", PLANE_NAMES, PLANE_NAMES.get, "train.look.plane")
    if kind == "components":
        return chosen_plane(history.view, None, None)
    left, right = st.columns(2)
    with left:
        first = _choose_feature(run, "across", names, range(len(names)))
    with right:
        others = [index for index in range(len(names)) if index != first]
        second = _choose_feature(run, "up", names, others)
    return chosen_plane(history.view, names[first], names[second])


def _choose_feature(run: Run, axis: str, names: list[str], indices: Sequence[int]) -> int:
    """The index of the feature on an axis."""
    linked = BOARD[axis]
    chosen = st.selectbox(
        axis.capitalize(),
        indices,
        index=indices.index(linked) if linked in indices else 0,
        format_func=lambda index: option(names[index]),
        key=f"train.{axis}.{run.id}",
    )
    BOARD.set(axis, chosen)
    return chosen


def _numbers(run: Run, snapshot: Snapshot, rows: str) -> None:
    """All losses at this epoch in one table."""
    metric = snapshot.history.settings.metric
    hard, soft = (snapshot.scores(metric, rows, soft) for soft in (False, True))
    name = metric_option(metric)
    table = pd.DataFrame(
        {
            "trained with": [loss_option(loss) for loss in snapshot.history.losses],
            "loss": snapshot.values["losses"],
            f"{name} hard": hard,
            f"{name} soft": soft,
            "gap": soft - hard,
            "dead rows": snapshot.values["dead"],
            "gradient norm": snapshot.values["gradient"],
        }
    )
    st.markdown(f"**All losses at epoch {snapshot.epoch}**, {ROW_NAMES[rows].lower()} rows")
    formats = dict.fromkeys(table.columns[1:5], "%.4f")
    formats |= {"dead rows": "percent", "gradient norm": "scientific"}
    show_table(table, "train.epoch", FORMULAS["numbers"], formats)


def _panel(run: Run, name: str, figure: FastFigure, alt: str, table: Callable) -> None:
    """A figure of a run: zoom and legend stay while it grows, and start over with the next run."""
    figure.layout["uirevision"] = f"{run.id}.{run.attempt}"
    more = {"formula": FORMULAS[name], "grows": name.startswith("training_")}
    show_figure(figure, f"train.{name}", alt=alt, table=table, **more)


def _alt(what: str, snapshot: Snapshot, values: object) -> str:
    parts = [
        f"{loss_option(loss)} {value:.3g}"
        for loss, value in zip(snapshot.history.losses, values, strict=True)
    ]
    return f"{what} at epoch {snapshot.epoch}: {', '.join(parts)}"


def _bold(name: str) -> str:
    """A metric's name; a formula is shown as it was typed."""
    is_word = name.translate(str.maketrans("", "", " .-'")).isalnum()
    return f"**{name}**" if is_word else literal(name)

"""The panels of the page Train: what a training shows while it runs, and any epoch afterwards."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from anyloss_core.figures import moment as moments
from anyloss_core.figures import training as curves
from anyloss_core.live_findings import find
from anyloss_core.live_history import History, Moment, chosen_plane
from anyloss_core.plane import Plane
from anyloss_core.store import Run
from pages.ui import runs, training_controls, turns
from pages.ui.charts import show_figure, show_table
from pages.ui.errors import guarded
from pages.ui.loss_choice import loss_option, metric_option
from pages.ui.text import STATUS_NAMES, duration, in_markdown, literal, option
from pages.ui.training_form import BOARD, PLANE_NAMES, ROW_NAMES
from pages.ui.training_words import FORMULAS, explain, soft_title

POLL_SECONDS = 0.3


def follow(ready: bool) -> None:
    """Buttons and panels, redrawn while the run is active and no longer."""
    run = runs.find(BOARD["run"])
    every = turns.interval(POLL_SECONDS) if run is not None and run.active else None

    @st.fragment(run_every=every, key="train.follow")
    @guarded
    def live() -> None:
        began = time.thread_time()
        now = runs.find(BOARD["run"])
        if bool(every) != (now is not None and now.active):
            st.rerun()  # it began or is over: the whole page learns of it
        if every and turns.is_due_for_a_change(every, POLL_SECONDS):
            st.rerun()
        training_controls.buttons(now, ready)
        if now is not None:
            _show_run(now)
        elif BOARD["run"]:
            st.info("There is no such run any more. Start a new one.", icon=":material/info:")
        else:
            _invite()
        if every:
            turns.note(_visitor(), time.thread_time() - began)

    live()


def _visitor() -> str:
    """A name of this browser tab."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))


def _invite() -> None:
    st.info(
        "Press Start to train all losses side by side, or Step to go epoch by epoch. Every epoch "
        "is kept: afterwards a slider takes you back to any of them.",
        icon=":material/play_circle:",
    )


def _show_run(run: Run) -> None:
    history = training_controls.history_of(run)
    if run.status in ("failed", "interrupted"):
        runs.progress(run)
    if history is None:
        if run.active:
            st.progress(0.0, text=training_controls.status(run, None))
        elif run.status == "cancelled":
            st.caption("Stopped before the first epoch.")
        return
    epoch = _timeline(run, history)
    moment = history.moment(epoch)
    _curves(run, history, moment)
    _findings(history, moment)
    _closer_look(run, moment)


def _timeline(run: Run, history: History) -> int | None:
    """Progress while it runs; afterwards a slider over all kept epochs. None: the newest."""
    if run.active:
        st.progress(run.share, text=training_controls.status(run, history))
        return None
    ended = f"{STATUS_NAMES[run.status].capitalize()} after {duration(run.seconds)}"
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


def _curves(run: Run, history: History, moment: Moment) -> None:
    metric = history.settings.metric
    known = {"epoch": moment.epoch, "live": run.active}
    name = metric_option(metric)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Loss**")
        alt = _alt("Training loss", moment, moment.values["losses"])
        _chart(run, "loss", curves.loss_figure(history, **known), alt, history)
    with right:
        st.markdown(f"{_bold(name)}, validation strong, training faint")
        alt = _alt(f"{name} on the validation rows", moment, moment.scores(metric, "valid"))
        _chart(run, "metric", curves.metric_figure(history, metric, **known), alt, history)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Achievement**")
        alt = _alt("Share of the descent", moment, history.achievement()[_place(moment)])
        _chart(run, "achievement", curves.achievement_figure(history, **known), alt, history)
    with right:
        st.markdown("**Dead rows and gradient**")
        alt = _alt("Share of dead rows", moment, moment.values["dead"])
        _chart(run, "health", curves.health_figure(history, **known), alt, history)


def _findings(history: History, moment: Moment) -> None:
    for finding in find(history, moment.epoch):
        st.warning(explain(finding), icon=":material/warning:")


def _closer_look(run: Run, moment: Moment) -> None:
    history = moment.history
    st.subheader(f"Epoch {moment.epoch} from close up")
    with st.container(horizontal=True, gap="medium", key="train.look"):
        model = _choose_loss(run, history)
        rows = _segments("rows", "Rows", ROW_NAMES, ROW_NAMES.get, "train.look.rows")
    left, right = st.columns(2, gap="medium")
    with left:
        _confusion(run, moment, model, rows)
        _histograms(run, moment, model)
    with right:
        _boundary(run, moment, model)
    _numbers(run, moment, rows)


def _choose_loss(run: Run, history: History) -> int:
    """The place of the loss that is seen from close up."""
    words = lambda loss: in_markdown(loss_option(loss))  # noqa: E731
    loss = _segments("closely", "Loss", history.losses, words, f"train.loss.{run.id}")
    return history.losses.index(loss)


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


def _confusion(run: Run, moment: Moment, model: int, rows: str) -> None:
    st.markdown(f"**Confusion matrix**, {ROW_NAMES[rows].lower()} rows")
    soft, hard = (moment.counts(rows, soft)[model] for soft in (True, False))
    words = ", ".join(
        f"{cell} {s:.1f} soft, {h:.0f} hard"
        for cell, s, h in zip(("TN", "FN", "FP", "TP"), soft, hard, strict=True)
    )
    show_figure(
        _dated(moments.confusion_figure(moment, model, rows), run),
        "train.confusion",
        alt=f"Soft and hard confusion matrix at epoch {moment.epoch}: {words}",
        table=lambda: moments.confusion_table(moment, rows),
        filename="confusion",
        formula=FORMULAS["confusion"],
    )


def _histograms(run: Run, moment: Moment, model: int) -> None:
    st.markdown("**Probabilities and soft labels**, training rows")
    title = soft_title(moment, model)
    show_figure(
        _dated(moments.histogram_figure(moment, model, title), run),
        "train.histogram",
        alt=f"Histograms of p and {title} by class at epoch {moment.epoch}",
        table=lambda: moments.histogram_table(moment, model),
        filename="histograms",
        formula=FORMULAS["histogram"],
    )


def _boundary(run: Run, moment: Moment, model: int) -> None:
    st.markdown("**Decision boundary**, a sample of the training rows")
    plane = _choose_plane(run, moment.history)
    grid = plane.grid(plane.project(moment.history.view["points"]))
    landscape = moment.landscape(plane, grid)
    show_figure(
        _dated(moments.boundary_figure(moment, landscape, model), run),
        "train.boundary",
        alt=f"Decision boundary of every loss at epoch {moment.epoch}, drawn over "
        f"{option(plane.names[0])} and {option(plane.names[1])}",
        table=lambda: moments.boundary_table(moment, landscape),
        filename="boundary",
        formula=FORMULAS["boundary"],
    )


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
        others = [place for place in range(len(names)) if place != first]
        second = _choose_feature(run, "up", names, others)
    return chosen_plane(history.view, names[first], names[second])


def _choose_feature(run: Run, axis: str, names: list[str], places: Sequence[int]) -> int:
    """The place of the feature on an axis."""
    linked = BOARD[axis]
    place = st.selectbox(
        axis.capitalize(),
        places,
        index=places.index(linked) if linked in places else 0,
        format_func=lambda place: option(names[place]),
        key=f"train.{axis}.{run.id}",
    )
    BOARD.set(axis, place)
    return place


def _numbers(run: Run, moment: Moment, rows: str) -> None:
    """All losses at this epoch in one table."""
    metric = moment.history.settings.metric
    hard, soft = (moment.scores(metric, rows, soft) for soft in (False, True))
    name = metric_option(metric)
    table = pd.DataFrame(
        {
            "trained with": [loss_option(loss) for loss in moment.history.losses],
            "loss": moment.values["losses"],
            f"{name} hard": hard,
            f"{name} soft": soft,
            "gap": soft - hard,
            "dead rows": moment.values["dead"],
            "gradient norm": moment.values["gradient"],
        }
    )
    st.markdown(f"**All losses at epoch {moment.epoch}**, {ROW_NAMES[rows].lower()} rows")
    show_table(
        table,
        "train.numbers",
        "epoch",
        formula=FORMULAS["numbers"],
        column_config={
            **{
                column: st.column_config.NumberColumn(format="%.4f")
                for column in table.columns[1:5]
            },
            "dead rows": st.column_config.NumberColumn(format="percent"),
            "gradient norm": st.column_config.NumberColumn(format="scientific"),
        },
    )


def _chart(run: Run, name: str, figure: go.Figure, alt: str, history: History) -> None:
    show_figure(
        _dated(figure, run),
        f"train.{name}",
        alt=alt,
        table=lambda: curves.curve_table(history, history.settings.metric),
        filename=f"training_{name}",
        formula=FORMULAS[name],
    )


def _dated(figure: go.Figure, run: Run) -> go.Figure:
    """Zoom and legend stay while one run grows, and start over with the next."""
    figure.layout["uirevision"] = f"{run.id}.{run.attempt}"
    return figure


def _alt(what: str, moment: Moment, values: object) -> str:
    parts = [
        f"{loss_option(loss)} {value:.3g}"
        for loss, value in zip(moment.history.losses, values, strict=True)
    ]
    return f"{what} at epoch {moment.epoch}: {', '.join(parts)}"


def _bold(name: str) -> str:
    """A metric's name; a formula is shown as it was typed."""
    is_word = name.translate(str.maketrans("", "", " .-'")).isalnum()
    return f"**{name}**" if is_word else literal(name)


def _place(moment: Moment) -> int:
    return moment.history.epochs.index(moment.epoch)

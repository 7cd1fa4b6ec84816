"""The question put to a result: on which metric, which loss against which, from what size on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anyloss_core.common.wording import loss_words
from anyloss_core.statistics.verdicts import FoldVerdict, Verdict
from pages.ui.base.settings import Number, Text
from pages.ui.base.state import Board
from pages.ui.choice import losses as loss_choice

ROPE_LABEL = "Rope: a difference up to this size does not matter"
SETTINGS = (  # '' leaves a choice to the page
    Text("metric", "", valid=lambda text: not text or loss_choice.is_metric(text)),
    Text("candidate", ""),
    Text("baseline", ""),
    Number("rope", 0.01, 0.0, 0.2),
)


@dataclass(frozen=True)
class Question:
    """On which metric, which loss against which, from what size of a difference on."""

    metric: str
    candidate: str
    baseline: str | None  # None when there is only one loss
    rope: float

    @property
    def asked(self) -> dict[str, Any]:
        """As sentences, reports and links take it."""
        names = ("metric", "candidate", "baseline", "rope")
        return {name: getattr(self, name) for name in names}

    @property
    def metric_label(self) -> str:
        return loss_choice.metric_option(self.metric)


def pick(board: Board, name: str, options: Iterable[str], usual: str) -> str:
    """Metric, candidate or baseline; it may be left to the page, which takes the usual one."""
    words = loss_choice.metric_option if name == "metric" else loss_choice.loss_option
    known = list(dict.fromkeys(("", *options)))
    if board[name] not in known:
        board.set(name, "")
    picked = board.select(
        name,
        name.capitalize(),
        options=known,
        format_func=lambda value: words(value) if value else f"{words(usual)} (automatic)",
    )
    return picked or usual


def pick_baseline(board: Board, losses: Sequence[str], candidate: str) -> str | None:
    """A rival of the candidate, BCE unless another is chosen; None if there is none."""
    rivals = [loss for loss in losses if loss != candidate]
    if not rivals:
        return None
    return pick(board, "baseline", rivals, "bce" if "bce" in rivals else rivals[0])


def pick_rope(board: Board) -> float:
    """From which size on a difference counts."""
    return board.slider(
        "rope",
        ROPE_LABEL,
        step=0.005,
        format="%.3f",
    )


def verdict_words(verdict: Verdict | FoldVerdict) -> str:
    """A verdict for those who cannot see its bar."""
    counted = "folds" if isinstance(verdict, FoldVerdict) else "data sets"
    ours = loss_words(verdict.candidate, verdict.metric)
    return (
        f"{ours}: wins {verdict.candidate_wins:.3f}, draws "
        f"{verdict.draw:.3f}, loses {verdict.baseline_wins:.3f}; {verdict.votes} {counted} won, "
        "tied and lost."
    )


def loss_values(values: Mapping[str, float], form: str = ".3f") -> str:
    """'BCE 0.812, AnyLoss-F1 0.903', for those who cannot see a chart."""
    return ", ".join(f"{loss_words(loss)} {value:{form}}" for loss, value in values.items())

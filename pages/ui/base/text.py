"""Words that pages share, and how text that users brought is shown: literally.

Streamlit renders labels and messages as Markdown (with LaTeX, colours and icons). Names of
columns, classes, files and runs come from outside and pass through `literal` or `option`.
"""

import re

from anyloss_core.common.text import visible
from anyloss_core.store.database import home_path

# Neither a list ("1. x"), nor a link ("www.x"), nor emphasis, maths, an icon or an emoji.
_WORDS = re.compile(r"['A-Za-z](?:[^\W_]|[ '()=;≥±-]|,(?= )|\.(?=[\d ]|$)|:(?= |$))*")
# Streamlit rewrites :material/home: even in a code span; an invisible mark keeps it as it is.
_ICON = (":material/", ":material\N{WORD JOINER}/")
FORM_NAMES = {"safe": "complement-safe", "naive": "as in the paper"}  # of the amplifier
STATUS_NAMES = {
    "queued": "waiting",
    "running": "running",
    "paused": "paused",
    "done": "done",
    "cancelled": "stopped",
    "failed": "failed",
    "interrupted": "interrupted",
}


def literal(text: object, longest: int = 80) -> str:
    """Foreign text inside Markdown: a code span, in which nothing is rendered."""
    shown = visible(without_home(str(text)), longest).replace(*_ICON) or " "
    runs = [len(run) for run in re.findall(r"`+", shown)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def without_home(text: str) -> str:
    """A text that does not tell visitors where on this machine the Lab keeps its things."""
    return text.replace(str(home_path()), "the Lab's folder")


def in_markdown(text: object, longest: int = 80) -> str:
    """Foreign text inside Markdown: as it is where that means nothing there, else a code span."""
    shown = visible(str(text), longest)
    return shown if _WORDS.fullmatch(shown) else literal(text, longest)


def option(text: object, longest: int = 60) -> str:
    """Foreign text in a list of choices, which Streamlit shows as plain text."""
    return visible(str(text), longest)


def duration(seconds: float) -> str:
    """Seconds as a person says them: 0.4 s, 12 s, 3 min 20 s, 1 h 5 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def share(value: float, digits: int = 1) -> str:
    """A share as per cent."""
    return f"{100 * value:.{digits}f} %"

"""The pages, in the order in which they are shown."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

PAGES_FOLDER = Path(__file__).parents[2]
FIRST = "home"  # the page that opens at the root address


@dataclass(frozen=True)
class PageInfo:
    """A page: its address is `url`, stable for links from outside."""

    url: str
    file: str
    title: str
    icon: str  # of Google's Material set
    section: str
    about: str = ""  # what it is for, on Home


PAGES = (
    PageInfo("home", "home.py", "Home", "home", ""),
    PageInfo(
        *("lessons", "take_lessons.py", "Lessons", "school", "Understand"),
        "eight short steps, for a class or a newcomer",
    ),
    PageInfo(
        *("approximation", "explore_approximation.py", "Approximation", "ssid_chart", "Understand"),
        "what the amplifier does to a probability",
    ),
    PageInfo(
        *("metric", "choose_metric.py", "Any metric", "function", "Understand"),
        "write your own as a formula",
    ),
    PageInfo(
        *("train", "train_live.py", "Train", "play_circle", "Experiment"),
        "watch losses learn side by side",
    ),
    PageInfo(
        *("compare", "compare_losses.py", "Compare", "compare_arrows", "Experiment"),
        "the best loss for your data, and how surely",
    ),
    PageInfo(
        *("sweep", "sweep_amplifier.py", "L sweep", "tune", "Experiment"),
        "which L is good for your data",
    ),
    PageInfo(
        *("many", "benchmark_datasets.py", "Many data sets", "dataset", "Evidence"),
        "who wins over a hundred of them",
    ),
    PageInfo(
        *("paper", "reproduce_paper.py", "Paper", "article", "Evidence"),
        "the published tables, recomputed",
    ),
    PageInfo("runs", "browse_runs.py", "Runs", "history", "Evidence"),
)


def streamlit_pages() -> dict[str, list[st.Page]]:
    """The pages by section, for st.navigation."""
    sections: dict[str, list[st.Page]] = {}
    for info in PAGES:
        sections.setdefault(info.section, []).append(streamlit_page(info.url))
    return sections


def streamlit_page(url: str) -> st.Page:
    """One page by its address, for st.page_link and st.switch_page."""
    info = page_info(url)
    return st.Page(
        PAGES_FOLDER / info.file,
        title=info.title,
        icon=f":material/{info.icon}:",
        url_path=info.url,
        default=info.url == FIRST,
    )


def page_info(url: str) -> PageInfo:
    """The page with this address."""
    return next(info for info in PAGES if info.url == url)


def link(url: str, label: str, **query: object) -> None:
    """A link to another page with settings."""
    icon = f":material/{page_info(url).icon}:"
    texts = {name: str(value) for name, value in query.items()}
    st.page_link(streamlit_page(url), label=label, icon=icon, query_params=texts or None)


def go_to(url: str, **query: object) -> None:
    """Leave for another page with settings."""
    st.switch_page(streamlit_page(url), query_params={k: str(v) for k, v in query.items()})

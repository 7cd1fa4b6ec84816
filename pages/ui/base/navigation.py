"""The pages, in the order in which they are shown. A page that has no file is left out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

PAGES_FOLDER = Path(__file__).parents[1]
FIRST = "home"  # the page that opens at the root address


@dataclass(frozen=True)
class PageInfo:
    """A page: its address is `url`, stable for links from outside."""

    url: str
    file: str
    title: str
    icon: str
    section: str


PAGES = (
    PageInfo("home", "home.py", "Home", ":material/home:", ""),
    PageInfo("lessons", "take_lessons.py", "Lessons", ":material/school:", "Understand"),
    PageInfo(
        "approximation",
        "explore_approximation.py",
        "Approximation",
        ":material/ssid_chart:",
        "Understand",
    ),
    PageInfo("metric", "choose_metric.py", "Any metric", ":material/function:", "Understand"),
    PageInfo("train", "train_live.py", "Train", ":material/play_circle:", "Experiment"),
    PageInfo("compare", "compare_losses.py", "Compare", ":material/compare_arrows:", "Experiment"),
    PageInfo("sweep", "sweep_amplifier.py", "L sweep", ":material/tune:", "Experiment"),
    PageInfo("many", "benchmark_datasets.py", "Many data sets", ":material/dataset:", "Evidence"),
    PageInfo("paper", "reproduce_paper.py", "Paper", ":material/article:", "Evidence"),
    PageInfo("runs", "browse_runs.py", "Runs", ":material/history:", "Evidence"),
)


def streamlit_pages() -> dict[str, list[st.Page]]:
    """The pages by section, for st.navigation."""
    sections: dict[str, list[st.Page]] = {}
    for info in PAGES:
        if exists(info.url):
            sections.setdefault(info.section, []).append(streamlit_page(info.url))
    return sections


def streamlit_page(url: str) -> st.Page:
    """One page by its address, for st.page_link and st.switch_page."""
    info = page_info(url)
    return st.Page(
        PAGES_FOLDER / info.file,
        title=info.title,
        icon=info.icon,
        url_path=info.url,
        default=info.url == FIRST,
    )


def page_info(url: str) -> PageInfo:
    """The page with this address."""
    return next(info for info in PAGES if info.url == url)


def exists(url: str) -> bool:
    """Whether this page is part of the app."""
    return (PAGES_FOLDER / page_info(url).file).is_file()


def link(url: str, label: str, **query: object) -> None:
    """A link to another page with settings; shows nothing if the page is not there."""
    if exists(url):
        info = page_info(url)
        texts = {name: str(value) for name, value in query.items()}
        st.page_link(streamlit_page(url), label=label, icon=info.icon, query_params=texts or None)


def go_to(url: str, **query: object) -> None:
    """Leave for another page with settings."""
    st.switch_page(streamlit_page(url), query_params={k: str(v) for k, v in query.items()})

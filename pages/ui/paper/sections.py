"""The page Paper: its sections, its settings in the URL, and how a recomputation is started."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from anyloss_core.paper.datasets import SOURCES
from anyloss_core.paper.names import DATASETS, OFFLINE
from anyloss_core.paper.our_suites import SUITES
from anyloss_core.store.store import Run
from pages.ui.base.buttons import start_button
from pages.ui.base.settings import Choice, Number, Text
from pages.ui.base.state import Board
from pages.ui.choice import run_link
from pages.ui.data import reading
from pages.ui.runs import runs
from pages.ui.runs.runs import RUN

UPLOAD_TYPES = ["csv"]
IMAGES = {"digits": "scikit-learn's digits, offline", "mnist_784": "MNIST from OpenML"}


@dataclass(frozen=True)
class Section:
    """A chapter of the page: what it recomputes and how long that takes."""

    title: str
    parts: tuple[str, ...]  # of `paper.reproduction`
    takes: str
    text: str
    file: str = ""  # a file of the user's that it can take, by this name
    per_dataset: bool = True


SECTIONS = {
    "tables": Section(
        "SLP tables",
        ("valid_range", "slp", "resampling"),
        "less than a minute",
        "Table 1, the one-layer network on data sets 1 and 3, the achievement rates and the "
        "comparison with resampling. All of it comes out equal to the last printed digit.",
    ),
    "mlp": Section(
        "MLP",
        ("mlp",),
        "some minutes",
        "The published network was carried through all losses and all folds, so that it had been "
        "trained on the rows it was judged on. Here it is trained that way (as released), with the "
        "same settings but fresh for every fold and loss, and fresh with settings of our own.",
    ),
    "amplifier": Section(
        "L",
        ("curves", "sweep"),
        "a few minutes",
        "What L does to learning, and the five values of L that the paper compares.",
    ),
    "time": Section(
        "Learning time",
        ("time",),
        "a minute or two",
        "How long a loss takes, as a ratio to BCE, measured in turn on this machine.",
    ),
    "sol": Section(
        "SOL",
        ("sol",),
        "less than a minute",
        "The score-oriented losses (SOL) that the paper compares with, in the SLP. They were "
        "trained differently: the published runs carried one network through all ten folds, so "
        "that from the second fold on it had already been trained on the rows it was judged on, "
        "for up to ten times the epochs. Ours start from zero in every fold. SOL in the MLP: see "
        "MLP, all figures.",
    ),
    "many": Section(
        "102 data sets",
        (),
        "",
        "Winning numbers, the Bayesian sign test and the groups by imbalance, on our suites or on "
        "scores that you bring, beside the published ones: another collection of data.",
    ),
    "titanic": Section(
        "Huge Titanic",
        ("titanic",),
        "a few minutes",
        "About 800,000 rows: a generated twin of the published table's size, or the table itself "
        "if you bring it (Kaggle, 'Huge Titanic', a CSV with a column Survived).",
        file="titanic",
        per_dataset=False,
    ),
    "resnet": Section(
        "ResNet-50",
        ("resnet",),
        "several minutes",
        "The same losses in a deep network: a compact ResNet-50 that finds one handwritten digit "
        "among ten. Offline on scikit-learn's digits, scaled up; MNIST comes from OpenML when "
        "there is a network, or from a CSV with a column label. 10,000 images of MNIST take about "
        "six times as long as the digits.",
        file="mnist",
        per_dataset=False,
    ),
}
BOARD = Board(
    "paper",
    Choice("show", "tables", tuple(SECTIONS)),
    Number("seeds", 3, 1, 20),
    Choice("model", "mlp", ("slp", "mlp")),
    Choice("suite", "real", tuple(SUITES)),
    Text("scores", "", longest=40),
    Text("benchmark", "", longest=40),
    Choice("source", "digits", tuple(IMAGES)),
    Number("images", 1797, 200, 70_000),
    RUN,
)


def start_controls(section: Section) -> None:
    """The button that recomputes a section, and what it needs."""
    if not section.parts:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="paper.controls"):
        if {"mlp", "sweep"} & set(section.parts):
            BOARD.number("seeds", "Starts (seeds)", step=1, width=140)
        if "resnet" in section.parts:
            BOARD.segments("source", "Images", format_func=IMAGES.get)
            BOARD.number("images", "At most so many", step=100, width=140)
        datasets = OFFLINE if section.per_dataset else ()
        start_button("Recompute", "paper.start", _start, section, datasets, {})
        st.caption(f"Takes {section.takes}; the result is kept.")
    if section.per_dataset:
        _bring_dataset(section)
    elif section.file:
        with st.expander("Bring the file", icon=":material/upload_file:"):
            _take_file(section, (), section.file)


def section_of(run: Run) -> dict[str, Any]:
    """The settings of the page that belong to a run: the section it computes."""
    parts = run.settings.get("parts", ())
    fits = (name for name, section in SECTIONS.items() if set(section.parts) & set(parts))
    return {"show": next(fits, "tables")}


def _bring_dataset(section: Section) -> None:
    with st.expander("Data sets 2 and 4: bring the CSV", icon=":material/upload_file:"):
        number = st.segmented_control(
            "Data set", list(SOURCES), default=4, required=True, key="paper.bring"
        )
        st.caption(f"{DATASETS[number]}: download {SOURCES[number]}; it cannot be given away here.")
        _take_file(section, (number,), str(number))


def _take_file(section: Section, datasets: tuple[int, ...], name: str) -> None:
    """Recompute a section with a file of the visitor's, by the name that the section knows."""
    file = reading.uploader("CSV", UPLOAD_TYPES, key=f"paper.file_{name}")
    if file and st.button("Recompute with this file", key="paper.start_file"):
        kept = runs.store().save_upload(
            file.getvalue(), {"name": file.name, "kind": "paper"}, runs.owner()
        )
        _start(section, datasets, {name: kept})
        st.rerun()


def _start(section: Section, datasets: tuple[int, ...], csv: dict[str, str]) -> None:
    """Queue the recomputation and show it."""
    settings = {
        "parts": list(section.parts),
        "datasets": list(datasets),
        "csv": csv,
        "options": _options(section),
    }
    run_link.start(BOARD, "paper", settings, f"Paper: {section.title}")


def _options(section: Section) -> dict[str, Any]:
    """What the parts of a section can be told."""
    if "resnet" in section.parts:
        return {"source": BOARD["source"], "rows": BOARD["images"]}
    return {"seeds": BOARD["seeds"]} if {"mlp", "sweep"} & set(section.parts) else {}

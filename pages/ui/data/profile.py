"""What is known about a data set before any training, as a page shows it."""

import streamlit as st

from anyloss_core.data.dataset import Dataset
from anyloss_core.data.profile import TYPES
from pages.ui.base.text import literal, share
from pages.ui.charts.charts import show_table
from pages.ui.data import leaks

BALANCE = r"""**Imbalance** is the larger class over the smaller one, $n : 1$.

**Suspected leak**: a column that ranks the two classes with an AUC above 0.995 on its own.
It may be the answer in another form. It is marked, never dropped."""


def show(dataset: Dataset) -> None:
    """Figures, warnings and one line per column."""
    st.markdown(
        f"{literal(dataset.name)}: predict whether {literal(dataset.target)} is "
        f"{literal(dataset.positive)} (1) or {literal(dataset.negative)} (0)."
    )
    profile = dataset.profile()
    figures = {
        "Rows": f"{profile.rows:,}",
        "Features": f"{profile.features:,}",
        "Positive": share(profile.positive_share),
        "Imbalance": f"{profile.ratio:.1f} : 1",
        "Missing cells": share(profile.missing_share),
        "Repeated rows": f"{profile.duplicates:,}",
    }
    with st.container(horizontal=True, gap="medium"):
        for label, value in figures.items():
            st.metric(label, value, width="content")
    for warning in dataset.warnings:
        st.warning(literal(warning, 300), icon=":material/warning:")
    leaks.warn(profile.leaks)
    show_table(profile.table(), "data_profile", BALANCE, {"missing": "percent"})
    st.caption(TYPES)

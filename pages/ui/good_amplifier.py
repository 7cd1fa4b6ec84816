"""What is a good L, over many real tables: the answer with its figures, made beforehand."""

from __future__ import annotations

import streamlit as st

from anyloss_core import good_amplifier as study
from anyloss_core.figures.sweep import by_setting
from pages.ui.charts import show_figure
from pages.ui.comparison_controls import MODEL_NAMES
from pages.ui.plain_words import lead

HOW = r"""
Every L was trained for F1, G-mean and balanced accuracy on every table of the real suite: protocol
'fresh' with its own BCE warm-up, five folds, one start. On each table the settings are ranked by
their mean score on held-out rows (1 is best, ties share their places). **Will do**: the mean is
within 0.01 of the best on that table.
"""


def show() -> None:
    """The section at the end of the page L sweep."""
    found = study.load_study()
    if found is None:
        return
    st.subheader("What is a good L?")
    models = list(found["model"].unique())
    model = models[0]
    if len(models) > 1:
        model = st.segmented_control(
            "Model",
            models,
            default=model,
            required=True,
            format_func=MODEL_NAMES.get,
            key="good.model",
        )
    lead(study.answer(found, model))
    judged = study.judge(found, model)
    best = judged.loc[judged["rank"].idxmin()]
    left, right = st.columns(2, gap="large")
    with left:
        show_figure(
            by_setting(judged, "will_do", "share of tables on which it will do"),
            "good_will_do",
            alt="Share of the tables on which each L is within 0.01 of the best L.",
            table=judged,
            filename="good_L",
            formula=HOW,
        )
    with right:
        show_figure(
            by_setting(judged, "rank", "mean rank, lower is better"),
            "good_rank",
            alt=f"Mean rank of each L; the best is {best['setting']} for {best['metric']}.",
            table=judged,
            filename="good_L_rank",
            formula=HOW,
        )

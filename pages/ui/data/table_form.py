"""What was read of a table, and what is to be done with it: sheet, target, positive class, columns.

A file is read by another process, once for all reruns. Every column may be chosen as the target;
one that is no class gets a sentence that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from anyloss_core.data.target import minority
from pages.ui.base.text import in_markdown, literal, option
from pages.ui.charts.charts import readable
from pages.ui.data import leaks, reading

NO_CHOICES: Mapping[str, Any] = {}
Choices = dict[str, Any]  # member (the sheet), target, positive, drop


@dataclass(frozen=True)
class Table:
    """A file as its form needs it: just brought, or kept under an id."""

    id: str
    name: str
    content: Callable[[], bytes] | None = field(compare=False, default=None)
    path: str = ""  # of one that is kept

    def read(self, function: str, /, **more: Any) -> Any:
        """What a function of `data.apart` says of this file."""
        files = {"path": self.content()} if self.content is not None else {}
        kept = {"path": self.path} if self.path else {}
        return reading.read(f"anyloss_core.data.apart:{function}", files, **kept, **more)


def seen_of(table: Table, place: str, sheet: str | None = None) -> dict[str, Any]:
    """What the form shows of a file, read once for each of its sheets; DataError if it cannot."""
    key, wanted = f"{place}.seen", (table.id, sheet)
    kept = st.session_state.get(key)
    if kept is None or kept[0] != wanted:
        bar = st.progress(0.0, "Reading")
        try:
            seen = table.read(
                "look",
                name=table.name,
                sheet=sheet,
                on_progress=lambda share: bar.progress(share, "Reading"),
            )
        finally:
            bar.empty()
        kept = (wanted, seen)
        st.session_state[key] = kept
    return kept[1]


def show(table: Table, place: str, chosen: Mapping[str, Any] = NO_CHOICES) -> Choices | None:
    """The form, beginning with what was chosen before; None where nothing can be predicted."""
    sheet = st.session_state.get(f"{place}.sheet.{table.id}") or chosen.get("member")
    seen = seen_of(table, place, sheet)
    several = len(seen["sheets"]) > 1
    if several:
        first = seen["sheets"].index(seen["sheet"])
        key = f"{place}.sheet.{table.id}"
        st.selectbox("Sheet", seen["sheets"], first, format_func=option, key=key)
    if "fault" in seen:
        say(table.name, *seen["fault"])
        return None
    st.caption(f"{literal(table.name)}: {seen['rows']:,} rows, {len(seen['columns']):,} columns")
    for note in seen["notes"]:
        st.caption(in_markdown(note, 300))
    choices = _columns(seen, f"{place}.{table.id}" if chosen else place, chosen)
    st.dataframe(readable(seen["head"]), hide_index=True, key=f"{place}.preview")
    if choices is None:
        return None
    member = {"member": seen["sheet"]} if several else {}
    leaks.warn_of_table(table, member | choices)
    return member | choices


def obvious(seen: Mapping[str, Any]) -> Choices | None:
    """What would be chosen if nobody had to be asked: one sheet, a target of two classes, and
    nothing in the place of a target that cannot be one."""
    if len(seen["sheets"]) > 1 or "fault" in seen or seen["passed_over"]:
        return None
    target, classes = next(iter(seen["classes"].items()))
    if len(classes) != 2:
        return None
    return {"target": target, "positive": minority(classes), "drop": ()}


def say(*lines: str) -> None:
    """Why something cannot be used, and what to do."""
    words = "  \n".join(in_markdown(line, 300) for line in lines if line)
    st.error(words, icon=":material/error:")


def _columns(seen: Mapping[str, Any], place: str, chosen: Mapping[str, Any]) -> Choices | None:
    """Target, positive class and columns to leave out."""
    targets = [*seen["classes"], *seen["refused"]]
    before = chosen.get("target")
    target = st.selectbox(
        "Column to predict",
        targets,
        targets.index(before) if before in targets else 0,
        format_func=option,
        key=f"{place}.target",
    )
    if target in seen["refused"]:
        say(*seen["refused"][target])
        return None
    if seen["passed_over"]:  # whoever brought it may have meant this one
        reason = in_markdown(seen["refused"][seen["passed_over"]][0], 300)
        st.info(f"The last column is passed over. {reason}", icon=":material/info:")
    classes = seen["classes"][target]
    wanted = chosen.get("positive") if target == before else None
    positive = st.selectbox(
        "Positive class (1); every other value is 0",
        list(classes),
        index=list(classes).index(wanted if wanted in classes else minority(classes)),
        format_func=lambda name: f"{option(name)} ({classes[name]:,} rows)",
        key=f"{place}.positive.{target}",
    )
    others = [name for name in seen["columns"] if name != target]
    drop = st.multiselect(
        "Leave out",
        others,
        [name for name in chosen.get("drop", ()) if name in others],
        format_func=option,
        key=f"{place}.drop.{target}",
        placeholder="No column",
    )
    return {"target": target, "positive": positive, "drop": tuple(drop)}

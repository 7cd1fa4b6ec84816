"""The sidebar: the chosen data set, with its profile and the choice of another one click away."""

import streamlit as st

from pages.ui.base.errors import guarded, show_mistake
from pages.ui.base.state import hidden
from pages.ui.data import chosen


def sidebar(shown: bool = True) -> None:
    """Name, Change, Edit columns and Profile."""
    st.session_state.pop(chosen.SIDEBAR_NAME, None)  # that of the run before
    if not shown or "data" in hidden():
        return
    with st.sidebar, st.container(key="data_panel"):
        st.caption("Data set")
        chosen.show_name(st.empty())
        with st.container(horizontal=True, gap="small"):
            if st.button("Change", icon=":material/swap_horiz:", key="data.change"):
                _choose_dialog()
            edit_button("data.edit")
            if st.button("Profile", icon=":material/query_stats:", key="data.profile"):
                _profile_dialog()


def edit_button(key: str) -> None:
    """Choose the columns of an uploaded table anew: for who brought it, as it shows some rows."""
    own = chosen.upload_of(chosen.reference()) and chosen.may_show(chosen.reference())
    if own and st.button("Edit columns", icon=":material/edit:", key=key):
        _edit_dialog()


@st.dialog("Edit columns", width="large")
@guarded
def _edit_dialog() -> None:
    from pages.ui.data import uploads

    uploads.edit(chosen.upload_of(chosen.reference()), chosen.choose, "edit")


@st.dialog("Choose the data", width="large")
@guarded
def _choose_dialog() -> None:
    from pages.ui.data import sources

    sources.show(chosen.choose)


@st.dialog("Data profile", width="large")
@guarded
def _profile_dialog() -> None:
    from pages.ui.data import profile

    try:
        profile.show(chosen.open_dataset(chosen.reference()))
    except ValueError as mistake:
        show_mistake(mistake)

"""Home: what this is, a picture of it, a first run, and the runs that were made."""

import streamlit as st

st.title("AnyLoss Lab")

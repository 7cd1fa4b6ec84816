"""plotly.js of plotly's own wheel, for the browser: no network, no CDN, fetched once and kept.

It is a file of the server and not part of a page: 1.4 MB would be weighed at every click.
"""

import gzip
from functools import lru_cache

import plotly
import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.ui.charts.javascript import script

PATH = f"anyloss/plotly-{plotly.__version__}.js"  # below the page's own folder
HEADERS = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}


# With what else every page needs in the browser: the keys of rows of choices.
_loader = st.components.v2.component(
    "anyloss_load_plotly", js=script("choice_keys", "plotly_script")
)


def load_plotly() -> None:
    """Let the browser fetch plotly.js; the frame calls it once, outside of every fragment."""
    _loader(key="load_plotly", data=PATH, height=1)


def route() -> Route:
    """Where the server hands it out."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return Route(f"/{base}/{PATH}" if base else f"/{PATH}", _send)


def _send(request: Request) -> Response:
    return Response(_packed(), media_type="text/javascript", headers=HEADERS)


@lru_cache(maxsize=1)
def _packed() -> bytes:
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), compresslevel=6, mtime=0)  # 4.8 MB -> 1.4 MB

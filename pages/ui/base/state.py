"""Settings of a page live in the URL: a link opens the same experiment.

A page declares its settings once and draws its widgets through a `Board`. The board reads the
URL (validated and clamped, see `settings`), remembers the values while the session lasts, writes
back what differs from the default, and leaves out the controls that ?hide= names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui.base.settings import Number, Numbers, Setting, Several

HIDE = Several("hide", (), at_most=40)  # ?hide=L;seed leaves these controls out, in class
MEMORY = "boards"  # session_state: board -> values
DRAWN = "drawn"  # session_state: setting -> label of the controls that this run has drawn
WRITTEN = "urls"  # session_state: board -> the texts that the URL held after the last run
REPLACED = "replaced"  # session_state: board -> setting -> (text before the last change, when)
LAG_SECONDS = 3.0  # in which a browser may not have heard yet that the URL has changed


class Board:
    """The settings of one page (or of the frame), read from and written to the URL.

    The first argument of each widget method is the setting's name; the rest goes to streamlit.
    A `named` setting stands in the URL with its default, too, once it has been set: the browser's
    Back button leads to what the URL says.
    """

    def __init__(self, page: str, *settings: Setting, named: str = "") -> None:
        self.page = page
        self.settings = {setting.name: setting for setting in settings}
        self.named = named

    def open(self) -> Board:
        """Take over what the URL says; call it once, at the top of a page.

        Streamlit empties the URL on a change of page, so an empty URL resets a setting only where
        the browser went back to it.
        """
        sent = {name: st.query_params[name] for name in self.settings if name in st.query_params}
        back = went_back()
        found = sent if back else self._caught_up(sent)
        if sent == self._written():
            return self
        opened = found != self._written() and (sent or back or self.page not in _memory(MEMORY))
        if opened:
            self._adopt(found)
        for name in self.settings:
            self._save(name)
        if opened:
            self._replaced().clear()  # the browser knows what it has opened
        return self

    def __getitem__(self, name: str) -> Any:
        """The current value of a setting."""
        return self._values().get(name, self.settings[name].default)

    def set(self, name: str, value: Any) -> None:
        """Change a setting from code: in a callback, or before its widget is drawn."""
        self._values()[name] = value
        st.session_state[self.key(name)] = value
        self._save(name)

    def values(self) -> dict[str, Any]:
        """All settings by name."""
        return {name: self[name] for name in self.settings}

    def key(self, name: str) -> str:
        """The widget's key in session_state."""
        return f"{self.page}.{name}"

    def slider(self, name: str, label: str, **more: Any) -> Any:
        return self._widget(st.slider, "value", name, label, **(self._limits(name) | more))

    def number(self, name: str, label: str, **more: Any) -> Any:
        return self._widget(st.number_input, "value", name, label, **(self._limits(name) | more))

    def optional(self, name: str, label: str, usual: object, **more: Any) -> Any:
        """A number that is left to `usual` while its field is empty; the setting is 0 then."""
        key = self.key(name)
        if st.session_state.get(key, self[name]) == 0:
            st.session_state[key] = None
        return self.number(name, label, placeholder=f"{usual} (default)", **more) or 0

    def select(self, name: str, label: str, **more: Any) -> Any:
        return self._widget(st.selectbox, "index", name, label, **(self._choices(name) | more))

    def segments(self, name: str, label: str, **more: Any) -> Any:
        """A row of buttons of which one is always chosen."""
        more = {"required": True, "wrap": True, **self._choices(name), **more}
        return self._widget(st.segmented_control, "default", name, label, **more)

    def multiselect(self, name: str, label: str, **more: Any) -> Any:
        """A list with search, in which Enter takes the first match: nothing selects all."""
        more = {"max_selections": self.settings[name].at_most, **self._choices(name), **more}
        more = {"select_all": False, "wrap": True, **more}
        return self._widget(st.multiselect, "default", name, label, **more)

    def toggle(self, name: str, label: str, **more: Any) -> Any:
        return self._widget(st.toggle, "value", name, label, **more)

    def text(self, name: str, label: str, **more: Any) -> Any:
        return self._widget(st.text_input, "value", name, label, **more)

    def _limits(self, name: str) -> dict[str, Any]:
        setting = self.settings[name]
        kind = type(setting.default)
        return {"min_value": kind(setting.low), "max_value": kind(setting.high)}

    def _choices(self, name: str) -> dict[str, Any]:
        choices = getattr(self.settings[name], "choices", None)
        return {} if choices is None else {"options": choices}

    def _widget(self, draw: Callable, given: str, name: str, label: str, **more: Any) -> Any:
        """Draw one; `given` is what streamlit calls the value that it begins with."""
        if name in hidden():
            return self[name]
        note(name, label)
        key = self.key(name)
        lost = more.get("required") and st.session_state.get(key) is None
        if lost or key not in st.session_state:
            st.session_state[key] = _fitting(self[name], more)
        # The value is the widget's default, too: a browser that is still loading the code of a
        # widget misses the run that sets it, and would begin with a minimum or an empty list.
        more[given] = _fitting(st.session_state[key], more)
        if given == "index":
            more[given] = list(more["options"]).index(more[given])
        value = draw(label, key=key, **more)
        if value is None and more.get("required"):
            value = self[name]  # a browser drew it before it heard which one is chosen
        value = tuple(value) if isinstance(value, list) else value
        setting = self.settings[name]
        if isinstance(setting, Numbers) and value:
            value = setting.read(setting.write(value))  # typed text becomes numbers
        self._values()[name] = 0 if value is None and isinstance(setting, Number) else value
        self._save(name)
        return self[name]

    def _adopt(self, found: dict[str, str]) -> None:
        values = self._values()
        for name, setting in self.settings.items():
            values[name] = setting.read(found[name]) if name in found else setting.default
            st.session_state.pop(self.key(name), None)

    def _save(self, name: str) -> None:
        """Write one setting to the URL, if it differs from the default; leave the rest alone."""
        setting, value = self.settings[name], self[name]
        plain = value == setting.default and not (name == self.named and name in self._values())
        wanted = None if plain or value is None else setting.write(value)
        before = self._written().get(name)
        if wanted != before:
            self._replaced()[name] = (before, time.monotonic())
        if wanted is None:
            self._written().pop(name, None)
            if name in st.query_params:
                del st.query_params[name]
            return
        self._written()[name] = wanted
        if st.query_params.get(name) != wanted:
            st.query_params[name] = wanted

    def _caught_up(self, sent: dict[str, str]) -> dict[str, str]:
        """What the browser sent, with the changes that it has not heard of yet.

        Somebody who changes two settings in a moment sends the second with the URL of before the
        first: the first would be taken back.
        """
        found, now = dict(sent), time.monotonic()
        for name, (before, when) in self._replaced().items():
            if sent.get(name) == before and now - when < LAG_SECONDS:
                found.pop(name, None)
                if name in self._written():
                    found[name] = self._written()[name]
        return found

    def _replaced(self) -> dict[str, tuple[str | None, float]]:
        return _memory(REPLACED).setdefault(self.page, {})

    def _values(self) -> dict[str, Any]:
        return _memory(MEMORY).setdefault(self.page, {})

    def _written(self) -> dict[str, str]:
        return _memory(WRITTEN).setdefault(self.page, {})


def went_back() -> bool:
    """Whether this run answers the browser's Back or Forward button."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def hidden() -> frozenset[str]:
    """Names of the controls that ?hide= leaves out."""
    return frozenset(_memory(MEMORY).get("frame", {}).get("hide", ()))


def note(name: str, label: str) -> None:
    """Remember that this control was drawn."""
    _memory(DRAWN)[name] = label


def drawn() -> dict[str, str]:
    """Names and labels of the controls that were drawn since the last call."""
    found = dict(_memory(DRAWN))
    _memory(DRAWN).clear()
    return found


def _memory(name: str) -> dict:
    return st.session_state.setdefault(name, {})


def _fitting(value: Any, widget: dict[str, Any]) -> Any:
    """The value as the widget takes it: within its limits and among its options of this run."""
    if "options" in widget:
        options = list(widget["options"])
        if isinstance(value, tuple | list):
            return [entry for entry in value if entry in options]
        return value if value in options else next(iter(options), None)
    if "min_value" in widget and isinstance(value, (int, float)):
        return min(max(value, widget["min_value"]), widget["max_value"])
    return value

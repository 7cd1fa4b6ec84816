"""Text that somebody might put into a link, a name or a cell to do harm, and links made of it."""

from __future__ import annotations

import math
import string

from pages.ui.base.settings import Choice, Flag, Number, Numbers, Several, Text

SCRIPT = "<script>window.pwned=1</script>"
IMAGE = "<img src=x onerror=window.pwned=1>"
MARKDOWN = "**bold** _it_ [link](javascript:window.pwned=1) `code` # head"
LATEX = "$\\frac{1}{0}$ $$\\href{javascript:window.pwned=1}{x}$$"
DIRECTIVES = ":red[red] :material/home: :tada: :blue-background[x] :streamlit:"
RIGHT_TO_LEFT = "\u202egnp.exe\u2066 \u200b"
CONTROL = "bell\x07 esc\x1b[31m tab\t"
SPREADSHEET = "=HYPERLINK(1)"
NAMES = (SCRIPT, IMAGE, MARKDOWN, LATEX, DIRECTIVES, RIGHT_TO_LEFT, CONTROL, SPREADSHEET)

VALUES = (
    *NAMES, "", " ", "nan", "inf", "-inf", "1e999", "-1e999", "1e-999", "-0", "0x10", "1_000", "٣",
    "½", "9" * 5000, "-" * 300, "1;2;3", ";;;", ";" * 3000, "a;" * 500, "null", "None", "true",
    "{}", "[]", "[1, 2]", "' OR 1=1 --", "\"; DROP TABLE runs; --", "../../etc/passwd", "%00", "\0",
    "%2e%2e%2f", "file:/etc/passwd", "http://localhost:1/x", "__import__('os').system('id')",
    "{{7*7}}", "${7*7}", "%{x}", "%s%n", "TP/0", "TP ** 99", "anyloss:TP/(TP+FP)",
    "anyloss:f1@L=1e9", "anyloss:f1@L=5..73,warm_up=0.2", "bce+smote", "bce@lr=nan", "f1;gmean",
    "f9e9", "😀" * 40, "é" * 400, "x" * 2500, "0" * 32, "f" * 32, "A" * 32, "builtin:", "real:a/b",
)  # fmt: skip
DATA = (
    "builtin:none", "builtin:**x**", "synthetic:rows=1e99", "synthetic:rows=-1", "twin:999",
    "synthetic:rows=60,features=2,seed=nan", "upload:" + "0" * 32, "upload:../../x", "real:../x",
    "synthetic:rows=99999999,features=2000", "upload:" + "0" * 32 + "?target=" + SCRIPT, "twin:-1",
    "builtin:moons?target=x", "builtin:moons#../x", "synthetic:" + "rows=1," * 900, "file:/x",
)  # fmt: skip


def value_for(setting, chance, ids=()):
    """A random or hostile value for a setting: often near its limits, seldom allowed."""
    if ids and setting.name in ID_SETTINGS and chance.random() < 0.6:
        return ";".join(chance.choices(ids, k=3 if isinstance(setting, Several) else 1))
    if setting.name == "data":
        return chance.choice(DATA)
    roll = chance.random()
    if roll < 0.4:
        return str(chance.choice(_near(setting)))
    if roll < 0.8:
        return chance.choice(VALUES)
    letters = string.printable + "äß漢\u202e\u0000\u2028\U0001f600"
    return "".join(chance.choices(letters, k=chance.randrange(60)))


ID_SETTINGS = ("run", "fitted", "first", "second", "scores", "files")


def _near(setting):
    match setting:
        case Number() | Numbers():
            low, high = setting.low, setting.high
            edges = [low, high, low - 1, high + 1, high * 10, -high, low + 1e-9, (low + high) / 2]
            return [*edges, f"{low};{high};{high + 1}", f" {high} ", f"{high}x", 10**40]
        case Choice():
            return [*setting.choices, setting.choices[0].upper(), f"{setting.choices[-1]} "]
        case Flag():
            return ["1", "0", "yes", "TRUE", "2", "-1"]
        case Several():
            known = list(setting.choices or ("bce", "f1", "x"))
            return [";".join(known * 9), known[0] + ";" + SCRIPT, f"{known[0]}; ;{known[-1]}"]
    return ["TP", "bce", "f1", "16 8", "1 2 3 4 5 6 7 8 9", "0", "-5", "5..73", "5 73 5..73", "1,2"]


def allows(setting, value):
    """Whether a page may hold this value for a setting."""
    match setting:
        case Number():
            return math.isfinite(value) and setting.low <= value <= setting.high
        case Numbers():
            limits = all(setting.low <= one <= setting.high for one in value)
            return limits and len(value) <= max(setting.at_most, len(setting.default))
        case Flag():
            return isinstance(value, bool)
        case Choice():
            return value in setting.choices
        case Several():
            known = setting.choices is None or set(value) <= set(setting.choices)
            return known and len(value) <= max(setting.at_most, len(setting.default))
        case Text():
            return len(value) <= max(setting.longest, len(setting.default))
    raise AssertionError(f"a kind of setting that nobody attacks: {setting}")

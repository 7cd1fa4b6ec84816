"""Formulas written to do harm: each is refused at once, cheaply, and nothing of it is run."""

import sys
import time
import tracemalloc

import pytest

from anyloss_core.losses.formula import MAX_LENGTH, FormulaError, parse_formula
from anyloss_core.losses.scores import METRICS, get_score
from anyloss_core.losses.spelling import LONGEST, LossError, parse_loss

SECONDS = 0.1  # of computing; what other programs take of the machine is not the formula's
PEAK = 4_000_000  # bytes that a refusal may need beside the text itself
RUN = ("exec", "import", "open", "os.system", "os.exec", "subprocess.Popen", "marshal.loads")
MEGABYTE = 1_000_000

ATTACKS = {
    # reaching for Python
    "dunder of a count": "TP.__class__.__mro__[1].__subclasses__()",
    "dunder of a number": "(1).__class__ * TP",
    "dunder name": "__import__ + TP",
    "dunder call": "__import__('os').system('id') * TP",
    "builtins": "__builtins__ * TP",
    "globals": "globals()['TP']",
    "getattr": "getattr(TP, 'x')",
    "eval": "eval('TP')",
    "exec": "exec('import os') or TP",
    "open": "open('/etc/passwd').read() * TP",
    "breakpoint": "breakpoint() + TP",
    "exit": "exit() + TP",
    "lambda": "(lambda: TP)()",
    "lambda as default": "max(TP, key=lambda x: x)",
    "walrus": "(x := TP)",
    "comprehension": "sum([TP for _ in range(10**9)])",
    "generator": "max(TP for TP in TP)",
    "set comprehension": "{TP for TP in TN}",
    "dict": "{TP: TN}",
    "f-string": "f'{TP}'",
    "nested f-string": "f'{f\"{__import__(chr(111))}\"}'",
    "bytes": "b'TP'",
    "subscript": "TP[0]",
    "slice": "TP[::]",
    "starred": "max(*TP)",
    "keywords": "max(**TP)",
    "await": "await TP",
    "yield": "(yield TP)",
    "conditional": "TP if TP else TN",
    "comparison": "TP < TN < FP",
    "boolean": "TP and TN",
    "ellipsis": "... + TP",
    "none": "None + TP",
    "true": "True * TP",
    "matrix product": "TP @ TN",
    "shift": "TP << 60",
    "bits": "TP | TN ^ ~FP",
    "floor": "TP // TN % 3",
    "statement": "TP; import os",
    "assignment": "TP = 1",
    "decorator": "@TP",
    "comment": "TP # TN",
    "line continuation": "TP \\\n + TN",
    "type comment": "TP # type: ignore",
    "call of a count": "TP(TN)",
    "call of a number": "2(TP)",
    "call of a call": "sqrt(TP)(TN)",
    "method of a function": "sqrt.__call__(TP)",
    # too much of a good thing
    "huge power": "TP ** 999999999",
    "tower of powers": "9 ** 9 ** 9 ** 9 * TP",
    "power of a power": "(TP ** 8) ** 8",
    "hidden power": "TP ** (2 * 2 * 2 * 2)",
    "power of a count": "TP ** TP",
    "negative power": "TP ** -99",
    "overflow in a constant": "(1e308 * 10) * TP",
    "division by nothing": "TP * (1 / 0)",
    "root of less than nothing": "sqrt(-1) * TP",
    "a very long whole number": "9" * 990 + " * TP",
    "a whole number beyond int": "TP * 1" + "0" * 400,
    "deep brackets": "(" * 400 + "TP" + ")" * 400,
    "deep functions": "sqrt(" * 150 + "TP" + ")" * 150,
    "deep minus": "-" * 900 + "TP",
    "deep plus and minus": "+-" * 450 + "TP",
    "a long sum": "+".join(["TP"] * 300),
    "a long product": "*".join(["TP"] * 300),
    "many arguments": f"max({','.join(['TP'] * 300)})",
    "open brackets": "(" * 999,
    "closed brackets": ")" * 999,
    "commas": "max(" + "," * 900 + ")",
    "1 MB of letters": "a" * MEGABYTE,
    "1 MB of words": "a " * (MEGABYTE // 2),
    "1 MB of sums": "TP+" * (MEGABYTE // 3),
    "1 MB of brackets": "(" * MEGABYTE,
    "1 MB of digits": "f" + "9" * MEGABYTE,
    "1 MB of blanks": " " * MEGABYTE + "TP",
    "1 MB of nulls": "\0" * MEGABYTE,
    "1 MB of Cyrillic": "ТР" * (MEGABYTE // 2),
    # numbers that are none
    "nan": "nan * TP",
    "inf": "inf + TP",
    "infinity": "Infinity * TP",
    "float of a word": "float('nan') * TP",
    "too large a number": "1e999 * TP",
    "complex": "1j * TP",
    "hexadecimal": "0xFF * TP",
    "octal": "0o17 * TP",
    "binary": "0b11 * TP",
    "underscores": "f1_0",
    "F of nan": "fnan",
    "F of infinity": "f1e999",
    "F of a negative": "f-1",
    "F of nothing": "f0",
    # text that looks like something else
    "Cyrillic TP": "ТР / N",
    "full width TP": "ＴＰ / N",
    "mathematical TP": "𝐓𝐏 / N",
    "Arabic digit": "f٣",
    "superscript": "TP²",
    "Kelvin sign": "\u212aappa",
    "long s": "prec\u0131sion",
    "minus sign": "TP − TN",
    "division sign": "TP ÷ N",
    "no-break space": "TP\u00a0/ N",
    "zero width": "T\u200bP / N",
    "right to left": "TP\u202e / N",
    "null byte": "TP\0/ N",
    "escape": "TP\x1b[31m",
    "byte order mark": "\ufeffTP / N",
    "lone surrogate": "TP \ud800",
    "line separator": "TP\u2028/ N",
    "form feed": "TP\x0c/ N",
    "script": "<script>TP</script>",
    "markdown": "**TP** [x](y)",
    "latex": "$TP$",
    "sql": "TP'; DROP TABLE runs; --",
}

watching = False
heard: list[str] = []


def _listen(event, _):
    if watching and event.startswith(RUN):
        heard.append(event)


@pytest.fixture(scope="module", autouse=True)
def warm():
    """The first use of anything may import; hooks of the interpreter cannot be taken away."""
    sys.addaudithook(_listen)
    get_score("TP / (TP + FP)")
    for text in ("no_metric", "(", "TP ** 9", "2TP", "é"):
        _refusal(get_score, text)


def _refusal(read, text):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the type is what is looked at
        read(text)
    return caught.value


READERS = {
    "formula": parse_formula,
    "metric": get_score,
    "loss": lambda text: parse_loss(f"anyloss:{text}"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_cheaply_and_nothing_is_run(name, reader):
    global watching
    text, read = ATTACKS[name], READERS[reader]
    if reader == "metric":  # counting memory is slow, and all three end in the same parser
        tracemalloc.start()
    watching, began = True, time.thread_time()
    try:
        fault = _refusal(read, text)
        took = time.thread_time() - began
    finally:
        watching = False
        peak = tracemalloc.get_traced_memory()[1] if tracemalloc.is_tracing() else 0
        tracemalloc.stop()
    assert type(fault) in (FormulaError, LossError)
    assert not heard
    assert took < SECONDS
    assert peak < PEAK + 3 * len(text)
    assert len(str(fault)) < 3_000


def test_the_listener_would_hear_an_evaluation(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "watching", True)
    eval("1 + 1")
    assert "exec" in heard
    heard.clear()


@pytest.mark.parametrize("name", [name for name in ATTACKS if name.startswith("1 MB")])
@pytest.mark.parametrize("where", ["{}", "bce@{}", "bce@lr={}", "bce+{}", "anyloss:f1@L={}"])
def test_no_part_of_a_loss_may_be_endless(name, where):
    began = time.thread_time()
    fault = _refusal(parse_loss, where.format(ATTACKS[name]))
    assert time.thread_time() - began < SECONDS
    assert f"at most {LONGEST:,} fit" in str(fault)


def test_the_longest_formula_in_use_and_the_limit_leave_room_for_each_other():
    assert max(len(score.text) for score in METRICS.values()) < MAX_LENGTH / 5
    assert MAX_LENGTH < LONGEST


def test_what_is_accepted_is_cheap_too():
    for text in ("min(TP," * 38 + "TN" + ")" * 38, "sqrt(" * 38 + "TP" + ")" * 38, "-" * 39 + "TP"):
        began = time.thread_time()
        get_score(text)
        assert time.thread_time() - began < SECONDS

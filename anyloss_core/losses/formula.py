"""A typed formula in TP, TN, FP, FN becomes an expression tree, safely.

Text is checked character by character, parsed with `ast` and rebuilt from a whitelist; nothing is
ever evaluated as Python. What may stand in a formula: TP TN FP FN, N (all), P (positives), NEG
(negatives), numbers, + - * / ** ( ), sqrt abs log exp min max. How a tree is evaluated and
differentiated is left to `program`, what it means as a score to `scores`.
"""

import ast
import math
import re
from typing import NoReturn

from anyloss_core.losses.expression import FUNCTIONS, LEAVES, Node, call, leaf, number
from anyloss_core.losses.program import bare_value

MAX_LENGTH = 1_000  # characters; the longest metric in use (MCC) has about 60
MAX_DEPTH = 40  # nesting of the tree
MAX_POWER = 8.0  # |exponent|; counts of a million rows to the 8th still fit float64
MIN_NUMBER, MAX_NUMBER = 1e-30, 1e30  # |number| other than 0; float32 ends at 1e-38 and 3e38
_ALLOWED = re.compile(r"[A-Za-z0-9_.,+\-*/() \t\r\n]")
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
_ARITY = {"sqrt": (1, 1), "abs": (1, 1), "log": (1, 1), "exp": (1, 1), "min": (2, 8), "max": (2, 8)}


class FormulaError(ValueError):
    """A formula that cannot be used; `position` is an index into the text."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        self.reason, self.text, self.position = message, text, position
        super().__init__(f"{message}{_pointer(text, position)}")


def parse_formula(text: str) -> Node:
    """The expression tree of `text`, or a FormulaError that points at what to change."""
    if not isinstance(text, str):
        raise FormulaError(f"a formula must be text, got {type(text).__name__}")
    if not text.strip():
        raise FormulaError("the formula is empty; try TP / (TP + FP + FN)")
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"the formula has {len(text):,} characters; at most {MAX_LENGTH:,} fit")
    _check_characters(text)
    source = re.sub(r"[\t\r\n]", " ", text)
    offset = len(source) - len(source.lstrip())
    tree = _parse(source.strip(), text, offset)
    node = _Builder(text, offset).build(tree, 0)
    if not node.counts:
        raise FormulaError("a score must use at least one of TP, TN, FP, FN", text)
    return node


def _check_characters(text: str) -> None:
    for position, character in enumerate(text):
        if not _ALLOWED.match(character):
            hint = "; write ** for a power" if character == "^" else ""
            raise FormulaError(f"{character!r} cannot be used in a formula{hint}", text, position)


def _parse(source: str, text: str, offset: int) -> ast.expr:
    # "1if" and the like only warn in Python; here a name glued to a number is a mistake.
    glued = re.search(r"(?<![A-Za-z0-9_.])(?:\d+\.?\d*|\.\d+)(?![eE][+-]?\d)[A-Za-z_]", source)
    if glued:
        raise FormulaError("an operator is missing here", text, offset + glued.end() - 1)
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        # Python reports offset 0 when the text ends too early.
        position = offset + (error.offset - 1 if error.offset else len(source))
        raise FormulaError("this is not a complete formula", text, position) from None
    except (ValueError, RecursionError, MemoryError):
        raise FormulaError("the formula is nested too deeply", text) from None


class _Builder:
    """Rebuilds the tree node by node; everything not named here is refused."""

    def __init__(self, text: str, offset: int) -> None:
        self.text, self.offset = text, offset

    def build(self, tree: ast.expr, depth: int) -> Node:
        """The node of `tree`; a part without counts is worked out to a number at once."""
        node = self.convert(tree, depth)
        if node.counts or node.op == "number":
            return node
        value = float(bare_value(node))
        if not math.isfinite(value):
            self.refuse("this is no number", tree)
        return number(self.bounded(value, tree))

    def convert(self, tree: ast.expr, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self.refuse(f"the formula is nested deeper than {MAX_DEPTH} levels", tree)
        match tree:
            case ast.Constant():
                return number(self.constant(tree))
            case ast.Name():
                return self.count(tree)
            case ast.UnaryOp(op=ast.UAdd()):
                return self.build(tree.operand, depth + 1)
            case ast.UnaryOp(op=ast.USub()):
                return call("neg", self.build(tree.operand, depth + 1))
            case ast.BinOp() if type(tree.op) in _OPERATORS:
                return self.binary(tree, depth)
            case ast.Call():
                return self.function(tree, depth)
        self.refuse("only + - * / ** and brackets can join the counts", tree)

    def constant(self, tree: ast.Constant) -> float:
        if isinstance(tree.value, bool) or not isinstance(tree.value, int | float):
            self.refuse("only plain numbers can be used", tree)
        try:
            return self.bounded(float(tree.value), tree)
        except OverflowError:
            return self.bounded(math.inf, tree)

    def bounded(self, value: float, tree: ast.expr) -> float:
        """A number whose product with counts can be held in float32, too."""
        if value and not MIN_NUMBER <= abs(value) <= MAX_NUMBER:
            start, end = tree.col_offset, tree.end_col_offset or len(self.text)
            written = self.text[self.offset :][start:end][:40]
            size = "large" if abs(value) > 1 else "small"
            limits = f"a number between {MIN_NUMBER:g} and {MAX_NUMBER:g}"
            self.refuse(f"{written} is too {size}; use 0, or {limits}", tree)
        return value

    def count(self, tree: ast.Name) -> Node:
        name = tree.id.upper()
        if name not in LEAVES:
            if name.lower() in FUNCTIONS:
                self.refuse(f"{tree.id} needs brackets: {tree.id}(...)", tree)
            self.refuse(f"{tree.id!r} is unknown; use {', '.join(LEAVES)}", tree)
        return leaf(name)

    def binary(self, tree: ast.BinOp, depth: int) -> Node:
        left, right = self.build(tree.left, depth + 1), self.build(tree.right, depth + 1)
        operator = _OPERATORS[type(tree.op)]
        if operator == "**" and (right.counts or _power(left) * abs(right.constant) > MAX_POWER):
            limit = f"between -{MAX_POWER:g} and {MAX_POWER:g}"
            self.refuse(f"a power must be a number {limit}", tree.right)
        return call(operator, left, right)

    def function(self, tree: ast.Call, depth: int) -> Node:
        name = tree.func.id.lower() if isinstance(tree.func, ast.Name) else ""
        if name not in FUNCTIONS:
            self.refuse(f"only {', '.join(FUNCTIONS)} can be called", tree.func)
        low, high = _ARITY[name]
        if tree.keywords or not low <= len(tree.args) <= high:
            wanted = "one value" if high == 1 else f"{low} to {high} values"
            self.refuse(f"{name} takes {wanted}", tree)
        node, *others = [self.build(argument, depth + 1) for argument in tree.args]
        if high == 1:
            return call(name, node)
        for other in others:
            node = call(name, node, other)
        return node

    def refuse(self, message: str, tree: ast.expr) -> NoReturn:
        raise FormulaError(message, self.text, self.offset + getattr(tree, "col_offset", 0))


def _power(node: Node) -> float:
    """The largest power inside an expression: a power of a power is their product."""
    inner = max(map(_power, node.children), default=1.0)
    return inner * max(abs(node.children[1].constant), 1.0) if node.op == "**" else inner


def _pointer(text: str, position: int) -> str:
    """The text around a position and a caret under it, short enough for a message."""
    if not text:
        return ""
    start = max(position - 30, 0)
    shown = re.sub(r"\s", " ", text[start : position + 30])
    return f"\n  {shown}\n  {' ' * (position - start)}^"

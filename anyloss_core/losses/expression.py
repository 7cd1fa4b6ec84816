"""Expression trees over the four counts: what a formula becomes once it is read.

How a tree is evaluated and differentiated is left to `program`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

LEAVES = ("TP", "TN", "FP", "FN", "N", "P", "NEG")
FUNCTIONS = ("sqrt", "abs", "log", "exp", "min", "max")
PARTS = {  # which counts a leaf sums up
    "TP": ("tp",),
    "TN": ("tn",),
    "FP": ("fp",),
    "FN": ("fn",),
    "P": ("tp", "fn"),
    "NEG": ("tn", "fp"),
    "N": ("tn", "fn", "fp", "tp"),
}


@dataclass(frozen=True)
class Node:
    """One operation on other nodes; `op` is a leaf's name, 'number', an operator or a function."""

    op: str
    children: tuple[Node, ...] = ()
    constant: float = 0.0

    @cached_property
    def counts(self) -> frozenset[str]:
        """The counts this expression depends on."""
        own = PARTS.get(self.op, ())
        return frozenset(own).union(*(child.counts for child in self.children))

    @cached_property
    def shape(self) -> str:
        """The expression with its constants left out: equal shapes can share one program."""
        inner = ",".join(child.shape for child in self.children)
        return f"{self.op}({inner})" if inner else self.op

    @cached_property
    def constants(self) -> tuple[float, ...]:
        own = (self.constant,) if self.op == "number" else ()
        return own + tuple(c for child in self.children for c in child.constants)


def number(value: float) -> Node:
    return Node("number", constant=float(value))


def leaf(name: str) -> Node:
    return Node(name)


def call(op: str, *children: Node) -> Node:
    return Node(op, children)

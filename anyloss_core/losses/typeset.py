"""An expression as LaTeX, for pages and reports that show a score's formula as maths."""

from anyloss_core.losses.expression import Node

_STRENGTH = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 5, "**": 4}
_NAMES = {"N": "N", "P": "P", "NEG": "N_{-}"}


def latex(node: Node) -> str:
    """LaTeX of the expression; a division becomes a fraction, so few brackets are needed."""
    if node.op == "number":
        return f"{node.constant:g}"
    if not node.children:
        return _NAMES.get(node.op, rf"\mathrm{{{node.op}}}")
    inner = [latex(child) for child in node.children]
    match node.op:
        case "/":
            return rf"\frac{{{inner[0]}}}{{{inner[1]}}}"
        case "**":
            return f"{_bracketed(node.children[0], inner[0], 5)}^{{{inner[1]}}}"
        case "sqrt":
            return rf"\sqrt{{{inner[0]}}}"
        case "abs":
            return rf"\left|{inner[0]}\right|"
        case "neg":
            return f"-{_bracketed(node.children[0], inner[0], 2)}"
        case "*":
            parts = [_bracketed(c, t, 3) for c, t in zip(node.children, inner, strict=True)]
            return r" \cdot ".join(parts)
        case "+":
            return " + ".join(inner)
        case "-":
            return f"{inner[0]} - {_bracketed(node.children[1], inner[1], 2)}"
    return rf"\{node.op}\left({', '.join(inner)}\right)"


def _bracketed(node: Node, text: str, needed: int) -> str:
    weak = _STRENGTH.get(node.op, 6) < needed or (node.op == "number" and node.constant < 0)
    return rf"\left({text}\right)" if weak else text

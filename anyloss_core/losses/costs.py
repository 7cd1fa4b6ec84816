"""A cost, or a gain in any unit, as a score from 0 to 1 that rises as predictions improve.

A formula such as 5*FN + FP counts what mistakes cost. Trained as it is, it would be made larger;
as a score it is (value - worst) / (best - worst), where at best all rows are right (FN = FP = 0)
and at worst all are wrong (TP = TN = 0). That holds for every formula that moves one way only.
"""

from collections.abc import Mapping

from anyloss_core.losses.expression import Node, call, leaf, number
from anyloss_core.losses.formula import parse_formula
from anyloss_core.losses.program import bare_value
from anyloss_core.losses.scores import FormulaReport, get_score, split_name

_NOTHING, _ONE = number(0.0), number(1.0)
_CLOSE = 1e-9  # rounding of a range
BEST = {"FN": _NOTHING, "FP": _NOTHING, "TP": leaf("P"), "TN": leaf("NEG")}
WORST = {"FN": leaf("P"), "FP": leaf("NEG"), "TP": _NOTHING, "TN": _NOTHING}
_STRENGTH = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 3, "**": 4}


def as_score(text: str) -> str | None:
    """The formula of a score for that of a cost or a gain, its name kept.

    None for what needs no such change (a score from 0 or -1 to 1 that rises) or allows none: it
    rises and falls, or does not move at all.
    """
    own, formula = split_name(text)
    report = get_score(formula).report
    if not report.is_cost and report.low >= -1 - _CLOSE and report.high <= 1 + _CLOSE:
        return None
    tree = parse_formula(get_score(formula).text)
    found = written(_scaled(tree, report))
    if not _is_good(found):
        return None
    return f"{own}: {found}" if own else found


def _scaled(tree: Node, report: FormulaReport) -> Node:
    best, worst = _at(tree, BEST), _at(tree, WORST)
    if not report.is_cost:
        return _join("/", _join("-", tree, worst), _join("-", best, worst))
    if report.low >= -_CLOSE and report.high <= 1 + _CLOSE:
        return _join("-", _ONE, tree)
    if best == _NOTHING:
        return _join("-", _ONE, _join("/", tree, worst))
    return _join("/", _join("-", worst, tree), _join("-", worst, best))


def written(node: Node) -> str:
    """The formula of a tree, as a person would type it."""
    if node.op == "number":
        return f"{node.constant:.12g}"
    if not node.children:
        return node.op
    if node.op == "neg":
        return f"-{_bracketed(node.children[0], 3)}"
    if node.op in _STRENGTH:
        own = _STRENGTH[node.op]
        left, right = node.children
        after = own + (node.op in "-/")  # a - (b + c), a / (b * c)
        return f"{_bracketed(left, own + (node.op == '**'))} {node.op} {_bracketed(right, after)}"
    return f"{node.op}({', '.join(map(written, node.children))})"


def _bracketed(node: Node, needed: int) -> str:
    weak = _STRENGTH.get(node.op, 9) < needed or (node.op == "number" and node.constant < 0)
    return f"({written(node)})" if weak else written(node)


def _at(node: Node, exchanged: Mapping[str, Node]) -> Node:
    """The tree with some counts exchanged, and tidied."""
    if not node.children:
        return exchanged.get(node.op, node)
    return _join(node.op, *(_at(child, exchanged) for child in node.children))


def _join(op: str, *inputs: Node) -> Node:
    """An operation on trees, without what a 0 or a 1 makes needless."""
    left, right = inputs[0], inputs[-1]
    if not any(node.counts for node in inputs):
        return number(float(bare_value(call(op, *inputs))))
    match op:
        case "neg" if left.op == "neg":
            return left.children[0]
        case "+" | "-" if right == _NOTHING:
            return left
        case "+" if left == _NOTHING:
            return right
        case "-" if left == _NOTHING:
            return _join("neg", right)
        case "+" | "-" if right.op == "neg":
            return _join("-" if op == "+" else "+", left, right.children[0])
        case "-" if left == right:
            return _NOTHING
        case "*" | "/" if left == _NOTHING:
            return _NOTHING
        case "*" if right == _NOTHING:
            return _NOTHING
        case "*" | "/" if right == _ONE:
            return left
        case "/" if left == right:
            return _ONE
    return call(op, *inputs)


def _is_good(text: str) -> bool:
    """Whether a formula is a score from 0 to 1 that rises, and does not fall."""
    try:
        report = get_score(text).report
    except ValueError:  # it divides by what may be 0
        return False
    falls = any("can fall" in warning for warning in report.warnings)
    spans = abs(report.low) <= _CLOSE and abs(report.high - 1) <= _CLOSE
    return spans and not falls

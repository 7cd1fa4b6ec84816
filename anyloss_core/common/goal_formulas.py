"""The formulas of goals as text: what a cost and a floor are trained and judged by, and back.

A cost is money as a share of what finding every positive is worth: between a model that raises no
alarm and a perfect one it moves by exactly 1, whatever the currency, so that a rope of 0.01 is one
percent of all there is to gain. A floor is the metric that is wanted, less `PENALTY` points for
each point that is missing at the other one; from the floor on it is the metric itself.
"""

import re

PENALTY = 5  # points of the wanted metric that a missing point below the floor costs
RATES = {  # of which one is wanted while another is held
    "precision": "TP / (TP + FP)",
    "recall": "TP / P",
    "specificity": "TN / NEG",
    "npv": "TN / (TN + FN)",
}
_NUMBER = r"(\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
_COST = re.compile(rf"\({_NUMBER} \* TP - {_NUMBER} \* FN - {_NUMBER} \* FP\) / \({_NUMBER} \* P\)")
_FLOOR = re.compile(rf"(.+) - {PENALTY} \* max\({_NUMBER} - (.+), 0\)")


def cost_formula(miss: float, alarm: float, hit: float) -> str:
    """Money per case: a missed positive, a false alarm, a positive that is found."""
    parts = f"{hit:.12g} * TP - {miss:.12g} * FN - {alarm:.12g} * FP"
    return f"({parts}) / ({miss + hit:.12g} * P)"


def floor_formula(wanted: str, held: str, floor: float) -> str:
    """One rate while another is at least `floor`."""
    return f"{RATES[wanted]} - {PENALTY} * max({floor:.12g} - {RATES[held]}, 0)"


def read_cost(formula: str) -> tuple[float, float, float] | None:
    """Inverse of `cost_formula`: miss, alarm, hit; None for any other formula."""
    found = _COST.fullmatch(formula)
    if found is None:
        return None
    hit, miss, alarm, _ = map(float, found.groups())
    return (miss, alarm, hit) if cost_formula(miss, alarm, hit) == formula else None


def read_floor(formula: str) -> tuple[str, str, float] | None:
    """Inverse of `floor_formula`: wanted, held, floor; None for any other formula."""
    found = _FLOOR.fullmatch(formula)
    names = {text: name for name, text in RATES.items()}
    if found is None or not {found[1], found[3]} <= set(names):
        return None
    return names[found[1]], names[found[3]], float(found[2])

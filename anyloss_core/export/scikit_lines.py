"""A model of a comparison as about ten lines of scikit-learn, its recipe and threshold in them.

The lines read the table, prepare it as the comparison does (gaps, levels, dates), train
`AnyLossClassifier` as most folds did, and report what it finds under cross-validation. Values from
outside are written by `repr`, and none of them into a comment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anyloss_core.comparison.protocols import FRESH, plan_for
from anyloss_core.data.dataset import Dataset
from anyloss_core.losses.spelling import LossSpec, parse_loss

INSTALL = "# pip install .  (in the folder of AnyLoss Lab; it brings scikit-learn along)"
SAMPLERS = {
    "smote": ("from imblearn.over_sampling import SMOTE", "SMOTE(random_state=0)"),
    "undersample": (
        "from imblearn.under_sampling import RandomUnderSampler",
        "RandomUnderSampler(random_state=0)",
    ),
}
CATEGORIES = (
    'OneHotEncoder(min_frequency=0.01, handle_unknown="infrequent_if_exist", sparse_output=False)'
)
DATES = """\
def parts(days):  # year, month, day and weekday of every date
    names = ("year", "month", "day", "day_of_week")
    return np.column_stack([getattr(days[c].dt, name) for c in days for name in names])
"""


def scikit_lines(
    loading: str,
    dataset: Dataset,
    settings: Mapping[str, Any],
    loss: str,
    metric: str,
    threshold: float | None = None,
) -> str:
    """The lines for a loss of a comparison whose `settings` tell what it was trained with.

    `loading` are the lines that give `dataset`; a `threshold` of None is that of the loss.
    """
    spec = parse_loss(loss)
    classifier = _classifier(spec, settings, metric, dataset.rows)
    if threshold is not None:
        classifier = f"FixedThresholdClassifier({classifier}, threshold={float(threshold):.6g})"
    sampler = SAMPLERS.get(spec.method or "")
    prepare = _preparation(dataset)
    steps = [*(["prepare"] if prepare else []), *([sampler[1]] if sampler else []), classifier]
    imports = [*_imports(prepare, threshold, len(steps) > 1), *([sampler[0]] if sampler else [])]
    if sampler:
        imports = [line.replace("sklearn.pipeline", "imblearn.pipeline") for line in imports]
    parts = [
        INSTALL,
        *sorted(imports),
        "",
        *([DATES] if "parts" in prepare else []),
        loading.strip(),
        *([prepare] if prepare else []),
        f"model = make_pipeline({', '.join(steps)})" if len(steps) > 1 else f"model = {classifier}",
        "model.fit(dataset.frame, dataset.labels)  # model.predict(rows): 1 is the positive class",
        "found = cross_val_predict(model, dataset.frame, dataset.labels, cv=10)",
        "print(classification_report(dataset.labels, found))",
    ]
    return "\n".join(parts) + "\n"


def _classifier(spec: LossSpec, settings: Mapping[str, Any], metric: str, rows: int) -> str:
    """`al.AnyLossClassifier(...)` with what is not the default for so many rows."""
    trained = settings.get("trained", {}).get(spec.spelling, {})
    usual = plan_for(FRESH, "mlp" if settings.get("hidden") else "slp", rows)
    values = {
        "metric": spec.score.name if spec.score else metric,
        **_recipe(spec, trained),
        "hidden": tuple(settings.get("hidden") or ()) or None,
        "epochs": _unless(settings.get("epochs"), usual.epochs),
        "lr": None if spec.lr else _unless(trained.get("lr"), usual.lr),
        "schedule": None if spec.schedule else _unless(trained.get("schedule"), usual.schedule),
        "batch_size": _unless(trained.get("batch"), usual.batch),
        "optimizer": _unless(settings.get("optimiser"), usual.optimiser.name),
        "random_state": 0,
    }
    given = (f"{name}={value!r}" for name, value in values.items() if value is not None)
    return f"al.AnyLossClassifier({', '.join(given)})"


def _recipe(spec: LossSpec, trained: Mapping[str, Any]) -> dict[str, Any]:
    """Loss, L and warm-up as most folds took them."""
    taken = next(iter(trained.get("recipes", {})), "")
    if spec.family == "anyloss" and not spec.spelled:
        L = trained.get("L")
        number = None if L is None else L if ".." in str(L) else float(L)
        return {"L": number, "warm_up": trained.get("warm_up")}
    if spec.method == "search":
        return {"loss": taken or "bce"}
    if spec.method:
        options = spec.spelling.partition("@")[2] if spec.method in SAMPLERS else ""
        return {"loss": "bce" + (f"@{options}" if options else "")}
    if spec.score is not None and not spec.spelled and taken:
        return {"loss": f"{spec.name}@{taken}"}
    return {"loss": spec.spelling}


def _unless(value: Any, usual: Any) -> Any:
    return None if value == usual else value


def _preparation(dataset: Dataset) -> str:
    """The line that makes numbers of gaps, levels and dates; '' where there are none of them."""
    columns = dataset.used_columns
    steps = []
    if any(column.levels for column in columns):
        steps.append(f'({CATEGORIES}, make_column_selector(dtype_include="category"))')
    if any(column.kind == "date" for column in columns):
        made = 'make_pipeline(FunctionTransformer(parts), SimpleImputer(strategy="median"))'
        steps.append(f'({made}, make_column_selector(dtype_include="datetime"))')
    numbers = [column for column in columns if not column.levels and column.kind != "date"]
    if not steps and not any(column.missing_share for column in numbers):
        return ""
    filled = 'SimpleImputer(strategy="median")'
    if not steps:
        return f"prepare = {filled}"
    inside = "".join(f"    {step},\n" for step in (*steps, f"remainder={filled}"))
    return f"prepare = make_column_transformer(\n{inside})"


def _imports(prepare: str, threshold: float | None, several: bool) -> list[str]:
    """The imports that the lines need."""
    needed = {
        "import anyloss_core as al": True,
        "import numpy as np": "parts" in prepare,
        "from sklearn.compose import make_column_selector, make_column_transformer": (
            "make_column" in prepare
        ),
        "from sklearn.impute import SimpleImputer": "SimpleImputer" in prepare,
        "from sklearn.metrics import classification_report": True,
        "from sklearn.model_selection import cross_val_predict": threshold is None,
        "from sklearn.model_selection import FixedThresholdClassifier, cross_val_predict": (
            threshold is not None
        ),
        "from sklearn.pipeline import make_pipeline": several or "make_pipeline" in prepare,
        "from sklearn.preprocessing import FunctionTransformer, OneHotEncoder": "parts" in prepare,
        "from sklearn.preprocessing import OneHotEncoder": (
            "OneHot" in prepare and "parts" not in prepare
        ),
    }
    return [line for line, wanted in needed.items() if wanted]

"""A result as a script: complete, runnable, and printing the same scores.

The script loads the data, compares with the same settings and seed, and prints the sentence and
the table of the page. `model_lines` are the short form: one of its models in scikit-learn. Every
value from outside is written by `repr`, so that a file name or a column name can never become code.
"""

from collections.abc import Mapping
from typing import Any

from anyloss_core.comparison.settings import ComparisonSettings
from anyloss_core.data.dataset import Dataset
from anyloss_core.data.suites.references import Reference, parse_reference
from anyloss_core.export.scikit_lines import scikit_lines

AL = "import anyloss_core as al\n"
DEFAULTS = ComparisonSettings().to_dict()
ALWAYS = ("losses", "model", "protocol", "folds", "seed")  # named even where they are the default
SCRIPT = '''\
"""Compare losses by cross-validation.

Made by AnyLoss Lab. Run it where the package anyloss_core can be imported; it prints the scores
that the page shows.
"""

import anyloss_core as al
{imports}
{data}
comparison = al.compare(
    dataset,
{settings}
)
print(headline(comparison.scores, dataset.name, comparison.settings))
print(comparison.summary().T.round(4).to_string())
'''


def comparison_script(
    data: str | dict, settings: Mapping[str, Any], file: str | None = None
) -> str:
    """The script of a comparison of `data` (a reference) with these settings.

    `file` is what the user calls an uploaded table.
    """
    loading, imports = _loading(parse_reference(data), file)
    imports.append("from anyloss_core.statistics.verdict_sentence import headline")
    arguments = _arguments(ComparisonSettings.among(settings))
    return SCRIPT.format(
        imports="\n".join(sorted(imports)),
        data=loading,
        settings="\n".join(f"    {line}," for line in arguments),
    )


def model_lines(
    data: str | dict,
    dataset: Dataset,
    settings: Mapping[str, Any],
    loss: str,
    metric: str,
    threshold: float | None = None,
    file: str | None = None,
) -> str:
    """One loss of a comparison of `data` in about ten lines of scikit-learn."""
    loading, imports = _loading(parse_reference(data), file)
    lines = scikit_lines(loading, dataset, settings, loss, metric, threshold)
    if not imports:
        return lines
    return lines.replace(AL, f"{AL}{imports[0]}\n", 1)


def _loading(reference: Reference, file: str | None) -> tuple[str, list[str]]:
    """The lines that load the data, and the imports that they need."""
    if reference.kind not in ("upload", "file"):
        line = f"dataset = open_reference({str(reference)!r})"
        return f"\n{line}", ["from anyloss_core.data.suites.references import open_reference"]
    name = reference.what if reference.kind == "file" else (file or "your_file.csv")
    where = f"\nFILE = {name!r}  # where your table lies"
    if reference.paper:
        line = f"dataset = paper_dataset({reference.paper}, FILE)"
        return f"{where}\n{line}", ["from anyloss_core.data.suites.paper_data import paper_dataset"]
    if reference.member is not None:
        line = f"dataset = load_member(FILE, {reference.member!r}{_choices(reference)})"
        return f"{where}\n{line}", ["from anyloss_core.data.suites.entries import load_member"]
    return f"{where}\ndataset = al.load_csv(FILE{_choices(reference)})", []


def _choices(reference: Reference) -> str:
    given = {name: value for name, value in reference.choices.items() if value}
    return "".join(f", {name}={value!r}" for name, value in given.items())


def _arguments(settings: ComparisonSettings) -> list[str]:
    """The settings that are not the default, and those that a reader looks for."""
    return [
        f"{name}={value!r}"
        for name, value in settings.to_dict().items()
        if name in ALWAYS or value != DEFAULTS[name]
    ]

"""Which L may be used? The valid range per accuracy level t, in any floating-point format.

Below the minimum, A pulls a probability t towards 0.5 instead of away from it; above the maximum,
A(1 - t) written as 1 / (1 + exp(-u)) rounds to exactly 1 and the sample stops learning. float64
gives Table 1 of the paper. The losses of this package use a form that does not saturate.
"""

import argparse

from anyloss_core.cli.console import number_list, output_file, print_table, write_json

SUMMARY = "which L may be used in float64, float32, float16, bfloat16?"
EXAMPLES = """\
examples:
  valid-range
  valid-range --dtype float32
  valid-range --dtype bfloat16 --t 0.1,0.01 --json -
"""
LEVELS = tuple(float(f"1e-{digits}") for digits in range(1, 17))
VERDICTS = {True: "no L is valid", False: "valid"}  # by whether the range is empty


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `valid-range`."""
    parser.add_argument(
        "--dtype", default="float64", help="float64, float32, float16 or bfloat16; %(default)s"
    )
    parser.add_argument("--t", help="accuracy levels: 0.1,0.01; default: 0.1 to 1e-16")
    parser.add_argument(
        "--json", type=output_file, metavar="OUT", help="unrounded, as JSON; - for standard output"
    )


def run(chosen: argparse.Namespace) -> None:
    """One row per accuracy level."""
    import pandas as pd

    from anyloss_core.losses.approximation import valid_range

    levels = LEVELS
    if chosen.t is not None:
        levels = number_list(chosen.t, "--t", "numbers such as 0.1,0.01")
    found = {t: valid_range(t, chosen.dtype) for t in levels}
    if chosen.json:
        rows = [
            {"t": t, "minimum": span.minimum, "maximum": span.maximum, "empty": span.empty}
            for t, span in found.items()
        ]
        write_json({"dtype": chosen.dtype, "levels": rows}, chosen.json)
    if chosen.json != "-":
        shown = [
            (f"{t:g}", *(f"{edge:.2f}" for edge in span.as_published()), VERDICTS[span.empty])
            for t, span in found.items()
        ]
        print_table(pd.DataFrame(shown, columns=["t", "L from", "L up to", chosen.dtype]))

"""Is one loss better than another across data sets? The Bayesian sign test.

SCORES.csv is tidy: dataset,loss,metric,score; rows told apart by fold, seed, repeat or run are
averaged. Each data set votes: better, worse, or within the rope (a draw): wins, ties and losses.
The probabilities say which of the three has the largest share of all such data sets; a sure draw
may go with a quarter of them lost.
"""

import argparse

from anyloss_core.cli.console import number_list, output_file, print_table, write_json

SUMMARY = "is the difference real, across data sets?"
EXAMPLES = """\
examples:
  sign-test scores.csv --baseline bce --rope 0.01,0.05
  sign-test scores.csv --baseline bce --metric f1 --json -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `sign-test`."""
    parser.add_argument("scores", metavar="SCORES.csv", help="dataset,loss,metric,score")
    parser.add_argument("--baseline", default="bce", help="default: %(default)s")
    parser.add_argument("--rope", default="0.01", help="one or more: 0.01,0.05")
    parser.add_argument("--metric", help="only this metric; default: every one")
    parser.add_argument(
        "--json", type=output_file, metavar="OUT", help="verdicts as JSON; - for standard output"
    )


def run(chosen: argparse.Namespace) -> None:
    """Read, test, print."""
    import pandas as pd

    from anyloss_core.statistics.bayes import sign_test
    from anyloss_core.statistics.score_table import read_scores
    from anyloss_core.statistics.verdicts import verdict_table

    ropes = number_list(chosen.rope, "--rope", "numbers such as 0.01,0.05")
    scores = read_scores(chosen.scores)
    if chosen.metric:
        scores = scores[scores["metric"] == chosen.metric]
    tables = [verdict_table(sign_test(scores, rope, chosen.baseline)) for rope in ropes]
    table = pd.concat(tables, ignore_index=True)
    if chosen.json:
        write_json({"verdicts": table.to_dict("records")}, chosen.json)
    if chosen.json != "-":
        shown = ["metric", "candidate", "baseline", "rope", "candidate_wins", "draw"]
        shown += ["baseline_wins", "wins", "ties", "losses", "difference", "n_datasets"]
        print_table(table[shown].round(4))
        print(
            "\nprobabilities that an outcome has the largest share of all such data sets, and how "
            "many were won, tied and lost here;\n"
            f"Monte-Carlo error at most {table['error'].max():.4f}"
        )

"""A folder of small tables, some good and one bad, for the tests of the benchmark."""

from tests.support.generated import synthetic

TABLES = 6
BAD = "all_the_same.csv"
QUICK = {"losses": ("bce", "anyloss:f1"), "folds": 3, "epochs": 20}


def write_suite(folder, tables=TABLES, bad=True):
    """t0.csv, t1.csv ... with growing imbalance, and one table that nobody can learn from."""
    folder.mkdir()
    for number in range(tables):
        data = synthetic(rows=150 + 30 * number, features=3, imbalance=2.0 + number, seed=number)
        (folder / f"t{number}.csv").write_bytes(data.to_csv())
    if bad:
        (folder / BAD).write_text("x,y\n1,1\n2,1\n3,1\n")
    return folder

"""`valid-range` gives Table 1 of the paper, and the formats that it lacks."""

import json

import anyloss_core as al
from anyloss_core.cli import main


def test_valid_range_gives_table_1_and_what_the_paper_lacks(capsys):
    main(["valid-range", "--json", "-"])
    levels = {row["t"]: row for row in json.loads(capsys.readouterr().out)["levels"]}
    assert (levels[0.1]["minimum"], levels[0.1]["maximum"]) == al.valid_range(0.1)
    main(["valid-range", "--dtype", "float32"])
    printed = capsys.readouterr().out
    assert "41.58" in printed  # the maximum at t = 0.1
    assert "33.27" in printed
    assert "no L is valid" in printed

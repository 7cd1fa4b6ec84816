"""`reproduce`: the agreed JSON, and what is kept."""

import json

import pytest

from anyloss_core.cli import main


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ANYLOSS_HOME", str(tmp_path / "home"))


def test_reproduce_writes_cells_that_are_all_equal(own_store, capsys):
    main(["reproduce", "--parts", "valid_range", "--json", "-"])  # the quickest; others: published
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"cells", "seconds", "settings"}
    wanted = {"table", "dataset", "loss", "metric", "published", "ours", "equal"}
    assert all(wanted <= set(cell) and cell["equal"] is True for cell in found["cells"])
    assert len(found["cells"]) >= 10


def test_reproduce_prints_how_many_are_equal_and_keeps_it(own_store, capsys):
    main(["reproduce", "--parts", "valid_range"])
    printed = capsys.readouterr().out
    assert "12 of 12 figures equal" in printed
    assert "73.47" in printed
    assert "kept since" not in printed
    main(["reproduce", "--parts", "valid_range"])
    assert "kept since" in capsys.readouterr().out
    main(["reproduce", "--parts", "valid_range", "--again"])
    assert "kept since" not in capsys.readouterr().out

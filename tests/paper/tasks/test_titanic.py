"""Huge Titanic: a twin of the published shape, and the user's own table."""

import io

import pytest

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.tasks.titanic import read_titanic, reproduce_titanic, twin
from tests.paper.conftest import silent

HEADER = "PassengerId,Survived,Pclass,Name,Sex,Age,SibSp,Parch,Ticket,Fare,Cabin,Embarked\n"


def test_a_small_twin_trains_both_networks_and_five_losses():
    table = cell_table(reproduce_titanic(silent, rows=3000).cells)
    assert len(table) == 18
    assert table["ours"].between(0, 1).all()
    assert table["explanation"].str.contains("generated twin").all()


def test_the_twin_has_the_published_shape():
    dataset = twin(5000)
    assert dataset.frame.shape[1] == 7
    assert dataset.positives / dataset.rows == pytest.approx(0.38, abs=0.001)


def test_complete_rows_are_kept_and_names_dropped():
    rows = [
        f'{i},{i % 2},{i % 3 + 1},"Name, {i}",{"male" if i % 4 else "female"},{20 + i},0,1,'
        f"T{i},{7.5 + i},C{i},S\n"
        for i in range(40)
    ]
    rows.append("99,1,1,Nobody,male,,0,0,T,8,C,S\n")
    dataset = read_titanic(io.StringIO(HEADER + "".join(rows)))
    assert dataset.rows == 40
    assert {"Name", "Ticket", "PassengerId"}.isdisjoint(dataset.frame.columns)


def test_a_table_without_the_answer_is_refused():
    with pytest.raises(ValueError, match="needs the column Survived"):
        read_titanic(io.StringIO("a,b\n1,2\n"))
    with pytest.raises(ValueError, match="no row of the table is complete"):
        read_titanic(io.StringIO("Survived,b\n1,\n"))

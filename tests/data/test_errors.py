"""The one error of the data: what is wrong, and what to do about it."""

import pickle

import pytest

from anyloss_core.data.errors import DataError


def test_both_sentences_are_told_and_can_be_told_apart():
    error = DataError("The file is empty.", "Choose another one.")
    assert str(error) == "The file is empty. Choose another one."
    assert (error.message, error.repair) == ("The file is empty.", "Choose another one.")
    assert str(DataError("No.")) == "No."
    with pytest.raises(ValueError, match="empty"):
        raise error


def test_it_travels_between_processes_whole():
    error = pickle.loads(pickle.dumps(DataError("The file is empty.", "Choose another one.")))
    assert (error.message, error.repair) == ("The file is empty.", "Choose another one.")

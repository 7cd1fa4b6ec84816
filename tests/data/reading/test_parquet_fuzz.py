"""Mutated Parquet files are read or refused, and none ends the process that asked."""

from tests.data.reading.parquet_fuzz import fuzz


def test_300_mutated_parquet_files_give_tables_or_data_errors():
    outcomes = fuzz(300)
    assert outcomes.total() == 300
    assert outcomes["refused"] > 100
    assert outcomes["read"] > 10
    assert outcomes["ended its reader"] < 10  # a sentence too, but one that tells less

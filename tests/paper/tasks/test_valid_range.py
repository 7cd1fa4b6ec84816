"""Table 1: every published row comes out, and float32 shows what the paper leaves out."""

from anyloss_core.paper.cells import cell_table
from anyloss_core.paper.tasks.valid_range import reproduce_valid_range, side_by_side


def test_all_rows_of_table_1_are_equal():
    table = cell_table(reproduce_valid_range(lambda share, message: None).cells)
    published = table[table["loss"] == "float64"]
    assert len(published) == 12
    assert published["equal"].all()


def test_the_paper_s_scale_is_out_of_reach_in_float32():
    table = cell_table(reproduce_valid_range(lambda share, message: None).cells)
    ends = table[table["metric"] == "L_max"].set_index(["loss", "dataset"])["ours"]
    assert ends["float32", "t = 0.1"] == 41.58
    assert ends["float32", "t = 1e-15"] == 33.27
    assert (ends["float16"] < ends["float32"]).all()
    assert (ends["bfloat16"] < ends["float16"]).all()


def test_side_by_side_it_looks_like_table_1_with_three_columns_more():
    table = side_by_side(reproduce_valid_range(lambda share, message: None).cells)
    assert len(table) == 6
    row = table.set_index("Accuracy level").loc["t = 0.1"]
    assert row["Published L_max"] == row["Ours L_max"]
    assert set(table["Mark"]) == {"equal"}
    assert row["float32"].endswith("to 41.58")
    assert table.set_index("Accuracy level").loc["t = 1e-15", "float32"] == "none (69.08 > 33.27)"
    assert {"float16", "bfloat16"} <= set(table.columns)

"""What is handed over arrives as it was, and nothing else can come out of it."""

import pandas as pd
import pytest

from anyloss_core.jobs import handover
from tests.support.readings import frame


def test_plain_values_tables_and_bytes_arrive_as_they_were(tmp_path):
    value = {"n": [1, 2.5, None, True, "ß"], "deep": {"data": b"\x00\xff"}, **frame(6)}
    back = handover.take(handover.put(value, tmp_path), tmp_path)
    pd.testing.assert_frame_equal(back.pop("table"), value.pop("table"))
    assert back == value


def test_a_table_can_be_changed_after_its_file_is_gone(tmp_path):
    packed = handover.put(frame(3), tmp_path)
    table = handover.take(packed, tmp_path)["table"]
    (tmp_path / packed["table"][handover.FRAME]).unlink()
    table.loc[0, "x"] = 7
    assert table["x"].tolist() == [7, 1, 2]
    assert list(table["town"].cat.categories) == ["Rom", "Ulm", "Oslo"]  # unused levels too


@pytest.mark.parametrize("name", ["/etc/hostname", "../../outside", "C:\\outside"])
def test_nothing_outside_of_the_folder_is_read(name, tmp_path):
    with pytest.raises(OSError, match="No such file"):
        handover.take({handover.BYTES: name}, tmp_path)


@pytest.mark.parametrize("name", ["$frame", "$bytes", "$frames", "$key:", "$key:$frame", "$"])
def test_names_from_a_file_are_no_marks(name, tmp_path):
    value = {"classes": {name: {name: 5, "no": 7}}, name: "a.part"}
    assert handover.take(handover.put(value, tmp_path), tmp_path) == value

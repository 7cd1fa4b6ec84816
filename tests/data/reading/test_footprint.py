"""What is told before a table is read is never less than what reading it takes."""

import io
import json
import subprocess
import sys

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.cell import WriteOnlyCell

from anyloss_core.data.errors import DataError
from anyloss_core.data.reading import footprint
from anyloss_core.data.reading.footprint import needed_bytes
from anyloss_core.data.reading.table import read_table

KINDS = {
    "different texts": lambda: ("a,y", (f"{n * 7919:08x}z,{n % 2}" for n in range(200_000))),
    "wide texts": lambda: (
        ",".join(f"c{n}" for n in range(101)),
        (
            ",".join(f"w{row * 100 + n:x}" for n in range(100)) + f",{row % 2}"
            for row in range(2000)
        ),
    ),
    "long texts": lambda: ("a,y", (f"{'lorem ipsum ' * 20}{n},{n % 2}" for n in range(20_000))),
    "narrow numbers": lambda: ("a,y", (f"{n % 7},{n % 2}" for n in range(400_000))),
    "wide numbers": lambda: (
        ",".join(f"c{n}" for n in range(1001)),
        ("1,2,3,4,5,6,7,8,9,0," * 100 + f"{row % 2}" for row in range(800)),
    ),
    "numbers until the last row": lambda: (
        "a,b,y",
        (f"{n},{n % 9},{n % 2}" if n < 200_000 else "word,z,1" for n in range(200_001)),
    ),
}

# In a process of its own: the peak of this one would count every test before it.
READ = """
import json, sys
rooms = []
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.reading.table import read_table
def read(source):
    frame = read_table(source)
    try:
        return dataset_from_frame(frame, frame.columns[-1])
    except ValueError:
        return frame  # ids only
def peak():  # of this program; ru_maxrss begins with that of the test which started it
    lines = open("/proc/self/status", encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
read(sys.argv[2] if sys.argv[2:] else b"a,b\\n1,x\\n2,y\\n")  # and what it imports
rooms.clear()
before = peak()
kept = read(sys.argv[1])
print(json.dumps(peak() - before))
"""


COUNTED = f"""
from anyloss_core.data.reading import footprint, workbooks
class Kept(footprint.Room):
    def __init__(self):
        super().__init__()
        rooms.append(self)
workbooks.Room = Kept
{READ}""".replace("peak() - before", "[peak() - before, max(room.needed for room in rooms)]")
SLACK = 15_000_000  # modules and buffers, whatever the file


def counted(*paths):
    """Bytes that reading the first file took, and the most that was told."""
    command = [sys.executable, "-c", COUNTED, *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def written(kind):
    header, rows = KINDS[kind]()
    return "\n".join([header, *rows]).encode() + b"\n"


@pytest.mark.parametrize("kind", KINDS)
def test_reading_takes_no_more_than_was_told(kind, tmp_path):
    content = written(kind)
    (tmp_path / "table.csv").write_bytes(content)
    command = [sys.executable, "-c", READ, str(tmp_path / "table.csv")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    told = needed_bytes(io.BytesIO(content))
    assert json.loads(run.stdout) < told
    assert told < 200 * len(content)


PACKED = {
    "numbers": lambda n: {f"c{i}": np.arange(n) * (i + 0.5) for i in range(4)},
    "repeated": lambda n: {f"c{i}": np.resize(["a", "a town with a name"], n) for i in range(4)},
    "different": lambda n: {"c": [f"{k} " + "x" * 300 for k in range(n // 4)]},
    "lists": lambda n: {"c": [[k, k + 1] for k in range(n // 4)]},
    "long and repeated": lambda n: {"c": ["a long text " * 150] * n},
    "times": lambda n: {"c": pd.to_datetime(np.arange(2 * n), unit="s").time},
    "bytes": lambda n: {"c": [b"%d" % k for k in range(2 * n)]},
    "wide": lambda n: {f"c{i}": np.arange(n // 200) % 7 for i in range(1_900)},
}
ENDINGS = {"parquet": (60_000, [*PACKED]), "xlsx": (6_000, ["numbers", "repeated", "different"])}


@pytest.mark.parametrize(
    ("kind", "ending"), [(kind, ending) for ending in ENDINGS for kind in ENDINGS[ending][1]]
)
def test_packed_files_are_told_before_they_take_the_memory(kind, ending, tmp_path):
    paths = [tmp_path / f"{size}.{ending}" for size in ("table", "small")]
    for path, rows in zip(paths, (ENDINGS[ending][0], 800), strict=True):
        frame = pd.DataFrame(PACKED[kind](rows)).assign(x=lambda table: np.arange(len(table)) / 7)
        frame = frame.assign(y=np.arange(len(frame)) % 2)
        frame.to_parquet(path) if ending == "parquet" else frame.to_excel(path, index=False)
    taken, told = counted(*paths)
    assert taken < told + SLACK
    assert told < 60 * taken + 100_000_000


def test_texts_that_stand_in_the_cells_of_a_sheet_are_told_too(tmp_path):
    path, book = tmp_path / "table.xlsx", openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for k in range(20_000):
        text = WriteOnlyCell(sheet, f"{k} " + "x" * 150)
        text.data_type = "inlineStr"
        sheet.append([text, k % 2] if k else ["text", "y"])
    book.save(path)
    taken, told = counted(path)
    assert taken < told


def test_a_small_file_that_becomes_large_is_refused_with_both_figures(tmp_path, monkeypatch):
    path = tmp_path / "small.parquet"
    texts = [f"{k} " + "x" * 300 for k in range(20_000)]
    pd.DataFrame({"text": texts, "y": np.arange(20_000) % 2}).to_parquet(path, compression="zstd")
    assert path.stat().st_size < 400_000
    monkeypatch.setattr(footprint, "free_bytes", lambda: 50_000_000)
    with pytest.raises(DataError, match=r"needs about \d+ MB of memory and 50 MB are free"):
        read_table(str(path))


def test_a_large_table_of_numbers_is_not_frightened_away():
    row = ",".join(f"{n / 7:.12f}" for n in range(30))
    content = (row + "\n") * 2_000
    assert needed_bytes(io.BytesIO(content.encode())) < 11 * len(content)


def test_texts_that_repeat_cost_no_more_than_numbers():
    content = b"a,b,y\n" + b"red,Ulm,0\nblue,Rom,1\n" * 20_000
    cells = 3 * 40_001
    assert needed_bytes(io.BytesIO(content)) < 6 * len(content) + 50 * cells

"""What is told before a table is read is never less than what reading it takes."""

import io
import json
import subprocess
import sys

import pytest

from anyloss_core.data.reading.footprint import needed_bytes

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
import json, resource, sys
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.reading.table import read_table
read_table(b"a,b\\n1,x\\n2,y\\n")
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
frame = read_table(sys.argv[1])
try:
    dataset_from_frame(frame, frame.columns[-1])
except ValueError:
    pass  # ids only
print(json.dumps(peak() - before))
"""


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


def test_a_large_table_of_numbers_is_not_frightened_away():
    row = ",".join(f"{n / 7:.12f}" for n in range(30))
    content = (row + "\n") * 2_000
    assert needed_bytes(io.BytesIO(content.encode())) < 11 * len(content)


def test_texts_that_repeat_cost_no_more_than_numbers():
    content = b"a,b,y\n" + b"red,Ulm,0\nblue,Rom,1\n" * 20_000
    cells = 3 * 40_001
    assert needed_bytes(io.BytesIO(content)) < 6 * len(content) + 50 * cells

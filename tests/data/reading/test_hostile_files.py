"""Files made to run code, to write outside of their folder, or to fill the memory: all refused.

Whatever a visitor can hand over goes through one of the readers below. The interpreter reports
every class that a pickle names, so an unpickling anywhere in them would be heard.
"""

import io
import json
import os
import pickle
import stat
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

import anyloss_core as al
from anyloss_core.data import limits
from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.entries import file_suite
from anyloss_core.data.suites.references import open_reference
from anyloss_core.statistics.score_table import read_repeats
from anyloss_core.store.bundle import import_bundle
from anyloss_core.store.payload import from_bytes
from tests.nasty_files import csv_bytes, excel, good_excel, good_frame, zipped

heard: list[str] = []


class Bomb:
    """Unpickled, it leaves a folder behind."""

    def __init__(self, place):
        self.place = str(place)

    def __reduce__(self):
        return os.mkdir, (self.place,)


@pytest.fixture(scope="module", autouse=True)
def listen():
    """Hooks of the interpreter cannot be taken away; outside of the tests nobody reads the list."""
    sys.addaudithook(
        lambda event, args: heard.append(str(args)) if event == "pickle.find_class" else None
    )


@pytest.fixture
def unharmed(tmp_path):
    """The place at which nothing may appear."""
    heard.clear()
    yield tmp_path / "harm"
    assert not (tmp_path / "harm").exists()
    assert not heard


def torch_file(value):
    file = io.BytesIO()
    torch.save({"weights": value}, file)
    return file.getvalue()


def numpy_file(value):
    file = io.BytesIO()
    np.save(file, np.array([value], dtype=object), allow_pickle=True)
    return file.getvalue()


def model_file(value):
    """The parts that a model has, with pickles in them."""
    story = json.dumps({"format": "anyloss-model", "version": 1, "loss": {"$pickle": "x"}})
    return zipped({"model.safetensors": pickle.dumps(value), "model.json": story.encode()})


def arrow_extension(value):
    """A column that names a Python class for old readers of Arrow to unpickle."""
    mark = {
        b"ARROW:extension:name": b"arrow.py_extension_type",
        b"ARROW:extension:metadata": pickle.dumps(value),
    }
    frame = good_frame()
    field = pa.field("age", pa.int64(), metadata=mark)
    others = pa.Table.from_pandas(frame.drop(columns="age"), preserve_index=False)
    table = others.add_column(0, field, [pa.array(frame["age"])])
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def bundle_file(value):
    text = pickle.dumps(value).hex()
    settings = {"data": {"$pickle": text}, "x": {"$array": ["|O", [1], text]}}
    return json.dumps({"format": "anyloss-run", "version": 1, "settings": settings}).encode()


LOADED = {
    "pickle": pickle.dumps,
    "pickle of old": lambda value: pickle.dumps(value, 0),
    "pickled frame": lambda value: pickle.dumps(pd.DataFrame({"x": [value]})),
    "torch file": torch_file,
    "NumPy file": numpy_file,
    "model file": model_file,
    "parquet": arrow_extension,
    "bundle": bundle_file,
    "zip": lambda value: zipped({"data.pkl": pickle.dumps(value)}),
}
READERS = {
    "table": lambda store, data: al.load_csv(data),
    "upload": lambda store, data: open_reference(
        f"upload:{store.save_upload(data, {'name': 'x.pkl'})}", uploads=store.home / "uploads"
    ),
    "model": lambda store, data: al.load_model(data),
    "bundle": lambda store, data: import_bundle(store, data),
    "scores": lambda store, data: read_repeats(data),
    "payload": lambda store, data: from_bytes(data),
}


def test_the_bomb_goes_off_where_somebody_unpickles_it(tmp_path):
    heard.clear()
    pickle.loads(pickle.dumps(Bomb(tmp_path / "harm")))
    assert (tmp_path / "harm").exists()
    assert heard


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", LOADED)
def test_no_reader_unpickles(kind, reader, store, unharmed):
    data = LOADED[kind](Bomb(unharmed))
    heard.clear()
    if kind == "parquet" and reader in ("table", "upload"):
        assert "age" in READERS[reader](store, data).frame.columns  # the numbers, no class
        return
    with pytest.raises(ValueError, match=r"\w"):
        READERS[reader](store, data)


OUTSIDE = [
    "../../outside.csv", "../" * 40 + "tmp/outside.csv", "/tmp/outside.csv", "//host/share/x.csv",
    "C:\\outside.csv", "..\\..\\outside.csv", "a/../../outside.csv", "./../outside.csv", "CON.csv",
    "a\x00b.csv", "~/outside.csv", "$HOME/outside.csv", "a\n.csv", "-rf.csv", "x" * 5000 + ".csv",
]  # fmt: skip


def everything(folder):
    return sorted(str(path) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", OUTSIDE, ids=lambda name: repr(name[:20]))
def test_an_entry_cannot_leave_its_folder(name, store, tmp_path, monkeypatch):
    work = tmp_path / "a" / "b" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    data = zipped({name: csv_bytes(), "model.json": b"{}", "model.safetensors": b""})
    suite = tmp_path / "suite.zip"
    suite.write_bytes(zipped({name: csv_bytes()}))
    upload = store.save_upload(data, {"name": name})
    before, outside = everything(tmp_path), Path("/tmp/outside.csv").exists()
    with pytest.raises(ValueError, match=r"\w"):
        al.load_model(data)
    try:
        table = open_reference(file_suite(suite)[0].reference, files=True)
        assert table.rows == 40
        open_reference(f"upload:{upload}", uploads=store.home / "uploads")
    except DataError:
        pass
    assert everything(tmp_path) == before
    assert Path("/tmp/outside.csv").exists() == outside


def test_a_link_inside_a_zip_is_a_text_and_not_followed(tmp_path):
    secret = tmp_path / "secret.csv"
    secret.write_bytes(csv_bytes())
    link = zipfile.ZipInfo("table.csv")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(link, str(secret))
    with pytest.raises(DataError, match="one column only"):
        al.load_csv(file.getvalue())


@pytest.mark.parametrize("what", ["../secret", "/etc/passwd", "..", ".", "a" * 32 + "/../x"])
def test_a_reference_to_an_upload_is_no_path(what, store, tmp_path):
    (tmp_path / "secret").write_bytes(csv_bytes())
    with pytest.raises(DataError, match="no longer there"):
        open_reference(f"upload:{what}", uploads=store.home / "uploads")
    with pytest.raises(DataError, match="cannot be opened here"):
        open_reference(f"file:{tmp_path / 'secret'}", uploads=store.home / "uploads")


def lying(data, claimed):
    """A zip whose headers claim another unpacked size."""
    data = bytearray(data)
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, local + 22, claimed)
    struct.pack_into("<I", data, central + 24, claimed)
    return bytes(data)


def overlapping(times):
    """Many entries of the directory that all point at the same packed bytes."""
    data = zipped({"a.csv": bytes(8_000_000)})
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry = data[start:end]
    tail = bytearray(data[end:])
    struct.pack_into("<HHI", tail, 8, times, times, len(entry) * times)
    return data[:start] + entry * times + bytes(tail)


def laughing(kind):
    """An Excel file whose XML grows by entities when it is read, or asks for a file."""
    grow = '<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    outside = '<!ENTITY j SYSTEM "file:///etc/passwd">'
    head = f"<?xml version='1.0'?><!DOCTYPE x [{grow if kind == 'grow' else outside}]>"
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good_excel())) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"):
                body = text.decode().partition("?>")[2] or text.decode()
                text = (head + body.replace("Oslo", "&j;").replace("<v>", "<v>&j;", 1)).encode()
            new.writestr(name, text)
    return file.getvalue()


def parquet_of(**columns):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file, compression="zstd")
    return file.getvalue()


def long_text_parquet():
    """A text of 100 kB that every one of 20,000 rows repeats: 2 GB from a few kilobytes."""
    places = pa.array(np.arange(20_000) % 2, pa.int32())
    texts = pa.DictionaryArray.from_arrays(places, pa.array(["a" * 100_000, "b" * 100_000]))
    return parquet_of(text=texts, x=np.arange(20_000) % 7, y=np.arange(20_000) % 3 == 0)


def long_list_parquet(count=1_000_000):
    """One row that holds a list of a million zeros."""
    lists = pa.ListArray.from_arrays(
        pa.array([0, count], pa.int32()), pa.array(np.zeros(count, dtype=np.int8))
    )
    return parquet_of(lists=lists, y=[1])


def long_text_excel():
    """A text of 30 kB that is kept once and named by 50,000 cells: 1.5 GB from a megabyte."""
    text = f"<si><t>{'Q' * 30_000}</t></si>"
    rows = "".join(f'<row><c t="s"><v>0</v></c><c><v>{n % 2}</v></c></row>' for n in range(50_000))
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(excel([["t", "y"]]))) as old:
        parts = {name: old.read(name).decode() for name in old.namelist()}
    strings = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    parts["xl/sharedStrings.xml"] = f"{strings}{text}</sst>"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    named = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace("</Types>", named)
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = sheet.replace("</sheetData>", f"{rows}</sheetData>")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name, part in parts.items():
            new.writestr(name, part)
    return file.getvalue()


BOMBS = {
    "long text parquet": long_text_parquet,
    "long text excel": long_text_excel,
    "claims less": lambda: lying(zipped({"a.csv": bytes(40_000_000)}), 1000),
    "claims nothing": lambda: lying(zipped({"a.csv": bytes(40_000_000)}), 0),
    "claims 4 GB": lambda: lying(zipped({"a.csv": csv_bytes()}), 2**32 - 2),
    "overlapping": lambda: overlapping(1500),
    "nested": lambda: zipped({"a.zip": zipped({"b.zip": zipped({"c.csv": bytes(30_000_000)})})}),
    "model": lambda: zipped({"model.json": bytes(60_000_000), "model.safetensors": b""}),
    "weights": lambda: zipped({"model.json": b"{}", "model.safetensors": bytes(60_000_000)}),
    "laughing": lambda: laughing("grow"),
    "asking": lambda: laughing("ask"),
    "repeated parquet": lambda: parquet_of(
        **{f"x{n}": np.zeros(1_000_000, dtype=np.int8) for n in range(61)}
    ),
    "tall JSON": lambda: b'{"format":"anyloss-run","version":1,"settings":' + b"[" * 5_000_000,
    "wide JSON": lambda: b"[" + b"[]," * 3_000_000 + b"[]]",
}


@pytest.mark.parametrize("make", [long_text_parquet, long_text_excel])
def test_a_long_text_that_is_named_often_is_refused(make):
    with pytest.raises(DataError, match="too much"):
        al.load_csv(make())


def test_a_long_list_in_a_cell_is_refused(monkeypatch):
    monkeypatch.setattr(limits, "CELLS", 500_000)
    with pytest.raises(DataError, match="1,000,001 values"):
        al.load_csv(long_list_parquet())


def test_repeated_short_texts_are_read():
    texts = pa.array(["Ulm", None, "Rom"] * 1667)[:5_000].dictionary_encode()
    data = al.load_csv(parquet_of(town=texts, x=np.arange(5_000) % 7, y=np.arange(5_000) % 2 == 0))
    assert data.frame["town"].isna().sum() == 1667
    assert set(data.frame["town"].dropna()) == {"Ulm", "Rom"}


# In a process of its own: the peak of this one would count every test before it.
READ_ALL = """
import sys
from pathlib import Path
import anyloss_core as al
from anyloss_core.store.bundle import import_bundle
from anyloss_core.store.store import Store
from anyloss_core.data.reading.table import load_csv
import openpyxl, pyarrow.parquet, safetensors.torch

al.load_csv(sys.argv[2] + "/good")
store = Store(sys.argv[1])


def peak():
    # Not ru_maxrss, which begins with the peak of the process that started this one.
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


for path in sorted(Path(sys.argv[2]).glob("bomb*")):
    before, outcome = peak(), []
    readers = [al.load_csv, al.load_model, lambda p: import_bundle(store, p.read_bytes())]
    for read in readers:
        try:
            read(path)
            outcome.append("read")
        except ValueError as error:
            outcome.append(type(error).__name__)
            assert "root:" not in str(error)
    print(path.name, peak() - before, *outcome)
"""
MOST_MB = 400  # of growth while a bomb is looked at; the least of them would unpack to more


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak from /proc")
def test_bombs_do_not_go_off(tmp_path):
    names = list(BOMBS)
    (tmp_path / "good").write_bytes(csv_bytes())
    for place, name in enumerate(names):
        (tmp_path / f"bomb{place:02}").write_bytes(BOMBS[name]())
    command = [sys.executable, "-c", READ_ALL, str(tmp_path / "home"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3])
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == len(names)
    for name, (_, grown, *outcome) in zip(names, lines, strict=True):
        assert int(grown) < MOST_MB, (name, grown)
        assert outcome == ["DataError", "ModelFileError", "BundleError"], (name, outcome)

"""Files that users really bring, and files that nobody should: each with its expected outcome.

`NASTY[name]` has the bytes, a file name for the upload widget, and what must come of it when the
page or `load_csv` is left to propose target and positive class: 'dataset', or a part of the
sentence that refuses it. Used by the reader's tests and by the journeys in a real browser.
"""

import bz2
import gzip
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq


@dataclass(frozen=True)
class Nasty:
    """One file and its outcome; the bytes are made when first asked for."""

    make: Callable[[], bytes]
    filename: str
    expected: str

    @cached_property
    def content(self) -> bytes:
        return self.make()


def good_frame(rows: int = 40) -> pd.DataFrame:
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, rows),
            "income": random.normal(50_000, 9_000, rows).round(2),
            "city": random.choice(["Oslo", "Zürich", "Málaga"], rows),
            "churn": np.where(np.arange(rows) % 4 == 0, "yes", "no"),
        }
    )


def csv_bytes(encoding: str = "utf-8", **options) -> bytes:
    return good_frame().to_csv(index=False, lineterminator="\n", **options).encode(encoding)


def named(*names: str) -> bytes:
    """A good table whose first columns carry strange names."""
    frame = good_frame()
    frame.columns = [*names, *frame.columns[len(names) :]]
    return frame.to_csv(index=False).encode()


def lines(header: str, *cells: Callable[[int], object], rows: int = 150) -> bytes:
    """A CSV whose cells are functions of the row number."""
    body = [",".join(str(cell(row)) for cell in cells) for row in range(rows)]
    return "\n".join([header, *body]).encode()


def zipped(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def encrypted_zip() -> bytes:
    """Only the flag says so: nothing may be read before it is looked at."""
    content = bytearray(zipped({"table.csv": csv_bytes()}))
    content[6] |= 1  # local header
    content[content.index(b"PK\x01\x02") + 8] |= 1  # central directory
    return bytes(content)


def excel(rows: list[list]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def excel_book(sheets: dict[str, list[list]]) -> bytes:
    """Several sheets, in their order."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def good_excel() -> bytes:
    frame = good_frame()
    return excel([list(frame.columns), *frame.astype(object).to_numpy().tolist()])


def parquet(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def good_parquet() -> bytes:
    return parquet(pa.Table.from_pandas(good_frame()))


def nested_parquet() -> bytes:
    lists = pa.array([[row, row + 1] for row in range(40)])
    return parquet(pa.Table.from_pandas(good_frame()).append_column("pairs", lists))


def sqlite_bytes() -> bytes:
    database = sqlite3.connect(":memory:")
    database.execute("create table t (x)")
    return database.serialize()


def wide(columns: int, rows: int) -> bytes:
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(rows, columns)).round(3))
    frame.columns = [f"x{column}" for column in range(columns)]
    return frame.assign(target=np.arange(rows) % 5 == 0).to_csv(index=False).encode()


ZEROS = bytes(64 * 1024 * 1024)
NO_TARGET = "No column can be the target"
NO_FEATURE = "No feature column is left"
BINARY = "binary data"

NASTY: dict[str, Nasty] = {
    # nothing, or too little
    "empty": Nasty(lambda: b"", "empty.csv", "is empty"),
    "blank lines": Nasty(lambda: b"\n\r\n  \n", "blank.csv", "blank lines only"),
    "header only": Nasty(lambda: b"a,b,c\n", "header.csv", "no rows"),
    "header without newline": Nasty(lambda: b"a,b,c", "header.csv", "no rows"),
    "one column": Nasty(lambda: b"x\n1\n2\n3\n", "one.csv", "one column only"),
    "one cell": Nasty(lambda: b"x", "cell.csv", "one column only"),
    "one class": Nasty(lambda: lines("x,y", lambda r: r / 7, lambda r: 1), "a.csv", NO_TARGET),
    "target all missing": Nasty(
        lambda: lines("x,target", lambda r: r / 7, lambda r: "NA"), "a.csv", NO_TARGET
    ),
    "hundreds of classes": Nasty(
        lambda: lines("x,y", lambda r: r / 7, lambda r: f"c{r}"), "a.csv", NO_TARGET
    ),
    "constant features": Nasty(
        lambda: lines("x,y", lambda r: 5, lambda r: r % 2), "a.csv", NO_FEATURE
    ),
    "ids only": Nasty(
        lambda: lines("customer_id,y", lambda r: f"K{r:05}", lambda r: r % 3 == 0),
        "a.csv",
        NO_FEATURE,
    ),
    "free text only": Nasty(
        lambda: lines("review,y", lambda r: f"It was nice {r} times but not {r}", lambda r: r % 2),
        "a.csv",
        NO_FEATURE,
    ),
    "three classes": Nasty(
        lambda: lines("x,y", lambda r: r / 7, lambda r: "abc"[r % 3]), "a.csv", "3 classes"
    ),
    "one minority row": Nasty(
        lambda: lines("x,y", lambda r: r * r % 17, lambda r: int(r == 3)), "a.csv", "dataset"
    ),
    # broken structure
    "duplicate names": Nasty(lambda: b"a,a,y\n1,2,0\n3,4,1\n", "a.csv", "more than once"),
    "row too short": Nasty(lambda: b"a,b,y\n1,2,0\n3,4\n5,6,1\n", "a.csv", "Row 3 has 2 cells"),
    "row too long": Nasty(lambda: b"a,b,y\n1,2,0\n3,4,1,9\n", "a.csv", "Row 3 has 4 cells"),
    "title above the header": Nasty(
        lambda: b"Quarterly report, final\n" + csv_bytes(), "a.csv", "cells where the header has"
    ),
    "quote never closed": Nasty(
        lambda: b'a,b,y\n1,"two,0\n3,4,1\n5,6,0\n', "a.csv", "cells where the header has"
    ),
    "web page": Nasty(
        lambda: b"<!DOCTYPE html>\n<html><body>\n<h1>404, not found</h1>\n</body></html>\n",
        "data.csv",
        "one column only",
    ),
    "json": Nasty(
        lambda: json.dumps([{"x": 1, "y": 0}] * 5, indent=1).encode(), "data.csv", "one column"
    ),
    "infinite numbers": Nasty(
        lambda: b"x,z,y\n1,2,0\ninf,3,1\n-inf,4,0\n2,5,0\n", "a.csv", "2 infinite values"
    ),
    "numbers beyond float": Nasty(lambda: b"x,y\n1e400,0\n2,1\n3,0\n", "a.csv", "infinite values"),
    "too many columns": Nasty(
        lambda: (",".join(f"c{n}" for n in range(2500)) + "\n" + "1," * 2499 + "0\n").encode(),
        "wide.csv",
        "2,500 columns",
    ),
    "too many columns and no header": Nasty(
        lambda: b"1.5," * 2999 + b"7\n" + b"2.5," * 2999 + b"8\n", "wide.csv", "3,000 columns"
    ),
    "too many rows": Nasty(
        lambda: b"x,y\n" + b"1,0\n2,1\n" * 1_000_001, "long.csv", "at most 2,000,000"
    ),
    "a cell of 5 MB": Nasty(
        lambda: (
            lines("x,note,y", lambda r: r * 7 % 13, lambda r: "ab"[r % 2], lambda r: r % 2)
            + b"\n5,"
            + b"a" * 5_000_000
            + b",1\n"
        ),
        "a.csv",
        "dataset",
    ),
    # not a table at all
    "random bytes": Nasty(lambda: np.random.default_rng(2).bytes(3000), "noise.csv", BINARY),
    "program": Nasty(lambda: b"\x7fELF\x02\x01\x01" + bytes(60), "tool.csv", BINARY),
    "zero byte in a table": Nasty(lambda: b"x,y\n1,0\n2,\x00\n3,1\n", "a.csv", BINARY),
    "image": Nasty(lambda: b"\x89PNG\r\n\x1a\n" + bytes(50), "photo.csv", "an image"),
    "pdf": Nasty(lambda: b"%PDF-1.7\n1 0 obj\n", "report.csv", "a PDF"),
    "old excel": Nasty(lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(90), "a.xls", ".xlsx"),
    "sqlite": Nasty(sqlite_bytes, "data.csv", "SQLite"),
    "bzip2": Nasty(lambda: bz2.compress(csv_bytes()), "a.csv", "bzip2"),
    "7z": Nasty(lambda: b"7z\xbc\xaf\x27\x1c" + bytes(40), "a.csv", "7z"),
    # packed badly
    "zip bomb": Nasty(lambda: zipped({"a.csv": ZEROS}), "a.zip", "too much"),
    "gzip bomb": Nasty(lambda: gzip.compress(ZEROS), "a.csv.gz", "too much"),
    "excel bomb": Nasty(
        lambda: zipped({"xl/workbook.xml": b"<x/>", "xl/worksheets/sheet1.xml": ZEROS}),
        "a.xlsx",
        "too much",
    ),
    "zip of many entries": Nasty(
        lambda: zipped({f"{n}.csv": b"" for n in range(2001)}), "a.zip", "2,001 entries"
    ),
    "zip in a zip": Nasty(
        lambda: zipped({"a.zip": zipped({"a.csv": csv_bytes()})}), "a.zip", "packed twice"
    ),
    "zip of two tables": Nasty(
        lambda: zipped({"a.csv": csv_bytes(), "b.csv": csv_bytes()}), "a.zip", "2 files"
    ),
    "empty zip": Nasty(lambda: zipped({}), "a.zip", "no file"),
    "zip with password": Nasty(encrypted_zip, "a.zip", "password"),
    "zip cut off": Nasty(lambda: zipped({"a.csv": csv_bytes()})[:-40], "a.zip", "damaged"),
    "gzip cut off": Nasty(lambda: gzip.compress(csv_bytes())[:-20], "a.csv.gz", "damaged"),
    "excel cut off": Nasty(lambda: good_excel()[:-300], "a.xlsx", "damaged"),
    "excel without sheets": Nasty(
        lambda: zipped({"xl/workbook.xml": b"<not></closed>"}), "a.xlsx", "damaged"
    ),
    "excel without cells": Nasty(lambda: excel([]), "a.xlsx", "no cells"),
    "excel with a long row": Nasty(
        lambda: excel([["x", "y"], [1, 0], [2, 1, 5]]), "a.xlsx", "Row 3 has 3 cells"
    ),
    "open document": Nasty(lambda: zipped({"content.xml": b"<x/>"}), "a.ods", "spreadsheet"),
    "parquet cut off": Nasty(lambda: good_parquet()[:-100], "a.parquet", "damaged"),
    "zip that points outside": Nasty(
        lambda: zipped({"../../outside.csv": csv_bytes()}), "a.zip", "dataset"
    ),
    # names and labels that must be shown literally
    "html names": Nasty(
        lambda: named("<script>alert(1)</script>", "<b>bold</b>"), "<img src=x>.csv", "dataset"
    ),
    "markdown and latex names": Nasty(
        lambda: named("**bold** [link](http://x.y)", "$\\frac{1}{0}$ `code`"),
        "a_*b*.csv",
        "dataset",
    ),
    "emoji and right to left names": Nasty(
        lambda: named("🎉🙃", "\u202egnp.exe", "العمر"), "🎉.csv", "dataset"
    ),
    "control characters in names": Nasty(
        lambda: named("a\x1b[31mred", "b\x0bc"), "a.csv", "dataset"
    ),
    "name of 100 kB": Nasty(lambda: named("n" * 100_000), "a.csv", "dataset"),
    "blank names": Nasty(lambda: named("", " "), "a.csv", "dataset"),
    "formulas in cells": Nasty(
        lambda: lines(
            "x,=cmd()", lambda r: r * r % 31, lambda r: ("=1+1", "@SUM(A1)", "@SUM(A1)")[r % 3]
        ),
        "=a.csv",
        "dataset",
    ),
    # unusual, and fine
    "utf-8 with mark": Nasty(lambda: csv_bytes("utf-8-sig"), "a.csv", "dataset"),
    "utf-16": Nasty(lambda: csv_bytes("utf-16"), "a.csv", "dataset"),
    "utf-16 without mark": Nasty(lambda: csv_bytes("utf-16-le"), "a.csv", "dataset"),
    "latin-1": Nasty(lambda: csv_bytes("latin-1"), "a.csv", "dataset"),
    "semicolon and decimal comma": Nasty(
        lambda: csv_bytes(sep=";", decimal=","), "a.csv", "dataset"
    ),
    "tabs": Nasty(lambda: csv_bytes(sep="\t"), "a.tsv", "dataset"),
    "bars": Nasty(lambda: csv_bytes(sep="|"), "a.txt", "dataset"),
    "blanks between columns": Nasty(lambda: csv_bytes(sep=" "), "a.data", "dataset"),
    "old Mac line ends": Nasty(lambda: csv_bytes().replace(b"\n", b"\r"), "a.csv", "dataset"),
    "windows line ends": Nasty(lambda: csv_bytes().replace(b"\n", b"\r\n"), "a.csv", "dataset"),
    "line breaks in cells": Nasty(
        lambda: lines(
            "x,note,y", lambda r: r * 7 % 13, lambda r: f'"a\n{r % 3},b"', lambda r: r % 2
        ),
        "a.csv",
        "dataset",
    ),
    "spreadsheet hint": Nasty(lambda: b"sep=;\n" + csv_bytes(sep=";"), "a.csv", "dataset"),
    "no header": Nasty(
        lambda: b"\n".join(b"%d.5,%d,%d" % (r, r * r % 11, r % 3 == 0) for r in range(60)),
        "a.csv",
        "dataset",
    ),
    "extreme numbers": Nasty(
        lambda: lines(
            "big,small,y", lambda r: f"{r - 70}e300", lambda r: f"{r + 1}e-300", lambda r: r % 2
        ),
        "a.csv",
        "dataset",
    ),
    "all-missing column": Nasty(
        lambda: lines("x,gone,y", lambda r: r * 5 % 19, lambda r: "?", lambda r: r % 2),
        "a.csv",
        "dataset",
    ),
    "500 features on 50 rows": Nasty(lambda: wide(500, 50), "a.csv", "dataset"),
    "every row twice": Nasty(
        lambda: csv_bytes() + csv_bytes().split(b"\n", 1)[1], "a.csv", "dataset"
    ),
    "gzip": Nasty(lambda: gzip.compress(csv_bytes()), "a.csv.gz", "dataset"),
    "zip": Nasty(
        lambda: zipped({"__MACOSX/._a.csv": b"x", "data/a.csv": csv_bytes()}), "a.zip", "dataset"
    ),
    "excel": Nasty(good_excel, "a.xlsx", "dataset"),
    "parquet": Nasty(good_parquet, "a.parquet", "dataset"),
    "parquet with lists": Nasty(nested_parquet, "a.parquet", "dataset"),
    "csv called xlsx": Nasty(csv_bytes, "a.xlsx", "dataset"),
}

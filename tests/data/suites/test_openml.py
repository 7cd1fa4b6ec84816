"""OpenML: read from the cache without a network, a clear sentence where there is none."""

import gzip
import json
import shutil
import urllib.request
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlparse

import pytest
import sklearn.datasets

from anyloss_core.data.errors import DataError
from anyloss_core.data.suites.openml import load_openml

ADULT = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml" / "id_1119"


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise URLError("no route to host")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", refuse)


def test_offline_is_said_plainly(no_network, tmp_path):
    with pytest.raises(DataError, match=r"cannot be reached.*work offline"):
        load_openml(31, cache=tmp_path)


def test_an_unknown_number_is_said_plainly(monkeypatch, tmp_path):
    def answer(*args, **kwargs):
        raise HTTPError("https://openml.org", 404, "Not Found", None, None)

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", answer)
    with pytest.raises(DataError, match="gave no table for '31'"):
        load_openml(31, cache=tmp_path)


@pytest.mark.parametrize("which", ["", "a/b", "../x", "<b>", "x" * 200])
def test_what_is_neither_number_nor_name_never_leaves_the_machine(which, tmp_path):
    with pytest.raises(DataError, match="neither an OpenML number nor a name"):
        load_openml(which, cache=tmp_path)


def fill_cache(cache):
    """What scikit-learn leaves after a download, from the small copy that it tests itself with."""
    described = json.loads(gzip.decompress((ADULT / "api-v1-jd-1119.json.gz").read_bytes()))
    table = urlparse(described["data_set_description"]["url"]).path.strip("/")
    places = {
        "api-v1-jd-1119.json.gz": "api/v1/json/data/1119",
        "api-v1-jdf-1119.json.gz": "api/v1/json/data/features/1119",
        "api-v1-jdq-1119.json.gz": "api/v1/json/data/qualities/1119",
        "data-v1-dl-54002.arff.gz": table,
    }
    for name, place in places.items():
        path = cache / "openml" / "openml.org" / f"{place}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ADULT / name, path)


@pytest.mark.skipif(not ADULT.is_dir(), reason="this scikit-learn came without its test data")
def test_a_cached_data_set_needs_no_network(no_network, tmp_path):
    fill_cache(tmp_path)
    dataset = load_openml(1119, cache=tmp_path)
    assert (dataset.target, dataset.positive, dataset.negative) == ("class", ">50K", "<=50K")
    assert dataset.rows == 10
    assert {column.kind for column in dataset.columns} >= {"numeric", "category"}

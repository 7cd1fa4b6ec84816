"""One unit: depends on its task alone, keeps what scores need, and fails with a reason."""

import torch

from anyloss_core.benchmark.settings import Item, comparison_settings
from anyloss_core.benchmark.units import (
    UnitTask,
    attempt,
    describe,
    one_thread,
    unpack_comparison,
)
from anyloss_core.comparison.comparison import compare
from anyloss_core.data.dataset import dataset_from_frame
from anyloss_core.data.suites.builtin import builtin
from tests.small_suite import QUICK
from tests.support.leaky_table import LEAK, leaky_frame

SETTINGS = comparison_settings(**QUICK)


def task(reference, **more):
    return UnitTask(Item("x", reference), SETTINGS.to_dict(), **more)


def test_a_unit_keeps_the_facts_and_the_whole_comparison():
    data = builtin("breast_cancer_imbalanced")
    outcome = attempt(task("builtin:breast_cancer_imbalanced"))
    facts = ("rows", "features", "positives", "fingerprint")
    assert [outcome.value[name] for name in facts] == [393, 30, 36, data.fingerprint]
    expected = compare(data, **SETTINGS.to_dict())
    kept = unpack_comparison(outcome.value)
    for found in (outcome.value["confusion"], kept.confusion):
        assert found["tp"].tolist() == expected.confusion["tp"].tolist()
    assert kept.scores["score"].tolist() == expected.scores["score"].tolist()


def test_what_is_wrong_with_the_data_is_the_reason():
    outcome = attempt(task("builtin:nothing"))
    assert outcome.value is None
    assert "no built-in data set" in outcome.reason
    refused = attempt(task("file:/etc/hostname"))
    assert "cannot be opened here" in refused.reason


def test_data_sent_along_is_not_opened_again():
    data = builtin("moons")
    sent = task("upload:" + "0" * 32, dataset=data)
    assert sent.local
    assert sent.open() is data
    assert not task("builtin:moons").local


def test_a_column_that_gives_the_answer_away_is_noted():
    data = dataset_from_frame(leaky_frame(), "late", "yes")
    value = attempt(task("upload:" + "0" * 32, dataset=data)).value
    assert value["notes"][0].startswith(f"'{LEAK}' alone reaches AUC 1.0000")


def test_reasons_are_words_for_the_user():
    assert "not enough memory" in describe(MemoryError())
    assert describe(ValueError("add rows")) == "add rows"
    assert describe(KeyError("x")) == "KeyError: 'x'"


def test_one_thread_is_given_back():
    before = torch.get_num_threads()
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before

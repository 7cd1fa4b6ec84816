import json
from dataclasses import dataclass

import pytest

from anyloss_core.common.settings import Settings, SettingsError


@dataclass(frozen=True)
class Example(Settings):
    names: tuple[str, ...] = ("a",)
    count: int = 1
    share: float | None = None


def test_settings_come_back_from_json_as_they_were():
    settings = Example(names=("b", "c"), count=3)
    assert Example.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize("names", [["b", "c"], ("b", "c"), iter("bc"), {"b": 1, "c": 2}.keys()])
def test_a_sequence_of_any_kind_is_kept_as_a_tuple(names):
    assert Example(names=names) == Example(names=("b", "c"))


def test_what_is_not_stored_has_its_default():
    assert Example.from_dict({"count": 7}) == Example(("a",), 7, None)


def test_an_unknown_setting_is_refused_with_those_that_there_are():
    with pytest.raises(SettingsError, match=r"'colour'; there are names, count, share"):
        Example.from_dict({"count": 1, "colour": "red"})

"""Parts and tasks: what can be computed again."""

import pytest

from anyloss_core.paper.parts import EXACT, PARTS, Task, perform, plan
from tests.paper.conftest import silent


def test_a_plan_runs_parts_per_data_set_where_there_is_one():
    keys = [task.key for task in plan(["valid_range", "slp"], [1, 3])]
    assert keys == ["valid_range", "slp 1", "slp 3"]
    with pytest.raises(ValueError, match="no part 'tables', there are valid_range"):
        plan(["tables"], [1])


@pytest.mark.parametrize("name", PARTS)
def test_every_part_has_its_function(name):
    module, _, function = PARTS[name].target.partition(":")
    loaded = __import__(f"anyloss_core.paper.tasks.{module}", fromlist=[function])
    assert callable(getattr(loaded, function))


def test_the_exact_parts_are_those_that_need_no_noise():
    assert EXACT == ("valid_range", "slp", "resampling")


def test_a_performed_task_knows_its_time():
    result = perform(Task("valid_range"), {}, silent, {"seeds": 3})
    assert result.seconds > 0
    assert sum(cell.equal is True for cell in result.cells) == 12

"""Tasks in several processes: one progress, the same results, an end when the caller wants it."""

import pytest

from anyloss_core.paper.parts import plan
from anyloss_core.paper.together import perform_all


def ignore(share, message):
    pass


def test_processes_tell_how_far_the_whole_is(slp_results, slp_told):
    shares = [share for share, _ in slp_told]
    assert set(slp_results) == {1, 3}
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert any("data set 1" in message and "data set 3" in message for _, message in slp_told)


def test_what_the_progress_raises_ends_the_work():
    def stop(share, message):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(perform_all(plan(["slp"], [1, 3]), {}, stop, {}, workers=2))


def test_a_fault_in_another_process_reaches_the_caller(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("age\n1\n")
    with pytest.raises(ValueError, match="needs the column 'diabetes'"):
        list(
            perform_all(
                plan(["valid_range", "slp"], [4]), {4: path}, lambda *_: None, {}, workers=2
            )
        )


def test_one_task_stays_in_this_process():
    told = []
    ((task, result),) = perform_all(
        plan(["valid_range"], []), {}, lambda share, message: told.append(share), {}
    )
    assert (task.key, len(result.cells)) == ("valid_range", 48)
    assert max(told) <= 1

"""Lessons to take home: every one becomes a file with its guess, and all of them a zip."""

import io
import json
import re
import zipfile

import pytest

from anyloss_core.teaching.lessons import LESSONS
from pages.ui.teach import course


@pytest.fixture(scope="module")
def archive():
    return zipfile.ZipFile(io.BytesIO(course.course()))


def test_the_zip_has_all_lessons_and_the_notes(archive):
    names = [course.file_name(number, each) for number, each in enumerate(LESSONS, start=1)]
    assert archive.namelist() == ["notes_for_the_teacher.md", *names]
    assert archive.read("notes_for_the_teacher.md").startswith(b"# Lessons on losses")


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_file_asks_first_and_answers_every_guess(number, archive):
    lesson = LESSONS[number - 1]
    file = archive.read(course.file_name(number, lesson)).decode()
    assert len(file) < 9_000_000
    told = json.loads(re.search(r'id="lesson">(.*?)</script>', file)[1])
    assert told["guess"]["question"] == lesson.guess.question
    assert told["parts"][0]["text"] == course.MOVES.get(lesson.name, lesson.move)
    assert not any(word in told["parts"][0]["text"] for word in ("press", "then draw", "Compare,"))
    assert told["parts"][-1]["text"] == lesson.see
    if lesson.guess.kind == "curve":
        return
    frames = json.loads(told["guess"]["answered"][0]["data"])
    words = [words[0]["text"] for words in frames["charts"]["words"]]
    assert words == [lesson.guess.verdict(value) for value in frames["values"]]
    assert sum(words[0]["holds"] for words in frames["charts"]["words"]) == 1


def test_the_notes_and_files_are_offered_under_a_lesson(open_page):
    page = open_page("lessons", step=1, share=5)
    page.session_state["course"] = True
    page.run()
    assert not page.exception
    assert "**Three minutes.**" in " ".join(part.value for part in page.markdown)

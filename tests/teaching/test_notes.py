"""Notes for the teacher: every lesson has one, with its guess and the right answer."""

from anyloss_core.teaching.lessons import LESSONS
from anyloss_core.teaching.notes import NOTES, as_markdown, note_text


def test_every_lesson_has_a_note():
    assert list(NOTES) == [lesson.name for lesson in LESSONS]


def test_a_note_tells_what_is_asked_and_what_is_right():
    for lesson in LESSONS:
        text = note_text(lesson.name)
        assert lesson.guess.question in text
        assert lesson.guess.right in text
        for point in ("Goal", "Ask", "Expect", "Three minutes", "Ten minutes"):
            assert f"**{point}.**" in text


def test_the_page_of_notes_has_all_lessons_in_order():
    titles = [line for line in as_markdown().splitlines() if line.startswith("## ")]
    assert titles == [f"## {n}. {lesson.title}" for n, lesson in enumerate(LESSONS, start=1)]

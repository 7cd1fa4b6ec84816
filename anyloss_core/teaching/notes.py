"""Notes for who teaches the lessons: what each is for, what to ask, what to expect, how long.

Plain data beside the lessons; the page *Lessons* shows them and the course for home contains them.
"""

from dataclasses import dataclass

from anyloss_core.teaching.lessons import LESSONS


@dataclass(frozen=True)
class Note:
    """What a teacher wants to know of one lesson before the class comes in."""

    goal: str
    ask: str
    expect: str  # what the class will say, and what is right
    three: str  # what to do in three minutes
    ten: str  # and in ten


NOTES = {
    "accuracy": Note(
        "Accuracy rewards giving up the rare class.",
        "You are ill. Which of the two classifiers do you want?",
        "Most guess that the classifier that tries is right more often. It is right less often "
        "(93.75 % against 95 %), and the only one that finds anybody. With half of the patients "
        "ill the two orders agree.",
        "Guess, show, move the share from 5 to 50.",
        "Let somebody name a job of their own with rare positives and set its share. Then *Set the "
        "four counts yourself*, until accuracy and F1 disagree as much as they can.",
    ),
    "amplifier": Note(
        "A threshold cannot be learnt from, a steep curve can.",
        "Where on your curve would a point learn most?",
        "Sketches are steps, straight lines or S-curves. Any S-curve is right; a step has no "
        "slope, a line is no decision. The slope sits at the threshold: rows near it learn.",
        "Sketch, show, drag L from 1 to 30.",
        "Compare the sketches of the class. Drag L to 150 and ask who still learns; that question "
        "is the lesson after the next.",
    ),
    "too_small": Note(
        "Below a smallest L the curve pulls p towards 0.5: it measures the wrong thing.",
        "Which L would you take for a measure, which for the start of a training?",
        "The class takes 0.02, because the amplifier amplifies. It is 0.12. From about L = 5.5 on "
        "p = 0.1 moves outwards (t = 0.1); a training may begin lower and let L rise.",
        "Choose, show, drag L until the first sentence turns good.",
        "Change the accuracy level on *Approximation*: a stricter t needs a larger L. Then *L "
        "sweep* on one data set.",
    ),
    "too_large": Note(
        "A computer has finitely many digits: a curve that is too steep stops learning.",
        "float32 has half the digits. What becomes of the largest L?",
        "Guesses lie near 73 or 36. It is 33: 1 - A drowns beside 1 at half the exponent. The cure "
        "is to compute 1 - A on its own (*complement-safe*), not to give up float32.",
        "Guess, switch to float32, drag L back until nothing is shaded.",
        "*Approximation*, learning curves with L = 5 and 100: watch the share of rows that no "
        "longer learn.",
    ),
    "soft_matrix": Note(
        "Sums of A(p) are counts with a slope: any metric becomes a loss.",
        "Which of the four counts changes most when L is small, and why?",
        "The soft F1 is lower than the hard one (0.38 against 0.54 at L = 5): a few tenths of "
        "many negatives add up to false positives. At L = 60 both agree.",
        "Guess, show, move L from 5 to 60.",
        "Write 1 - F1 with the soft counts and let the class differentiate it by TP. Check it on "
        "*Any metric*.",
    ),
    "side_by_side": Note(
        "With rare positives the loss decides whether they are found.",
        "Which loss finds most positives at p above 0.5? Is that the loss's merit alone?",
        "BCE finds 1 of 60, MSE 10, SOL and AnyLoss 16. Somebody will say 'move the threshold': "
        "right, and that is lessons 7 and 8.",
        "Guess, train at 19 : 1, switch from F1 to accuracy.",
        "Train at 1 : 1 as well: the four agree. Look at recall at 49 : 1.",
    ),
    "real": Note(
        "A difference needs a probability, and a size that matters.",
        "Which difference in F1 would matter to you? Set the rope there before you look.",
        "The class expects AnyLoss to win against both. Against BCE it does; against BCE with a "
        "tuned threshold no winner can be named on data set 1.",
        "Choose, show, move the rope from 0 to 0.05.",
        "Compare on a data set of the class, with *BCE with a tuned threshold* among the losses.",
    ),
    "helps": Note(
        "A threshold moves a line, a loss can turn it: that is where it helps.",
        "Draw data on which AnyLoss beats every threshold. Then data on which it cannot.",
        "Most expect AnyLoss to help wherever positives are rare. It helps where the straight line "
        "must be wrong somewhere: F1 0.54 against 0.30. On two round clouds a tuned threshold is "
        "as good; with hidden units BCE is even better on the first data.",
        "Guess, play both examples.",
        "Everybody draws; collect links of drawings in which the two lines differ, and have the "
        "class say why.",
    ),
}


def as_markdown() -> str:
    """All notes as one page."""
    parts = ["# Lessons on losses: notes for the teacher\n"]
    for number, lesson in enumerate(LESSONS, start=1):
        parts.append(f"## {number}. {lesson.title}\n\n{note_text(lesson.name)}\n")
    return "\n".join(parts)


def note_text(name: str) -> str:
    """The note of a lesson, a paragraph a point."""
    note = NOTES[name]
    guess = next(lesson.guess for lesson in LESSONS if lesson.name == name)
    points = {
        "Goal": note.goal,
        "The guess": f"{guess.question} *{guess.right}* {guess.because}",
        "Ask": note.ask,
        "Expect": note.expect,
        "Three minutes": note.three,
        "Ten minutes": note.ten,
    }
    return "\n\n".join(f"**{name}.** {text}" for name, text in points.items())

"""The lessons as plain data: each asks one thing, lets one thing be moved and says what is seen.

How a lesson is drawn is its page's matter; the answers and figures named here are recomputed by
the tests.
"""

from dataclasses import dataclass

from anyloss_core.losses.approximation import approximate
from anyloss_core.teaching.guesses import ChoiceGuess, CurveGuess, Guess, NumberGuess

SKETCHED_L = 20.0  # of the curve that lesson 2 asks for
SKETCHED_AT = tuple(place / 20 for place in range(21))


@dataclass(frozen=True)
class Lesson:
    """One step: a question, a guess, something to move, what there is to see."""

    name: str  # stays, in the guesses of classes and in the names of files
    title: str
    question: str
    guess: Guess
    move: str
    see: str
    further: tuple[str, str] = ("", "")  # the address of a page, and what its link says


LESSONS = (
    Lesson(
        "accuracy",
        "Why 95 % accuracy can be worthless",
        "Five of a hundred patients are ill. A classifier calls everybody healthy. How good is it?",
        NumberGuess(
            "Another classifier tries: it finds 70 % of the ill and alarms 5 % of the healthy. In "
            "how many per cent of the patients is it right?",
            *(0.0, 100.0, 1.0, 93.75),
            "0.05 · 70 % + 0.95 · 95 %. The lazy classifier, which finds nobody, is right in 95 %: "
            "by accuracy it is the better one.",
            unit=" %",
        ),
        "Move the share of ill patients; then set the four counts yourself, below the chart.",
        "Accuracy praises the lazy classifier the more, the rarer the illness. Recall, F1 and MCC "
        "are not fooled: it finds nobody.",
        ("metric", "The same matrix with any metric"),
    ),
    Lesson(
        "amplifier",
        "From threshold to amplifier",
        "A metric needs yes or no. A threshold at 0.5 gives it, but a step has no slope: nothing "
        "to learn from. Can a curve be almost a step and still have a slope?",
        CurveGuess(
            "Sketch one: which value should it give to each probability p?",
            SKETCHED_AT,
            *(0.0, 1.0),
            tuple(approximate(p, SKETCHED_L) for p in SKETCHED_AT),
            "There are many such curves. The paper takes the logistic one, "
            "A(p) = 1 / (1 + exp(-L (p - 0.5))): L says how close it comes to the step.",
            *(f"A(p) with L = {SKETCHED_L:g}", "p", "value"),
        ),
        "Drag L to the right.",
        "A(p) comes close to the step at 0.5 and still has a slope, which gathers around the "
        "threshold. L can be too small or too large for that: what gets shaded at the ends is "
        "told in the next two lessons.",
    ),
    Lesson(
        "too_small",
        "L too small",
        "If a gentle curve is easy to learn from, why not take a very gentle one?",
        ChoiceGuess(
            "With L = 5, what becomes of p = 0.1?",
            (
                "0.02: pushed towards 0, as a threshold would",
                "0.10: it stays where it is",
                "0.12: pulled towards 0.5",
            ),
            2,
            "A(0.1) = 1 / (1 + exp(5 · 0.4)) = 0.119. A gentle curve does not reach the corners.",
        ),
        "Drag L until the first sentence turns good.",
        "Below its minimum, A pulls p towards 0.5 instead of away from it: p = 0.1 becomes 0.12. "
        "The soft counts are then further from the truth than p itself. As a measure such an A is "
        "wrong, and that is why the paper asks for L of at least 5.5 (t = 0.1). As a start of a "
        "training it can be right, for every row still has a slope. So the Lab's own recipe begins "
        "at L = 1 (MLP), 2 (single layer) or 5 (more than 10,000 rows) and lets L rise to 10, 20 "
        "or 73. Compare and Train try it beside others, and keep what does best on inner folds.",
        ("sweep", "Which L trains best, on many real tables"),
    ),
    Lesson(
        "too_large",
        "L too large: no more update",
        "Then why not take an enormous L, almost a true step?",
        NumberGuess(
            "In float64, which has 16 digits, p = 0.999 can still learn at L = 73. float32 has "
            "7 digits. Up to which L can it learn there?",
            *(1.0, 150.0, 1.0, 33.0),
            "As soon as exp(-L · 0.499) drowns beside 1, A(p) is exactly 1 and its slope exactly "
            "0. 7 digits are lost at less than half the L of 16.",
        ),
        "Switch to float32, then drag L back until nothing is shaded.",
        "A computer has finitely many digits: A(p) becomes exactly 1, its slope exactly 0, and "
        "the network learns nothing more from the sample. float32 has half the digits, so it "
        "happens at half the L: 73, the paper's choice, is too large for it, unless 1 - A is "
        "computed with care.",
        ("approximation", "Train with several L and watch samples die"),
    ),
    Lesson(
        "soft_matrix",
        "The soft confusion matrix becomes a loss",
        "Four counts make every metric. What if the counts are sums of A(p) instead of ones?",
        NumberGuess(
            "On data set 1 a logistic regression has F1 = 0.54. What is F1 of the sums of A(p), "
            "with L = 5?",
            *(0.0, 1.0, 0.01, 0.38),
            "A gentle A calls every row a little positive: the many negatives add up to false "
            "positives, and no positive counts in full.",
        ),
        "Move L and compare the two matrices.",
        "The soft matrix comes close to the hard one as L grows, and so does its F1. But unlike "
        "the hard one it changes a little when a weight changes a little: 1 - F1 is a loss.",
        ("metric", "The same for any metric"),
    ),
    Lesson(
        "side_by_side",
        "BCE, MSE, SOL and AnyLoss side by side",
        "Does it matter which loss a network learns with, if the data is imbalanced?",
        NumberGuess(
            "Nineteen negatives for each positive: 60 of the rows that are held out are positive. "
            "How many of them does a network find that was trained with BCE?",
            *(0.0, 60.0, 1.0, 1.0),
            "With MSE it finds 10, with SOL or AnyLoss for F1 16. All call positive what is above "
            "0.5; a threshold tuned for F1 would let BCE find more, and that is a question of the "
            "next lesson.",
        ),
        "Choose an imbalance, press Train, then look at other metrics.",
        "BCE and MSE care about every row equally, so rare positives are easily given up: high "
        "accuracy, low recall. SOL and AnyLoss aim at F1 itself.",
        ("train", "All panels of a live training"),
    ),
    Lesson(
        "real",
        "Is the difference real?",
        "One loss scored higher. Would it again, on other patients? And does it matter?",
        ChoiceGuess(
            "On data set 1, AnyLoss-F1 is far ahead of BCE in F1. And of BCE whose threshold was "
            "tuned for F1?",
            (
                "AnyLoss-F1 is better by more than 0.01, almost surely",
                "BCE with the threshold is better by more than 0.01, almost surely",
                "No winner can be named",
            ),
            2,
            "Over ten folds the difference lies inside the rope of 0.01 with a probability of "
            "92 %, less than the 95 % from which the Lab calls it a draw.",
        ),
        "Compare, then move the rope.",
        "Ten folds of data set 1 give ten differences, and from them the probability that the true "
        "one lies above, inside or below the rope. AnyLoss-F1 is far ahead of BCE, but BCE with a "
        "threshold tuned for F1 closes the gap: there no winner can be named. On other data the "
        "answer differs; that is why it is asked each time.",
        ("compare", "Compare any losses on your data"),
    ),
    Lesson(
        "helps",
        "When does it help?",
        "BCE with a tuned threshold is hard to beat. Are there data on which no threshold is "
        "enough?",
        ChoiceGuess(
            "A quarter of the positives lies far off on the other side. A straight line, trained "
            "with BCE, its threshold tuned for F1, reaches F1 = 0.30. Which is the best way to a "
            "better line?",
            ("another threshold", "training five times as long", "another loss: F1 itself"),
            2,
            "The best threshold there is gives 0.32, five times as many epochs 0.30; AnyLoss-F1 "
            "turns the line and reaches 0.54.",
        ),
        "Look at both examples, then draw your own: where does the line of AnyLoss turn away from "
        "that of BCE?",
        "A threshold moves the line, a loss can turn it. Where a straight line cannot be right for "
        "all rows, BCE compromises between them and AnyLoss-F1 gives up those that cost F1. Where "
        "the model fits the data, as two round clouds do, or could bend, a tuned threshold did as "
        "well or better here. On 13 of 67 real tables a straight line trained with AnyLoss-F1 was "
        "ahead by 0.02 F1 or more: 0.54 against 0.49, and BCE trained five times as long stayed "
        "at 0.49. For an MLP they were 17: 0.56 against 0.53, and four times as long stayed at "
        "0.53. (Tables picked by their gain overstate it.) With fewer than 60 rows of the rarer "
        "class a tuned threshold was 0.07 short of the best one in hindsight, with more than 400 "
        "it was 0.01.",
        ("compare", "Find out on your own data"),
    ),
)

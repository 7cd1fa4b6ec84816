"""The lessons without training: a lazy classifier is seen through, soft counts come close."""

import numpy as np
import pytest
from sklearn import metrics

from anyloss_core.losses.approximation import valid_range
from pages.ui.teach import lessons
from tests.pages.conftest import all_text, charts, drawn


def test_the_soft_matrix_comes_close_to_the_hard_one(open_page):
    def gap(L):
        sentence = all_text(open_page("lessons", step=5, L=L))
        return float(sentence.split("gap ")[1].split(". ")[0])

    assert gap(60) < gap(3) / 5


def clinic(ill, tpr, fpr):
    """Answers and truth of 1,000 patients."""
    truth = np.repeat([1, 0], [ill, 1000 - ill])
    found, alarmed = round(ill * tpr), round((1000 - ill) * fpr)
    return truth, np.concatenate([np.arange(ill) < found, np.arange(1000 - ill) < alarmed])


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_the_honest_classifier_isjudged_as_sklearn_would(share):
    truth, answers = clinic(round(1000 * share), 0.7, 0.05)
    judged = lessons.judged(share).set_index("metric")
    oracles = {
        "accuracy": metrics.accuracy_score,
        "recall": metrics.recall_score,
        "F1": metrics.f1_score,
        "balanced accuracy": metrics.balanced_accuracy_score,
        "MCC": metrics.matthews_corrcoef,
    }
    assert list(judged.index) == list(oracles)
    for name, oracle in oracles.items():
        assert judged.loc[name, "honest"] == pytest.approx(oracle(truth, answers)), name


def test_the_lazy_classifier_is_praised_by_accuracy_alone():
    lazy = lessons.judged(0.05).set_index("metric")["lazy"]
    assert lazy.to_dict() == pytest.approx(
        {"accuracy": 0.95, "recall": 0, "F1": 0, "balanced accuracy": 0.5, "MCC": 0}
    )


def first():
    from pages.ui.teach import lessons

    lessons.worthless(lessons.WORTHLESS.open())


def test_the_share_of_the_ill_can_be_moved():
    page = drawn(first)
    page.slider[0].set_value(30).run()
    alt = charts(page)["lazy_classifier"]["alt"]
    assert alt == "With 30% ill, the lazy classifier has accuracy 0.70 and recall 0.00."
    assert "matrix.roc" not in charts(page)


def test_the_counts_of_lesson_1_can_be_set(open_page):
    page = open_page("lessons", step=1, tn=80, fp=10, fn=3, tp=7)
    assert not page.exception
    assert "F1 = 0.519" in all_text(page)
    assert charts(page)["matrix.roc"]["alt"].endswith("this matrix lies at 0.111 and 0.700.")


def fourth():
    from pages.ui.teach import lessons

    lessons.too_large(lessons.TOO_LARGE.open())


def test_fewer_digits_leave_fewer_values_of_L():
    page = drawn(fourth)
    for dtype in ("float64", "float32"):
        page.button_group(key="lesson4.dtype").set_value(dtype).run()
        largest = valid_range(0.001, dtype).maximum
        assert largest < 100
        alt = charts(page)["range"]["alt"]
        assert alt.endswith(f"to {largest:.2f}; L = 100 lies outside.")

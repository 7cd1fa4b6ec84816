"""scikit-learn's own checks of an estimator, in full; none is expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from anyloss_core import AnyLossClassifier


@parametrize_with_checks(
    [
        AnyLossClassifier(),
        AnyLossClassifier("gmean", loss="sol", hidden=(4,), warm_up=0.2, epochs=60, lr=0.1),
    ]
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)

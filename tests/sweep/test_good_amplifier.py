"""The study of L over many tables: judged right, said right, resumed where it stopped."""

import pandas as pd
import pytest

from anyloss_core.sweep import good_amplifier as study


@pytest.fixture
def two_tables():
    rows = [
        (table, "slp", 0.7, "f1", setting, score, 0.0)
        for table, scores in {
            "a": {"5": 0.70, "73": 0.80, "5..73": 0.80},
            "b": {"5": 0.60, "73": 0.50, "5..73": 0.595},
        }.items()
        for setting, score in scores.items()
    ]
    return pd.DataFrame(
        rows, columns=["dataset", "model", "warm_up", "metric", "setting", "score", "dead_share"]
    )


def test_ties_share_their_places_and_near_ones_will_do(two_tables):
    judged = study.judge(two_tables).set_index("setting")
    assert judged.loc["5..73", "rank"] == pytest.approx((1.5 + 2) / 2)
    assert judged.loc["73", "rank"] == pytest.approx((1.5 + 3) / 2)
    assert judged["will_do"].to_dict() == {"5": 0.5, "73": 0.5, "5..73": 1.0}
    assert judged.loc["5", "behind"] == pytest.approx(0.05)


def test_the_answer_names_the_best_rank(two_tables):
    assert study.answer(two_tables) == (
        "Over 2 real tables, the ramp 5 to 73 ranks best for F1 (within 0.01 of the best on 100% "
        "of them, L = 73 on 50%; as near on average: L = 5 to 73)."
    )


def test_no_one_range_of_L_fits_both_models():
    """What a page or README says of a good L names the model."""
    slp, mlp = (study.judge(study.load_study(model, 0.7)) for model in study.MODELS)
    for metric in study.METRICS:
        single = study.good_range(slp[slp["metric"] == metric])
        hidden = study.good_range(mlp[mlp["metric"] == metric])
        assert single[0] > hidden[0]
        assert single[1] > hidden[1]
        assert hidden[0] < 5.5  # below what the paper's condition asks for at t = 0.1


def test_a_study_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "AMPLIFIERS", (5, "5..73"))
    monkeypatch.setattr(study, "METRICS", ("f1",))
    monkeypatch.setattr(study, "SETTINGS", {"folds": 2, "epochs": 3})
    file = tmp_path / "study.csv"
    data = [f"synthetic:rows=120,features=2,imbalance=3,seed={seed}" for seed in (1, 2)]
    study.run_study(data[:1], file, "slp", 0.0)
    study.run_study(data, file, "slp", 0.0)
    study.run_study(data[:1], file, "slp", 0.5)
    table = study.load_study("slp", 0.0, file)
    assert table["dataset"].tolist() == [data[0]] * 2 + [data[1]] * 2
    assert table["setting"].tolist() == ["5", "5..73"] * 2

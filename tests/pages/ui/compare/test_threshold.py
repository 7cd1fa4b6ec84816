"""The sliders of threshold and share: what is sent to the browser, and what the page then holds."""

import json

import pytest

from tests.pages.conftest import charts, clean, drawn


def moving(comparison, metric="f1", **settings):
    from pages.ui.compare import threshold
    from pages.ui.compare.controls import BOARD
    from pages.ui.compare.panels import ComparisonView

    for name, value in settings.items():
        BOARD.set(name, value)
    asked = (metric, "anyloss:f1", "bce", 0.01)
    threshold.section(ComparisonView(*asked, comparison, f"cut.{metric}", (metric,)))


def sent(page):
    """Frames by channel."""
    frames = [
        json.loads(node.proto.bytes)
        for node in page.get("bidi_component")
        if node.proto.component_name.endswith("share_frames")
    ]
    return {each["channel"]: each for each in frames}


def test_every_threshold_and_every_share_has_its_frame(comparison):
    frames = sent(drawn(moving, comparison=comparison))
    cut, world = frames["compare.threshold"], frames["compare.share"]
    assert len(cut["values"]) >= 101
    assert 1.0 in world["values"]
    for each in (cut, world):
        assert {len(entries) for entries in each["charts"].values()} == {len(each["values"])}
    words = [line["text"] for line in cut["charts"]["words"][50]]
    assert words[0].startswith("F1: 0.")
    assert "raise an alarm" in words[1]


def test_charts_follow_the_sliders_and_tell_where_they_stand(comparison):
    found = charts(drawn(moving, comparison=comparison))
    assert found["threshold_matrix"]["channels"][0] == ["compare.threshold", 0.5]
    assert [name for name, _ in found["threshold_matrix"]["channels"]] == [
        "compare.threshold",
        "compare.share",
    ]
    assert "at the threshold 0.5" in found["threshold_matrix"]["alt"]


def test_a_link_holds_threshold_share_and_model(open_page, made):
    page = clean(
        open_page("compare", run=made, view="predictions", cut="bce", threshold=0.25, share=1)
    )
    found = charts(page)
    assert found["threshold_matrix"]["channels"] == [
        ["compare.threshold", 0.25],
        ["compare.share", 1],
    ]
    assert "of 10 positives found" in found["threshold_matrix"]["alt"]
    assert any(text.value.startswith("With 1 % positives: ") for text in page.text)


def test_another_model_begins_at_its_own_threshold(open_page, made):
    page = open_page("compare", run=made, view="predictions", cut="bce", threshold=0.25)
    page.selectbox(key="compare.cut").set_value("bce+threshold").run()
    value = charts(clean(page))["threshold_matrix"]["channels"][0][1]
    assert value not in (0.25, 0.5)
    assert "threshold" not in page.query_params


def test_a_threshold_of_a_loss_that_is_not_here_is_forgotten(open_page, made):
    page = open_page("compare", run=made, view="predictions", cut="focal", threshold=0.2)
    assert charts(clean(page))["threshold_matrix"]["channels"][0][1] == 0.5
    assert "threshold" not in page.query_params


@pytest.mark.parametrize("settings", [{"threshold": 0.0}, {"threshold": 1.0}, {"share": 99.0}])
def test_the_ends_of_the_sliders_are_no_obstacle(comparison, settings):
    drawn(moving, comparison=comparison, **settings)


def test_a_loss_that_diverged_is_named(comparison):
    from dataclasses import replace

    lost = replace(
        comparison, probabilities=comparison.probabilities.assign(**{"anyloss:f1": float("nan")})
    )
    page = drawn(moving, comparison=lost, metric="gmean")
    assert any("diverged" in caption.value for caption in page.caption)

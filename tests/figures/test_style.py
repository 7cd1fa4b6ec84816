"""One colour and dash per loss, text shown as typed, one layout."""

import pytest

from anyloss_core.figures.style import (
    LOSS_COLOURS,
    NEGATIVE_CLASS,
    POSITIVE_CLASS,
    family_of,
    loss_colour,
    loss_line,
    new_figure,
    plain,
    see_through,
)


def test_every_loss_has_its_own_colour_and_line():
    looks = {(line["color"], line["dash"]) for line in map(loss_line, LOSS_COLOURS)}
    assert len(set(LOSS_COLOURS.values())) == len(LOSS_COLOURS)
    assert len(looks) == len(LOSS_COLOURS)


def test_classes_have_colours_that_no_loss_has():
    def channels(colour):
        return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]

    for own in (NEGATIVE_CLASS, POSITIVE_CLASS):
        for loss in LOSS_COLOURS.values():
            apart = sum((a - b) ** 2 for a, b in zip(channels(own), channels(loss), strict=True))
            assert apart > 50**2, (own, loss)


@pytest.mark.parametrize("spelling", ["anyloss:TP/(TP+FN)", "sol:mcc", "adaline", "bce@lr=0.1"])
def test_a_colour_depends_on_the_spelling_alone(spelling):
    assert loss_colour(spelling) == loss_colour(spelling)
    assert loss_colour(spelling).startswith("#")


def test_options_shade_the_colour_of_the_loss():
    assert len({loss_colour(f"anyloss:f1@L={L}") for L in (5, 10, 50, 73)}) == 4


def test_families_differ_in_their_dash():
    spellings = ("anyloss:f1", "sol:f1@mu=0.4", "soft:f1", "sigmoid_f1", "bce")
    assert family_of("sol:f1@mu=0.4") == "sol"
    assert len({loss_line(spelling)["dash"] for spelling in spellings}) == 5


def test_a_colour_is_made_see_through():
    assert see_through("#1A7FC8", 0.25) == "rgba(26,127,200,0.25)"


def test_titles_of_axes_are_shown_as_typed():
    figure = new_figure("<b>x</b>", "%{y}", height=200, showlegend=False)
    assert figure.layout.xaxis.title.text == "&lt;b&gt;x&lt;/b&gt;"
    assert figure.layout.yaxis.title.text == plain("%{y}") == "%&#123;y}"
    assert figure.layout.height == 200
    assert figure.layout.uirevision == "keep"

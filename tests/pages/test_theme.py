"""The colours of both themes can be read: WCAG's 4.5 to 1 for captions, buttons and links."""

import tomllib
from pathlib import Path

import pytest

SETTINGS = tomllib.loads(
    (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8")
)
READABLE = 4.5
CAPTION = 0.6  # opacity of Streamlit's captions


def channels(colour):
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def luminance(rgb):
    """Of WCAG 2."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("background", ["backgroundColor", "secondaryBackgroundColor"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_captions_can_be_read(theme, background):
    colours = SETTINGS["theme"][theme]
    text, ground = channels(colours["textColor"]), channels(colours[background])
    shown = [CAPTION * t + (1 - CAPTION) * g for t, g in zip(text, ground, strict=True)]
    assert contrast(shown, ground) >= READABLE


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_words_on_a_button_can_be_read(theme):
    primary = channels(SETTINGS["theme"][theme]["primaryColor"])
    assert contrast([1, 1, 1], primary) >= READABLE


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_links_can_be_read(theme):
    colours = SETTINGS["theme"][theme]
    link = channels(colours.get("linkColor", colours["primaryColor"]))
    for background in ("backgroundColor", "secondaryBackgroundColor"):
        assert contrast(link, channels(colours[background])) >= READABLE

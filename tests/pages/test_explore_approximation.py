"""The page Approximation: presets, hidden controls, a training of several L."""


def test_a_preset_sets_the_link(open_page):
    page = open_page("approximation", dtype="float32")
    assert not page.exception
    page.button(key="preset:L = 100: 0.9 becomes 1.0").click().run()
    assert not page.exception
    assert page.query_params["L"] == "100"
    assert "dtype" not in page.query_params


def test_no_preset_moves_an_L_that_is_hidden(open_page):
    page = open_page("approximation", hide="L")
    assert not [button for button in page.button if button.key.startswith("preset:")]


def test_several_L_are_trained_and_the_dead_are_counted(open_page, finished):
    page = open_page("approximation", values="5;100")
    page.button(key="curves.start").click().run()
    page = finished(page)
    words = page.main.markdown[-1].value
    assert not page.exception
    assert "L = 5: loss" in words
    assert "L = 100: loss" in words
    assert "no more update from epoch" in words.split("L = 100")[1]

"""The page Approximation: presets and hidden controls."""


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

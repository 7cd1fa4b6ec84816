"""Settings live in the URL: links set widgets, widgets set links, nothing is lost between."""


def test_a_link_sets_the_widgets_and_the_widgets_set_the_link(open_page):
    page = open_page("metric", metric="gmean", L="20")
    assert page.selectbox[0].value == "gmean"
    page.slider[0].set_value(30.0).run()
    assert page.query_params["L"] == "30"
    page.slider[0].set_value(73.0).run()  # the default leaves the link short
    assert "L" not in page.query_params


def test_two_changes_in_a_moment_are_both_kept(open_page):
    page = open_page("metric", metric="gmean")
    page.slider[0].set_value(30.0).run()
    del page.query_params["L"]  # the browser sends the next change before it hears of this one
    page.selectbox[0].set_value("mcc").run()
    assert page.slider[0].value == 30.0
    assert page.selectbox[0].value == "mcc"
    assert (page.query_params["L"], page.query_params["metric"]) == ("30", "mcc")


def test_a_choice_that_the_browser_lost_is_drawn_again(open_page):
    page = open_page("sweep", model="mlp")
    model = page.button_group(key="sweep.model").set_value(None)
    model.run()
    assert not page.exception
    assert page.query_params["model"] == "mlp"
    page.run()
    assert page.button_group(key="sweep.model").value == "mlp"


def test_an_earlier_address_opens_the_earlier_settings(open_page, monkeypatch):
    page = open_page("metric", metric="gmean")
    page.slider[0].set_value(30.0).run()
    monkeypatch.setattr("pages.ui.base.state.LAG_SECONDS", 0.0)  # some time later
    del page.query_params["L"]
    page.run()
    assert page.slider[0].value == 73.0

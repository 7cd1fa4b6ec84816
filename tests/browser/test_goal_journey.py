"""The goal first, the answer first: from the price of each mistake to what to do."""

DATA = "synthetic:rows=300,features=3,imbalance=4,seed=2"
ANSWER = "css=p >> text=/^(Use|Not decided)/"
COST = "cost: miss=10, alarm=1, hit=0, in=EUR"


def compare_by_cost(visit):
    """A comparison whose goal is money."""
    visit.open("compare", data=DATA, folds=3, epochs=20, repeats=1)
    visit.see("What do you want to maximise?")
    visit.page.get_by_role("radio", name="Money").click()
    visit.see("(0 * TP - 10 * FN - 1 * FP) / (10 * P)")
    visit.linked(f"goal={COST}".replace(" ", "+"))
    visit.see("About ")
    visit.page.get_by_role("button", name="Compare", exact=True).last.click()
    visit.page.locator(ANSWER).first.wait_for(timeout=120_000)
    visit.settle()


def in_sight(visit, place):
    """Whether a node lies in the window without scrolling."""
    box = visit.page.locator(place).first.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= visit.page.viewport_size["height"]


def test_a_price_for_each_mistake_leads_to_what_to_do(visit, new_visit):
    visit.page.set_viewport_size({"width": 1280, "height": 720})
    compare_by_cost(visit)
    assert in_sight(visit, ANSWER)
    words = visit.page.locator(ANSWER).first.inner_text()
    assert "EUR per 1,000 rows" in visit.text() or visit.page.locator("canvas").count()

    guest = new_visit()
    guest.page.set_viewport_size({"width": 390, "height": 844})
    guest.open("compare", run=visit.query().partition("run=")[2][:32])
    assert guest.page.locator(ANSWER).first.inner_text() == words
    assert in_sight(guest, ANSWER)
    wide = guest.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    guest.linked("goal=cost")


def test_the_goal_can_be_chosen_by_keyboard_and_goes_along(visit):
    visit.open("compare", data=DATA)
    visit.page.get_by_role("radio", name="A metric").focus()
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("ArrowRight")
    visit.page.keyboard.press("Enter")
    visit.see("max(0.9 - TP / P, 0)")
    visit.linked("goal=precision")
    visit.page.get_by_role("link", name="Runs").click()
    visit.see("Every run of this browser")
    visit.linked("goal=precision")

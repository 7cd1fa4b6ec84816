"""axe-core on every page, light and dark, with what opens on it; and what a keyboard can do."""

from __future__ import annotations

from importlib.resources import files

from tests.browser.every_view import OPEN, every_view, open_expanders
from tests.browser.test_formulas import BUSY, close

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
# axe sees no colours inside of a drawing; what a chart says stands in its alt text.
FIND = """async ([within, rules]) => {
  const options = {resultTypes: ["violations"], preload: false};
  if (rules) options.runOnly = rules;
  const where = {include: [within], exclude: [[".live-chart .main-svg"]]};
  const {violations} = await axe.run(where, options);
  const named = (node) => {
    const element = node.target.length === 1 && typeof node.target[0] === "string"
      ? document.querySelector(node.target[0]) : null;
    const owner = element?.closest("[data-testid]")?.dataset.testid ?? "";
    return `${owner} ${node.html.slice(0, 160)}`;
  };
  return violations.flatMap(({id, nodes}) => nodes.map((node) => [id, named(node)]));
}"""
# What Streamlit 1.67 draws so, and no setting of ours changes: rule, what names the place, why.
STREAMLITS_OWN = (
    ("color-contrast", "<p>Activation</p>", "the name of a field that is switched off is grey"),
    ("color-contrast", 'stCode <span class="token', "its colours of code in the light theme"),
    ("list", "stSidebarNavItems", "the pages of a section stand in a div inside of the list"),
    ("listitem", "stSidebarNav", "the same, seen from the pages"),
    ("presentation-role-conflict", "stFileUploaderDropzone", "a place to drop files has a label"),
    *(
        ("scrollable-region-focusable", place, "chromium lets keys scroll it")
        for place in ("katex-display", "stCode <pre", "stPopoverBody <div")
    ),
)
OPENERS = "[data-testid=stMain] [data-testid=stPopover]:visible button"
GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 22, 29)"}
WEARS = "ground => getComputedStyle(document.querySelector('.stApp')).backgroundColor === ground"
PAGE, POPOVER = ".stApp", "[data-testid=stPopoverBody]"
CONTRAST = ["color-contrast"]  # all that a theme changes
KINDS_OF_LESSONS = [{"step": 1} | OPEN, {"step": 8} | OPEN, {"step": 2}, {"step": 3}]
CLEAN = {"light": [], "dark": []}
TRIES = 5


def found(visit, within=PAGE, rules=None):
    """Findings of axe that are not Streamlit's own."""
    if not visit.page.evaluate("typeof axe === 'object'"):
        visit.page.evaluate(AXE)
    return [
        finding
        for finding in visit.page.evaluate(FIND, [within, rules])
        if not any(finding[0] == rule and place in finding[1] for rule, place, _ in STREAMLITS_OWN)
    ]


def in_other_theme(visit, theme, within=PAGE):
    """What cannot be read in the theme, which follows the computer without a reload."""
    visit.page.emulate_media(color_scheme=theme)
    visit.page.wait_for_function(WEARS, arg=GROUND[theme])
    for _ in range(TRIES):  # until all of it wears the new colours
        visit.page.wait_for_timeout(200)
        if not (unreadable := found(visit, within, CONTRAST)):
            break
    return unreadable


def in_both_themes(visit, within=PAGE):
    """All findings in the theme that the page wears, and what cannot be read in the other."""
    is_dark = visit.page.evaluate(WEARS, GROUND["dark"])
    worn, other = ("dark", "light") if is_dark else ("light", "dark")
    return {worn: found(visit, within), other: in_other_theme(visit, other, within)}


def popovers(visit, seen):
    """Open each kind of popover that was not seen yet; yields its name while it is open."""
    for place, name in enumerate(visit.page.locator(OPENERS).all_inner_texts()):
        if name in seen:
            continue
        seen.add(name)
        visit.page.locator(OPENERS).nth(place).click()
        visit.page.locator(POPOVER).first.wait_for()
        visit.settle()
        yield name
        close(visit.page.locator(POPOVER).first)


def one_of_each(views):
    """The first view of each page, and of the lessons one of each kind: all 41 take minutes."""
    chosen = {url: [settings] for url, settings in reversed(views)} | {"lessons": KINDS_OF_LESSONS}
    return [(url, settings) for url, some in chosen.items() for settings in some]


def test_axe_finds_nothing_of_ours_on_any_page(new_visit, store):
    """Begun light and dark in turn, so that each view changes its theme once."""
    visit = new_visit(width=1280, height=720, reduced_motion="reduce")
    visit.page.set_default_timeout(BUSY)
    wrong, seen = {}, set()
    for url, settings in one_of_each(every_view(store)):
        visit.open(url, **settings)
        open_expanders(visit)
        place = f"{url} {settings}"
        for theme, findings in in_both_themes(visit).items():
            wrong[f"{place}, {theme}"] = findings
        for name in popovers(visit, seen):
            wrong[f"{place}, {name}"] = found(visit, POPOVER)
    assert {place: what for place, what in wrong.items() if what} == {}
    assert len(seen) > 10, seen


def test_axe_finds_nothing_of_ours_in_dialogs(new_visit):
    visit = new_visit(width=1280, height=720, reduced_motion="reduce").open("metric")
    for opener in ("Change", "Profile"):
        visit.press(opener)
        visit.page.get_by_role("dialog").wait_for()
        assert in_both_themes(visit, "[role=dialog]") == CLEAN
        visit.page.keyboard.press("Escape")
        visit.page.get_by_role("dialog").wait_for(state="hidden")


def test_axe_finds_nothing_of_ours_in_a_class(new_visit):
    visit = new_visit(width=1280, height=720, reduced_motion="reduce").open("lessons", step=1)
    visit.press("Start a class")
    visit.see("Your class")
    assert in_both_themes(visit) == CLEAN


def test_axe_finds_nothing_of_ours_in_a_presentation(new_visit):
    visit = new_visit(width=1280, height=720, reduced_motion="reduce").open("lessons", present=1)
    assert in_both_themes(visit) == CLEAN


def test_the_first_key_skips_the_navigation(visit):
    visit.open("metric")
    visit.page.keyboard.press("Tab")
    skip = visit.page.locator("a:focus")
    assert "Skip" in skip.inner_text()
    visit.page.keyboard.press("Enter")
    assert visit.page.evaluate("document.activeElement.closest('main') !== null")


def test_the_tools_of_a_chart_are_one_stop_and_arrows_walk_between_them(visit):
    visit.open("approximation")
    tools = visit.chart("amplifier").locator(".modebar-btn")
    stops = [tool.evaluate("button => button.tabIndex") for tool in tools.all()]
    assert sorted(stops) == [-1] * (len(stops) - 1) + [0]
    tools.first.focus()
    visit.page.keyboard.press("ArrowRight")
    assert tools.nth(1).evaluate("button => button === document.activeElement")
    visit.page.keyboard.press("ArrowLeft")
    visit.page.keyboard.press("ArrowLeft")
    assert tools.last.evaluate("button => button === document.activeElement")
    assert tools.last.evaluate("button => button.tabIndex") == 0


def test_arrows_choose_in_a_row_of_choices(visit):
    visit.open("approximation").chart("amplifier")  # its component has brought the keys, too
    choices = visit.page.get_by_role("radiogroup", name="Precision").get_by_role("radio")
    choices.first.focus()
    for key, chosen in (
        ("ArrowRight", "float32"),
        ("ArrowDown", "float16"),
        ("ArrowLeft", "float32"),
    ):
        visit.page.keyboard.press(key)
        visit.linked(f"dtype={chosen}").settle()
        assert visit.page.evaluate("document.activeElement.innerText") == chosen


LUMINANCE = """colour => {
  const linear = (c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((c) => linear(c / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""
RING = f"""() => {{
  const luminance = {LUMINANCE};
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const {{outlineStyle, outlineWidth, outlineColor}} = getComputedStyle(at);
  const seen = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const [ring, ground] = [outlineColor, "{GROUND["dark"]}"].map(luminance);
  const contrast = (Math.max(ring, ground) + 0.05) / (Math.min(ring, ground) + 0.05);
  return [at.outerHTML.slice(0, 120), seen ? contrast : 0];
}}"""


def test_a_keyboard_sees_where_it_is_in_the_dark(new_visit):
    visit = new_visit(width=1280, height=720, dark=True).open("approximation")
    faint = {}
    for _ in range(35):
        visit.page.keyboard.press("Tab")
        where, contrast = visit.page.evaluate(RING)
        if contrast < 3 and not where.startswith("<body"):  # after the last stop the browser's own
            faint[where] = contrast
    assert faint == {}


def test_the_theme_can_be_chosen_in_the_menu(new_visit):
    visit = new_visit().open("metric")
    assert not visit.page.evaluate(WEARS, GROUND["dark"])
    visit.page.get_by_role("button", name="Main menu").click()
    visit.page.get_by_role("menuitemradio", name="Dark").click()
    visit.page.wait_for_function(WEARS, arg=GROUND["dark"])


def test_who_wants_no_motion_gets_none(new_visit):
    visit = new_visit(reduced_motion="reduce").open("approximation")
    longest = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((node) => {
      const { transitionDuration, animationDuration } = getComputedStyle(node);
      return `${transitionDuration},${animationDuration}`.split(",").map(parseFloat);
    }))"""
    assert visit.page.evaluate(longest) < 0.001
    lines = "[c._fullLayout.xaxis.gridcolor, c._fullLayout.font.color]"
    grid, ink = visit.chart_value("amplifier", lines)
    assert grid.startswith("rgba(")  # faint, as for everybody
    assert ink.startswith("#")


def test_enter_in_the_list_of_losses_takes_the_one_that_was_typed(visit):
    visit.open("compare", losses="bce")
    visit.page.get_by_role("combobox", name="Losses and methods").click()
    visit.page.keyboard.type("SOL-F1")
    visit.page.wait_for_timeout(300)
    visit.page.keyboard.press("Enter")
    visit.settle()
    visit.linked("losses=bce;sol:f1")

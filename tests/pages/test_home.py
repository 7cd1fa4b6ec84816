"""Home: opens, runs a first comparison, lists it."""

import os
import subprocess
import sys

from tests.pages.conftest import APP, all_text


def test_home_says_what_this_is(open_page):
    page = open_page()
    assert not page.exception
    assert page.title[0].value == "AnyLoss Lab"
    assert "None yet" in all_text(page)


def test_the_choice_of_data_opens_over_the_files_to_save(open_page):
    page = open_page()
    page.button(key="data.change").click().run()
    assert not page.exception
    assert not page.error
    saved = [button.label for button in page.get("download_button")]
    assert {"random.csv", "Download as CSV"} <= set(saved)


def test_try_it_ends_with_a_sentence_and_a_run(open_page, finished):
    page = open_page()
    page.button(key="try").click().run()
    page = finished(page)
    assert not page.exception
    assert "AnyLoss-F1 beats BCE on F1" in "".join(part.proto.body for part in page.get("html"))
    assert "First look" in all_text(page)


def test_home_opens_without_the_heavy_libraries(tmp_path):
    script = (
        "import sys; from streamlit.testing.v1 import AppTest;"
        f"page = AppTest.from_file({str(APP)!r}, default_timeout=120).run();"
        "assert not page.exception;"
        "print(sorted({'torch', 'sklearn', 'scipy', 'baycomp'} & set(sys.modules)))"
    )
    environment = os.environ | {"ANYLOSS_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=APP.parent, env=environment, capture_output=True
    )
    assert done.stdout.decode().strip() == "[]", done.stderr.decode()[-2000:]

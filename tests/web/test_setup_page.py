"""The setup page in a browser: its questions, its self-test, and its refusals."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Daemon, Visit
from tests.web.test_setup import FILE

# Count the simultaneous requests.
REQUESTS = """() => {
  let now = 0;
  const send = window.fetch;
  window.most = 0;
  window.fetch = (...request) => {
    window.most = Math.max(window.most, ++now);
    return send(...request).finally(() => now--);
  };
}"""


@pytest.mark.slow
def test_the_page_asks_tests_and_saves(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(FILE, "utf-8")
    daemon = run("--config", str(path))
    page = visit(f"{daemon.url}/setup.html")
    expect(page.locator("[data-key='A']")).to_be_visible()
    page.get_by_role("button", name="Start the self-test").click()
    expect(page.locator("#step")).to_contain_text("mA")
    page.get_by_role("button", name="Stop the self-test").click()
    expect(page.get_by_role("button", name="Start the self-test")).to_be_visible()
    page.get_by_label("What drives the LEDs?").select_option("wled")
    expect(page.get_by_label("The WLED controller’s name or address")).to_have_value("wled.local")
    page.get_by_label("Which board?").select_option("classic-3")
    page.get_by_role("button", name="Save and restart the board").click()
    expect(page.locator("#told")).to_contain_text("restarting")
    expect(page.locator("#told")).to_be_hidden(timeout=30_000)
    expect(page.get_by_label("What drives the LEDs?")).to_have_value("wled")
    assert tomllib.loads(path.read_text("utf-8"))["layout"] == "classic-3"
    visit.forgiven.append("Failed to load resource")  # while the board is away
    visit.forgiven.append("WebSocket")
    daemon.end()


@pytest.mark.slow
def test_a_simulated_board_is_asked_only_what_means_something(
    run: Callable[..., Daemon], visit: Visit
) -> None:
    """It has no parts; players and language are chosen at the table."""
    daemon = run()
    page = visit(f"{daemon.url}/setup.html", width=390, height=844)
    board = page.get_by_label("Which board?")
    expect(board).to_be_visible()
    assert page.locator("#questions [name]").count() == 1
    board.select_option("travel-2")
    page.get_by_role("button", name="Save and restart the board").click()
    expect(page.locator("#told")).to_contain_text("restarting")
    expect(page.locator("#told")).to_be_hidden(timeout=30_000)
    expect(page.get_by_label("Which board?")).to_have_value("travel-2")
    visit.forgiven += ["Failed to load resource", "WebSocket"]
    daemon.end()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_was_typed_stays_and_is_refused_at_its_question(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path, language: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(FILE, "utf-8")
    daemon = run("--config", str(path))
    page = visit(f"{daemon.url}/setup.html?lang={language}", width=390, height=844)
    supply, night = page.locator("[name='power.supply']"), page.locator("[name='night.begins']")
    expect(supply).to_be_visible()
    page.evaluate(REQUESTS)
    page.locator("[name='players']").fill("Cleo, Dan")
    night.fill("25:99")
    supply.fill("abc")
    page.locator("#questions button").click()
    for name, said in (
        ("power.supply", {"en": "not a supply current", "ja": "電源の電流ではありません"}),
        ("night.begins", {"en": "not a time of day", "ja": "時刻ではありません"}),
    ):
        refused = page.locator(f"[id='refused-{name}']")
        expect(refused).to_contain_text(said[language])
        expect(page.locator(f"[name='{name}']")).to_have_attribute("aria-invalid", "true")
    expect(supply).to_have_value("abc")
    expect(night).to_have_value("25:99")
    expect(supply).to_be_focused()
    at_once = page.evaluate("window.most")
    assert at_once == 1, "an older answer cannot arrive after a newer one and overwrite it"
    page.locator("[name='leds.driver']").select_option("wled")
    expect(page.locator("[name='leds.host']")).to_be_visible()
    expect(page.locator("[name='players']")).to_have_value("Cleo, Dan")
    expect(night).to_have_value("25:99")
    assert path.read_text("utf-8") == FILE, "nothing was written"
    supply.fill("3000")
    night.fill("22:30")
    page.locator("#questions button").click()
    expect(page.locator("#told")).to_be_visible()
    expect(page.locator("#told")).to_be_hidden(timeout=30_000)
    config = tomllib.loads(path.read_text("utf-8"))
    assert config["players"] == ["Cleo", "Dan"]
    assert config["night"] == {"begins": "22:30"}
    visit.forgiven += ["Failed to load resource", "WebSocket"]
    daemon.end()


def test_one_primary_button_and_no_words_of_the_browser(daemon: Daemon, visit: Visit) -> None:
    """A button in the page's language chooses a file, whatever the browser's language is."""
    page = visit(f"{daemon.url}/setup.html?lang=ja", width=390, height=844)
    expect(page.locator("#games label")).to_have_text("バックアップからゲームを戻す")
    expect(page.locator(".act.first")).to_have_count(1)
    box = page.locator("#games input[type=file]").bounding_box()
    assert box is not None and box["width"] <= 1
    with page.expect_file_chooser():
        page.locator("#games label").click()

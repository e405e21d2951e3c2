"""An answer that arrives after the answer to a later question changes nothing on the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.web.conftest import Daemon, Visit, until
from tests.web.test_tapping import TELL

HOLD = """(part) => {
  const send = window.fetch;
  let asked = 0;
  const held = [];
  window.release = () => {
    held.forEach((go) => go());
    return new Promise((done) => setTimeout(done)); // after all that follows at once
  };
  window.fetch = async (...request) => {
    if (!String(request[0]).includes(part)) return send(...request);
    const first = asked++ === 0;
    const answer = await (await send(...request)).json();
    if (first) await new Promise((go) => {
      held.push(go);
      document.body.dataset.held = part;
    });
    return { json: async () => answer };
  };
}"""
"""Delays the answer to the first request of an address."""
VECTORS = Path(__file__).parents[1] / "vectors"


def hold(page: Page, part: str) -> None:
    page.evaluate(HOLD, part)


def release(page: Page) -> None:
    page.wait_for_selector("body[data-held]")
    page.evaluate("window.release()")


@pytest.mark.slow
def test_the_position_that_was_judged_last(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    page.goto(f"{daemon.url}/position.html")
    judge = page.locator("[data-focus=judge]")
    hold(page, "position?")
    judge.click()  # without cards
    for card in ["5H", "6S", "7D", "8C", "JH", "QS"]:
        page.locator(f".pack .target[data-card='{card}']").click()
    judge.click()
    expect(page.locator(".judged tbody tr")).to_have_count(15)
    release(page)
    expect(page.locator(".judged tbody tr")).to_have_count(15)
    assert page.locator("#judged .refused").count() == 0


def test_the_move_that_was_tapped_last(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "1 peg 12", "2 peg 7")
    page = visit(daemon.url)
    hold(page, "amend?")
    # at one moment: a sheet that loads would cover the second
    taps = "(all, texts) => texts.forEach(t => all.find(e => e.textContent.includes(t)).click())"
    page.locator(".move").evaluate_all(taps, ["12", "7"])
    dialog = page.get_by_role("dialog")
    title = dialog.get_by_role("heading").first
    expect(title).to_contain_text("7")
    before = title.text_content()
    release(page)
    assert title.text_content() == before


def test_the_partner_that_was_tapped_last(run: Callable[..., Daemon], visit: Visit) -> None:
    daemon = run()
    daemon.say("seat 1 Ann", "seat 2 Bob", "seat 3 Cy", "seat 4 Di", "game cribbage", "dealer 1")
    page = visit(daemon.url)
    page.locator("[data-focus=points1]").click()
    dialog = page.get_by_role("dialog")
    partners = dialog.get_by_role("group", name="Who").get_by_role("button")
    expect(partners).to_have_count(2)
    hold(page, "points?")
    partners.nth(1).click()
    partners.nth(0).click()
    page.wait_for_selector("body[data-held]")
    expect(partners.nth(0)).to_have_attribute("aria-pressed", "true")
    release(page)
    assert partners.nth(0).get_attribute("aria-pressed") == "true"


@pytest.mark.slow
def test_the_game_of_the_history_that_was_tapped_last(daemon: Daemon, visit: Visit) -> None:
    text = (VECTORS / "records-cribbage-2.jsonl").read_text("utf-8").splitlines()
    for row in text[:2]:
        daemon.say(*json.loads(row)["record"].splitlines()[:12])
    page = visit(daemon.url)
    page.goto(f"{daemon.url}/history.html")
    games = page.locator("[data-game]")
    expect(games.nth(1)).to_be_visible()
    hold(page, "history/")
    games.nth(0).click()
    games.nth(1).click()
    slider = page.locator("#game input[type=range]")
    expect(slider).to_be_visible()
    slider.evaluate("node => { node.dataset.mark = 'second'; }")
    release(page)
    assert slider.get_attribute("data-mark") == "second"


def test_a_hint_for_a_table_that_has_moved_on_is_not_shown(daemon: Daemon, visit: Visit) -> None:
    """A hint stays if the page has not received the hint's own line yet."""
    daemon.say("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "2 hand 2H 3S 9D TC KS KD")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    page = visit.blank()
    page.add_init_script("localStorage.setItem('boardctl.seat', '1')")
    page.goto(daemon.url)
    expect(page.locator("[data-focus=hint]")).to_be_visible()
    hold(page, "hint?")
    page.locator("[data-focus=hint]").click()
    page.wait_for_selector("body[data-held]")
    daemon.say("1 discard JH QS")
    number = daemon.state()["number"]
    expect(page.locator("body")).to_have_attribute("data-number", str(number))
    release(page)
    assert page.locator(".nudge").count() == 0


@pytest.mark.parametrize("late", ["frame", "state"])
def test_a_socket_that_was_given_up_is_not_heard(daemon: Daemon, visit: Visit, late: str) -> None:
    page = visit(daemon.url)
    heard = page.evaluate(
        """async (late) => {
          const { Link } = await import(new URL('link.js', location.href).href);
          const sockets = [];
          window.WebSocket = class { constructor() { sockets.push(this); } close() {} };
          const link = new Link(() => '');
          const heard = [];
          link.hear('state', (state) => heard.push(state));
          link.hear('frame', () => heard.push('frame'));
          link.open();
          const [old] = sockets;
          link.again();
          const data = late === 'frame' ? new Uint8Array([0, 1, 2, 3]).buffer : '{"state": "old"}';
          old.onmessage({ data });
          const before = [...heard];
          sockets[1].onmessage({ data });
          return [before, heard];
        }""",
        late,
    )
    assert heard == [[], ["old" if late == "state" else "frame"]]


def test_nothing_is_taken_back_before_the_table_is_known(daemon: Daemon, visit: Visit) -> None:
    """A tap on Undo while the page connected ended in an error, and the page waited forever for an
    answer."""
    daemon.say("dealer 1", "deal")
    page = visit.blank(390, 844)
    page.route_web_socket(re.compile("/ws"), lambda socket: None)
    page.goto(daemon.url)
    for name in ("undo", "redo"):
        expect(page.locator(f"#bar [data-focus={name}]")).to_be_disabled()


def test_the_moves_that_were_wanted_last(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "1 peg 12")
    page = visit(daemon.url)
    shown = page.locator("#moves")
    expect(shown.locator(".move").first).to_contain_text("12")
    every = shown.locator(".deal-number")
    hold(page, "moves?")
    page.locator("[data-focus=earlier]").click()  # undo the whole game
    page.wait_for_selector("body[data-held]")
    page.locator("[data-focus=earlier]").click()  # no, only this deal; one button shows both
    page.locator("[data-focus=earlier]").click()
    expect(every.first).to_be_visible()
    page.locator("[data-focus=earlier]").click()
    expect(every).to_have_count(0)
    label = page.locator("[data-focus=earlier]").inner_text()
    first = shown.locator(".move").first
    first.evaluate("node => { node.dataset.mark = 'last'; }")
    release(page)
    assert first.get_attribute("data-mark") == "last", "drawn again by an older answer"
    assert page.locator("[data-focus=earlier]").inner_text() == label


def test_a_misdeal_leaves_its_number_to_the_next_deal(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "misdeal", "deal", "2 peg 8 hand", "deal")
    page = visit(daemon.url)
    page.locator("[data-focus=earlier]").click()
    expect(page.locator("#moves .deal-number")).to_have_text(["Deal 2", "Deal 1", "Deal 1"])


def test_the_lamps_follow_a_lesson_in_its_order(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    page.goto(f"{daemon.url}/lesson.html?lesson=cribbage")
    expect(page.locator("[data-focus=next]")).to_be_visible()
    page.evaluate(
        """() => {
          const send = window.fetch;
          let asked = 0;
          window.sent = [];
          window.fetch = async (path, options) => {
            if (!String(path).startsWith('lesson?')) return send(path, options);
            if (asked++ === 0) await new Promise((go) => {
              window.release = go;
              document.body.dataset.held = 'lesson';
            });
            window.sent.push(JSON.parse(options.body).step);
            document.body.dataset.sent = window.sent.length;
            return send(path, options);
          };
        }"""
    )
    page.locator("[data-focus=next]").click()
    page.locator("[data-focus=back]").click()
    expect(page.locator("[data-focus=back]")).to_have_count(0)
    release(page)
    page.wait_for_selector("body[data-sent='2']")
    assert page.evaluate("window.sent") == [1, 0]


@pytest.mark.parametrize(
    ("meanwhile", "said"), [("2 discard 2H 3S", 0), ("1 discard 5H 6S", 1)], ids=["other", "own"]
)
def test_a_throw_is_played_where_only_the_other_has_thrown_meanwhile(
    daemon: Daemon, visit: Visit, meanwhile: str, said: int
) -> None:
    """The board or another phone throws just before; an outdated throw is dropped."""
    daemon.say("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "2 hand 2H 3S 9D TC KS KD")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    page = visit.blank()
    page.add_init_script("localStorage.setItem('boardctl.seat', '1')")
    page.goto(daemon.url)
    for card in ("JH", "QS"):
        page.locator(f"#due .hand-row .target[data-card='{card}']").click()
    earlier = [meanwhile]

    def first(route: Route) -> None:
        if earlier:
            daemon.say(earlier.pop())
        route.continue_()

    page.route("**/lines?*", first)
    page.locator("[data-focus=these]").click()
    expect(page.locator("[data-focus=these]")).to_have_count(0)
    expect(page.get_by_text("Somebody else has played in the meantime")).to_have_count(said)
    throws = [move["seat"] for move in daemon.state()["moves"] if move["verb"] == "discard"]
    assert throws == ([1] if said else [2, 1])


def test_the_hand_that_was_asked_for_next_stays_open(daemon: Daemon, visit: Visit) -> None:
    """The table's news arrives before the answer to the line that caused it."""
    daemon.say("dealer 1", "deal", "starter 5")
    page = visit(daemon.url)
    hold(page, "lines?")
    for hand in ("4556", "46jq"):
        page.locator(TELL).click()
        page.keyboard.type(hand)
        expect(page.locator("dialog [data-focus=peg]")).to_be_visible()
        if hand == "46jq":
            release(page)
            expect(page.locator("dialog [data-focus=peg]")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()
    assert [move["verb"] for move in daemon.state()["moves"]] == ["deal", "starter", "show", "show"]


def test_the_points_that_were_asked_for_next_stay_open(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal")
    page = visit(daemon.url)
    hold(page, "lines?")
    page.locator("[data-focus=points1]").click()
    page.get_by_role("dialog").get_by_role("button", name="2", exact=True).click()
    expect(page.locator(".side1 .score")).to_have_text("2")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.locator("[data-focus=points2]").click()
    dialog = page.get_by_role("dialog", name="Points: Bob")
    expect(dialog).to_be_visible()
    release(page)
    dialog.get_by_role("button", name="3", exact=True).click(timeout=10_000)
    expect(page.locator(".side2 .score")).to_have_text("3")


def test_the_hand_that_is_entered_is_the_one_that_is_tapped(daemon: Daemon, visit: Visit) -> None:
    """Four of five cards in a hand can be entered; the fifth waits for its own count."""
    daemon.say("seat 3 Cleo", "seat 4 Dan", "dealer 1")
    with daemon.client as client:
        client.post("/player", json={"seat": 2, "level": 1, "deals": False})
    page = visit(daemon.url)
    expect(page.locator("#player")).to_contain_text("The board plays Bob")
    daemon.say("deal")
    page.locator("#due").get_by_role("button", name="Enter the cards").click()
    sheet = page.get_by_role("dialog")
    enter = sheet.locator(".act.first")
    for card in ("5H", "6S", "7D", "8C"):
        sheet.locator(f".target[data-card='{card}']").click()
    expect(enter).to_be_enabled()
    hold(page, "preview")
    sheet.locator(".target[data-card='JH']").click()
    expect(enter).to_be_disabled()
    release(page)
    enter.click()
    expect(page.locator("#player .said")).to_contain_text("Bob: crib")


def test_a_second_undo_waits_for_the_answer_to_the_first(daemon: Daemon, visit: Visit) -> None:
    """The link had shown the first, but the second was refused as already sent."""
    daemon.say("dealer 1", "deal", "1 peg 2", "1 peg 3")
    page = visit(daemon.url)
    score = page.locator(".side1 .score")
    hold(page, "undo?")
    page.locator("[data-focus=undo]").click()
    expect(score).to_have_text("2")
    page.locator("[data-focus=undo]").click()
    release(page)
    expect(score).to_have_text("0")


def test_an_answer_shows_the_table_before_the_link_does(daemon: Daemon, visit: Visit) -> None:
    """The answered question could be answered again until then."""
    page, links = visit.blank(), list[WebSocketRoute]()

    def only_once(socket: WebSocketRoute) -> None:
        links.append(socket)

        def pass_on(message: str | bytes) -> None:
            told = page.evaluate("document.body?.dataset.number")
            if not isinstance(message, str) or told is None or '"state"' not in message:
                socket.send(message)

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile("/ws"), only_once)
    page.goto(daemon.url)
    page.locator("#due").get_by_role("button", name="Ann", exact=True).click()
    page.locator("#due").get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".move", has_text="New deal")).to_be_visible()
    assert len(links) == 1


def test_a_late_message_brings_no_older_table_back(daemon: Daemon, visit: Visit) -> None:
    """A late message used to bring back the table as it was before the answer, and the move was
    announced twice."""
    daemon.say("dealer 1", "deal", "1 peg 2")
    page, late = visit.blank(), list[Callable[[], None]]()

    def delay(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            told = page.evaluate("document.body?.dataset.number")
            if not isinstance(message, str) or told is None or '"state"' not in message:
                socket.send(message)
            else:
                late.append(lambda: socket.send(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile("/ws"), delay)
    page.goto(daemon.url)
    page.wait_for_selector("body[data-number]")
    number = daemon.say("1 peg 3")["number"]
    until(lambda: late, page)
    undo = page.locator("[data-focus=undo]")
    undo.click()  # refused, with the newer table
    page.wait_for_selector(f"body[data-number='{number}']")
    undo.click()
    page.wait_for_selector(f"body[data-number='{number + 1}']")
    until(lambda: len(late) == 2, page)
    page.evaluate(
        """() => {
          window.shown = [];
          new MutationObserver(() => window.shown.push(Number(document.body.dataset.number)))
            .observe(document.body, { attributeFilter: ['data-number'] });
        }"""
    )
    for send in late:
        send()
    daemon.say("1 peg 4")
    until(lambda: len(late) == 3, page)
    late[-1]()
    page.wait_for_selector(f"body[data-number='{number + 2}']")
    assert page.evaluate("window.shown") == [number + 2]


def test_a_failed_sheet_stays_when_another_phone_changes_the_table(
    daemon: Daemon, visit: Visit
) -> None:
    """The sheet was drawn over the failure, from what the board had sent before."""
    visit.forgiven += ["Failed to load resource", "ERR_"]
    page = visit(daemon.url)
    sheet = page.locator("dialog[open]")
    page.click("#table")
    expect(sheet.locator("[data-focus=start]")).to_be_visible()
    page.keyboard.press("Escape")
    page.route("**/games?*", lambda route: route.abort("timedout"))
    page.click("#table")
    again = sheet.locator("[data-focus=try-again]")
    expect(again).to_be_visible()
    number = daemon.say("seat 1 Zoe")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    expect(again).to_be_visible()
    page.unroute("**/games?*")
    again.click()
    expect(sheet.locator("[data-focus=name0]")).to_have_value("Zoe")


def test_enter_waits_for_the_points(daemon: Daemon, visit: Visit) -> None:
    """Enter right after the last card was lost."""
    daemon.say("dealer 1", "deal", "starter 5")
    page = visit(daemon.url)
    hold(page, "preview?")
    page.locator(TELL).click()
    page.keyboard.type("4556")
    page.keyboard.press("Enter")
    release(page)
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator(".move", has_text="4")).not_to_have_count(0)
    assert [move["verb"] for move in daemon.state()["moves"]] == ["deal", "starter", "show"]


def test_another_layout_needs_no_new_connection(daemon: Daemon, visit: Visit) -> None:
    page = visit.blank()
    links: list[object] = []
    page.on("websocket", lambda link: links.append(link))
    page.goto(daemon.url)
    page.wait_for_selector("body[data-link=open]")
    drawn = page.locator("#board svg.holes[role=img]")
    for seats, title in ((3, "three"), (2, "two")):
        names = ("Ann", "Bob", "Cleo")[:seats]
        daemon.post("/table", {"game": "cribbage", "players": names, "options": {}})
        expect(drawn).to_have_attribute("aria-label", re.compile(f"^Classic, {title} players"))
        daemon.say("dealer 1", "deal", "1 peg 2")
        expect(page.locator("[data-lamp='track1.2']")).to_have_attribute(
            "data-lit", re.compile(".")
        )
    assert len(links) == 1

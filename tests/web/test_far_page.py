"""A game between two houses on their phones, from the invitation to the end, by touching only
pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from boardctl.far.invitation_words import spell
from tests.far.boards import Boards
from tests.mqtt.broker import Mosquitto
from tests.web.conftest import Daemon, Visit
from tests.web.test_against_the_board import look_on

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def boards(broker: Mosquitto, tmp_path: Path) -> Iterator[Boards]:
    both = Boards(broker, tmp_path)
    yield both
    both.end()


def tap_far(page: Page) -> None:
    page.click("#table")
    page.get_by_role("button", name="Play with another house").click()


def meet(ann: Page, bob: Page, link: str, partners: tuple[str, str] = ("", "")) -> None:
    """Ann invites, and Bob opens the link at his own board. In a game for four both name a
    partner."""
    tap_far(ann)
    form = ann.locator("form", has_text="Invite another house")
    expect(ann.locator("dialog[open] .act.first")).to_have_text("Invite another house")
    expect(form).to_contain_text("To a game of ")
    form.get_by_role("textbox", name="Your name").fill("Ann")
    form.get_by_role("textbox", name="Your partner").fill(partners[0])
    fits(ann)
    ann.get_by_role("button", name="Invite another house").click()
    ann.wait_for_selector(".six-words li")
    words = ann.locator(".six-words li").all_inner_texts()
    assert len(words) == 6
    bob.goto(f"{link}/#far={'-'.join(words)}")
    bob.reload()
    accept(bob, "Bob", partners[1])
    for page in (ann, bob):
        page.wait_for_selector("#far .said")
        expect(page.get_by_role("dialog")).to_have_count(0)


def accept(page: Page, name: str, partner: str = "") -> None:
    """Accept the invitation whose link was opened: nothing else is offered, and the name is asked
    for first."""
    sheet = page.get_by_role("dialog", name="Accept an invitation")
    field = sheet.get_by_role("textbox", name="Your name")
    expect(field).to_be_focused()
    expect(sheet.get_by_role("button")).to_have_text(["×", "Accept"])
    field.fill(name)
    if partner:
        sheet.get_by_text("With partners, four people play").click()
        sheet.get_by_role("textbox", name="Your partner").fill(partner)
    fits(page)
    sheet.get_by_role("button", name="Accept").click()


def fits(page: Page) -> None:
    """Check that nothing extends beyond the sides of the open sheet."""
    sheet = page.locator("dialog[open]")
    assert sheet.evaluate("node => node.scrollWidth <= node.clientWidth")


def deal(boards: Boards, pages: Mapping[int, Page]) -> int:
    """Look at the cut and let the dealer deal, until a phone shows cards. Return the dealer's
    number of taps."""
    taps = 0
    while not any(page.locator("#due .hand-row").count() for page in pages.values()):
        for page in pages.values():
            look_on(page)
        dealer = boards.state(0)["dealer"]
        if dealer and boards.far((dealer - 1) % 2)["game"]["due"] == "ours":
            act = pages[dealer].locator("#due:not(.counts) .act.first")
            if act.count():
                act.first.click()
                taps += 1
        pages[1].wait_for_timeout(100)
    for page in pages.values():
        look_on(page)
    return taps


def tap(page: Page) -> None:
    """Make the next move: throw the first two cards, play the first, or press the first button,
    which may be below shown hands."""
    go_on = page.locator("#due.counts [data-focus=go-on]")
    while label := next(iter(go_on.all_inner_texts()), ""):
        go_on.click()
        expect(page.locator("#due .sent")).to_have_count(0)
        if label != "Go on":
            return
    cards = page.locator("#due .hand-row button:enabled")
    if not cards.count():
        page.locator("#due .act.first").first.click()
        return
    done = page.locator("#due [data-focus=these]")
    if done.count():
        cards.nth(0).click()
        cards.nth(1).click()
        done.click()
    else:
        cards.first.click()


NOTE_ASKED = """() => {
  window.asked = new Set();
  window.cuts = 0;
  let heading = '';
  const look = () => {
    const offered = '#due :is(.row:not(.hand-row) .target, [data-focus^=dealer], '
      + '[data-focus=firstdiscard], [data-focus=firstplay], [data-focus=firststarter])';
    const now = document.querySelector('#due h2')?.textContent ?? '';
    if (document.querySelector(offered)) window.asked.add(now);
    if (now !== heading && now.endsWith(' first')) window.cuts += 1;
    heading = now;
  };
  const due = document.getElementById('due');
  new MutationObserver(look).observe(due, { childList: true, subtree: true });
  look();
}"""
"""Note each question for cards that the houses deal themselves, however briefly it was shown, and
how often the cut was shown."""


@pytest.mark.slow
def test_from_an_invitation_to_the_end_of_a_game(boards: Boards, visit: Visit) -> None:
    """Cards are never asked for by a keypad of ranks, which used to flash up in every deal."""
    boards.daemons[0].say("set target 31")  # the game uses the rules of the inviting house
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    for page in (ann, bob):
        page.evaluate(NOTE_ASKED)
    for page, here, away in ((ann, 1, 2), (bob, 2, 1)):
        page.click("#table")
        expect(page.locator(f"[data-focus=counts{here}]")).to_be_visible()
        assert page.locator(f"[data-focus=counts{away}]").count() == 0, "of the other house"
        page.keyboard.press("Escape")
    pages = {1: ann, 2: bob}
    for page in pages.values():  # cards are dealt and played, so nobody pegs without them
        expect(page.locator("#sides").get_by_role("button")).to_have_count(0)
        expect(page.locator("#due")).not_to_contain_text("To peg points")
    taps = deal(boards, pages)
    assert 1 <= taps <= 3, "from the accepted invitation to the first card"
    for page in (ann, bob):
        look_on(page)
        page.wait_for_selector("#due .hand-row button")
    hands = [set(page.locator("#due .hand-row button").all_inner_texts()) for page in (ann, bob)]
    assert not hands[0] & hands[1]
    for _ in range(400):
        games = [boards.far(board)["game"] for board in (0, 1)]
        if games[0]["done"] and games[1]["done"]:
            break
        for number, game in enumerate(games, 1):
            page, before = pages[number], boards.state(number - 1)["number"]
            ready = page.locator("#far [data-due=ours]").count()
            if game["due"] == "ours" and ready and told_of(page) == before:
                tap(page)
                boards.until_said(number - 1, before)
        ann.wait_for_timeout(20)
    assert games[0]["done"]
    assert games[1]["done"]
    for page in (ann, bob):
        assert page.evaluate("[[...asked], cuts]") == [[], 1]
    states = [boards.state(board) for board in (0, 1)]
    assert states[0]["sides"] == states[1]["sides"]
    for page in (ann, bob):
        expect(page.locator("#far").get_by_role("button", name="Play again")).to_be_visible()
        look_on(page)
        expect(page.locator(".act.first:visible")).to_have_text(
            ["Play again with Bob" if page is ann else "Play again with Ann"]
        )
    ann.locator("#far").get_by_role("button", name="Play again").click()
    expect(ann.locator("#far")).to_contain_text("Waiting for Bob’s answer")
    expect(bob.locator("#far")).to_contain_text("Ann wants to play")
    ann.locator("#far").get_by_role("button", name="Withdraw the invitation").click()
    expect(ann.locator("#far").get_by_role("button", name="Play again")).to_be_visible()
    expect(bob.locator("#far")).not_to_contain_text("Ann wants to play")
    ann.locator("#far").get_by_role("button", name="Play again").click()
    bob.locator("#far").get_by_role("button", name="Join the game").click()
    for board in (0, 1):
        wait_for_cut(boards, board)


def wait_for_cut(boards: Boards, board: int) -> None:
    """Wait until another game has begun here."""
    boards.until(lambda: boards.far(board)["game"]["due"], "another game begins")
    assert not boards.state(board)["over"]


@pytest.mark.slow
def test_words_that_are_nobodys_any_more(boards: Boards, visit: Visit) -> None:
    """These are one's own words, and the words of a withdrawn invitation."""
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    tap_far(ann)
    ann.locator("form", has_text="Invite another house").get_by_role(
        "textbox", name="Your name"
    ).fill("Ann")
    ann.get_by_role("button", name="Invite another house").click()
    words = ann.locator(".six-words li")
    expect(words).to_have_count(6)
    link = f"#far={'-'.join(words.all_inner_texts())}"
    for page, board, name in ((ann, 0, "Ann"), (bob, 1, "Bob")):
        page.goto(f"{boards.daemons[board].url}/{link}")
        page.reload()
        if page is bob:
            ann.get_by_role("button", name="Stop waiting").click()
            expect(words).to_have_count(0)
        accept(page, name)
        if page is ann:
            expect(page.get_by_role("alert")).to_contain_text("this board’s own invitation")
            expect(words).to_have_count(6)
    expect(bob.get_by_role("alert")).to_contain_text("ask for new ones")
    expect(bob.get_by_role("button", name="Stop waiting")).to_have_count(0)


@pytest.mark.slow
def test_the_other_house_is_asked_before_anything_is_taken_back(
    boards: Boards, visit: Visit
) -> None:
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    boards.until(lambda: boards.state(0)["dealer"], "the cards are cut")
    dealer = boards.state(0)["dealer"]
    asking, asked = (ann, bob) if dealer == 1 else (bob, ann)
    boards.until(lambda: boards.far(dealer - 1)["game"]["due"] == "ours", "the cut is opened")
    deal(boards, {1: ann, 2: bob})
    for page in (ann, bob):
        page.wait_for_selector("#due .hand-row button")
    pone = boards.far(2 - dealer)
    assert pone["game"]["due"] == "ours"
    tap(asked)
    tap(asking)
    for board in (0, 1):
        boards.until_phase(board, "play")
    number = boards.state(dealer - 1)["number"]
    asking.wait_for_selector(f"body[data-number='{number}']")
    asking.get_by_role("button", name="Undo").click()
    expect(asking.locator("#happened")).to_contain_text("asked whether it agrees")
    expect(asked.locator("#far")).to_contain_text("asks: take back the last 2 lines")
    asked.locator("#far").get_by_role("button", name="Agree").click()
    for board in (0, 1):
        boards.until_phase(board, "discard")


@pytest.mark.slow
def test_four_phones_throw_as_partners_and_each_shows_its_own_hand(
    boards: Boards, visit: Visit
) -> None:
    pages = {seat: visit(boards.daemons[(seat - 1) % 2].url, **PHONE) for seat in (1, 2, 3, 4)}
    meet(pages[1], pages[2], boards.daemons[1].url, ("Cleo", "Dan"))
    for seat, name in ((3, "Cleo"), (4, "Dan")):
        pages[seat].locator("#far").get_by_role("button", name=name).click()
        expect(pages[seat].locator("#far")).not_to_contain_text("Whose phone")
    boards.until(lambda: boards.state(0)["dealer"], "the cards are cut")
    dealer = boards.state(0)["dealer"]
    expect(pages[dealer].locator("#far")).to_contain_text("It is your turn")
    deal(boards, pages)
    hands = []
    for page in pages.values():
        expect(page.locator("#due .hand-row button")).to_have_count(5)
        hands.append(set(page.locator("#due .hand-row button").all_inner_texts()))
    assert len(set.union(*hands)) == 20
    for after in range(4, 0, -1):  # the dealer throws first: all other throws wait for their turn
        page = pages[(dealer + after - 1) % 4 + 1]
        page.locator("#due .hand-row button").first.click()
        if after > 1:
            expect(page.locator("#happened")).to_contain_text("Saved. Your choice will be entered")
    for board in (0, 1):
        boards.until_phase(board, "play")
    for page in pages.values():
        expect(page.locator("#far")).to_contain_text(re.compile("It is .* turn"))


def told_of(page: Page) -> int:
    """Return the line that a page shows."""
    return int(page.locator("body").get_attribute("data-number") or 0)


@pytest.mark.slow
def test_a_deal_of_bezique_is_played_by_taps(boards: Boards, visit: Visit) -> None:
    """In a whole deal of Bezique, the winner of a trick declares or draws in the place where cards
    are played. The loser draws automatically."""
    boards.daemons[0].say("game bezique")
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    pages = {1: ann, 2: bob}

    def said(verb: str) -> int:
        return sum(move["verb"] == verb for move in boards.state(0)["moves"])

    while said("play") < 64:
        for seat, page in pages.items():
            before = boards.state(seat - 1)["number"]
            game = boards.far(seat - 1)["game"]
            if game["due"] != "ours" or told_of(page) != before:
                continue
            if game["stand"]:
                assert game["draws"]
                due = page.locator("#due").get_by_role("button", name="Draw")
                expect(page.locator("#far button")).to_have_count(0)
                melds = page.locator("#due .choice:not([data-focus=other])")
                if melds.count() and boards.chance.random() < 0.5:
                    melds.first.click()
                else:
                    due.click()
            elif page.locator("#far [data-due=ours]").count():
                tap(page)
            else:
                continue
            boards.until_said(seat - 1, before)
        ann.wait_for_timeout(20)
    assert said("draw") == 64 - 16, "all but the first hands"
    boards.until(lambda: boards.state(0)["sides"] == boards.state(1)["sides"], "both are level")
    boards.until(
        lambda: "ours" in [boards.far(board)["game"]["due"] for board in (0, 1)], "both have opened"
    )
    turn = boards.far(0)["game"]["turn"]
    expect(pages[turn].locator("#due [data-focus=firstdeal]")).to_be_visible()


@pytest.mark.slow
def test_a_house_that_is_away_and_a_connection_that_is_gone_are_told_apart(
    boards: Boards, visit: Visit
) -> None:
    """The page keeps showing how long the other house has been away. Without a broker it cannot
    know."""
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    bob.close()
    boards.cut_power(1)
    expect(ann.locator("#far")).to_contain_text("Bob has just left")
    ann.clock.install()
    with ann.expect_response("**/far?*"):
        ann.reload()
    with ann.expect_request("**/far?*"):
        ann.clock.fast_forward("01:01")
    boards.broker.kill()
    expect(ann.locator("#far")).to_contain_text("houses are not connected")
    expect(ann.locator("#far")).not_to_contain_text(re.compile("Bob has"))
    password = boards.broker.directory / "one.password"
    right = password.read_text()
    password.write_text("another")
    boards.broker.start()
    expect(ann.locator("#far")).to_contain_text("refuses this board’s name or password")
    password.write_text(right)
    boards.start(1)
    expect(ann.locator("#far")).to_contain_text("Bob is connected")
    tap_far(ann)
    expect(ann.get_by_role("button", name="Continue")).to_have_count(0)
    ann.get_by_role("button", name="Set the game with Bob aside").click()
    ann.keyboard.press("Escape")
    expect(ann.locator("#far")).to_contain_text("The game with Bob is set aside")
    expect(ann.locator("#due button")).to_have_count(0)  # its cards were offered
    ann.get_by_role("button", name="Continue the game with Bob").click()
    expect(ann.locator("#far")).to_contain_text("A game with Bob")


@pytest.mark.slow
def test_a_game_that_is_set_aside_is_said_to_be_so_at_the_other_house(
    boards: Boards, visit: Visit
) -> None:
    """The other house no longer reads "It is Ann’s turn" forever, on the page and on the
    display."""
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    boards.until(  # refused while the two houses deal
        lambda: "number" in boards.submit(0, "/lines", line="session end"), "another evening"
    )
    expect(bob.locator("#far")).to_contain_text("Ann’s board has set this game aside")
    expect(bob.locator("#far")).not_to_contain_text("It is Ann’s turn")
    boards.until_displayed(1, "Ann’s board has")
    tap_far(ann)
    ann.get_by_role("button", name="Continue the game with Bob").click()
    expect(bob.locator("#far")).not_to_contain_text("set this game aside")
    boards.until_displayed(1, "Ann is connected")


@pytest.mark.parametrize(
    ("minutes", "en", "ja"),
    [
        (0, "Bob has just left", "Bobが離れました"),
        (1, "Bob has been away for 1 minute", "1 分"),
        (100, "Bob has been away for 2 hours", "2 時間"),
        (4000, "Bob has been away for 3 days", "3 日"),
    ],
)
def test_how_long_a_house_is_away_is_said_as_people_say_it(
    daemon: Daemon, visit: Visit, minutes: int, en: str, ja: str
) -> None:
    """It said "last there 4000 min ago" when a game continued after days."""
    house = {"number": 0, "name": "Bob", "here": False, "minutes": minutes}
    game = {"number": 0, "name": "Bob", "seats": [1], "turn": 2, "due": "theirs"}
    known = {"words": [], "connected": True, "houses": [house], "onlookers": [], "game": game}
    page = visit.blank(**PHONE)
    page.route("**/far?*", lambda route: route.fulfill(json=known))
    page.goto(daemon.url)
    expect(page.locator("#far")).to_contain_text(en)
    page.goto(f"{daemon.url}/?lang=ja")
    expect(page.locator("#far")).to_contain_text(ja)


@pytest.mark.slow
def test_somebody_else_plays_the_next_game(boards: Boards, visit: Visit) -> None:
    """The first grandchild's name stayed, and typed text disappeared when the other house came or
    went."""
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    boards.resign()
    bob.get_by_role("button", name="Agree").click()
    ann.locator("#far").get_by_role("button", name="Somebody else plays").click()
    form = ann.locator("form", has_text="Play again with Bob")
    form.get_by_role("textbox", name="Your name").fill("Amy")
    bob.goto("about:blank")
    boards.cut_power(1)
    expect(ann.get_by_role("dialog")).to_contain_text("Bob has just left")
    boards.start(1)
    expect(ann.get_by_role("dialog")).to_contain_text("Bob is connected")
    bob.goto(boards.daemons[1].url)
    expect(form.get_by_role("textbox", name="Your name")).to_have_value("Amy")
    expect(form.get_by_role("textbox", name="Your name")).to_be_focused()
    fits(ann)
    form.get_by_role("button", name="Play again with Bob").click()
    expect(bob.locator("#far")).to_contain_text("Ann wants to play Cribbage")
    bob.locator("#far").get_by_role("button", name="Somebody else plays").click()
    form = bob.locator("form", has_text="Join the game")
    form.get_by_role("textbox", name="Your name").fill("Ben")
    form.get_by_role("button", name="Join the game").click()
    boards.until(lambda: boards.state(0)["seats"] == ["Amy", "Ben"], "they play")


@pytest.mark.slow
def test_an_invitation_is_copied_and_shared(boards: Boards, visit: Visit) -> None:
    """Also on a page without https, where a browser has no clipboard of its own."""
    ann = visit.blank(**PHONE)
    ann.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        "document.addEventListener('copy', () => { window.copied = String(getSelection())"
        " || document.activeElement.value; });"
        "navigator.share = async ({ text }) => { window.shared = text; };"
    )
    ann.goto(boards.daemons[0].url)
    ann.wait_for_selector("body[data-link=open]")
    tap_far(ann)
    form = ann.locator("form", has_text="Invite another house")
    form.get_by_role("textbox", name="Your name").fill("")
    ann.get_by_role("button", name="Invite another house").click()
    expect(ann.get_by_role("alert")).to_have_text("Enter your name first.")
    form.get_by_role("textbox", name="Your name").fill("Ann")
    ann.get_by_role("button", name="Invite another house").click()
    ann.get_by_role("button", name="Copy the invitation").click()
    expect(ann.get_by_text("Copied.")).to_be_visible()
    words = ann.locator(".six-words li").all_inner_texts()
    assert all(word in ann.evaluate("window.copied") for word in words)
    ann.get_by_role("button", name="Share the invitation").click()
    assert ann.evaluate("window.shared") == ann.evaluate("window.copied")
    fits(ann)


def test_the_game_of_an_invitation_is_said(daemon: Daemon, visit: Visit) -> None:
    """At a table of Klaberjass, which two houses cannot deal, the invitation silently became
    Cribbage."""
    page = visit(daemon.url, **PHONE)
    for game, title in (("noddy", "Noddy"), ("klaberjass", "Cribbage")):
        daemon.say(f"game {game}")
        tap_far(page)
        form = page.locator("form", has_text="Invite another house")
        expect(form).to_contain_text(f"To a game of {title}")
        fits(page)
        page.keyboard.press("Escape")


@pytest.mark.slow
def test_words_that_no_board_answers_are_said_to_be_so(boards: Boards, visit: Visit) -> None:
    """Somebody who misheard a word, or typed last month's words, waited forever."""
    bob = visit(boards.daemons[1].url, **PHONE)
    tap_far(bob)
    form = bob.locator("form", has_text="Accept an invitation")
    form.get_by_role("textbox", name="Six words").fill(" ".join(spell(1)))
    form.get_by_role("textbox", name="Your name").fill("Bob")
    form.get_by_role("button", name="Accept an invitation").click()
    expect(bob.get_by_role("alert")).to_contain_text("No board answers to these words")
    fits(bob)
    boards.until_displayed(1, "No board answers")
    bob.get_by_role("button", name="Stop waiting").click()
    expect(bob.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
def test_the_game_is_changed_and_a_house_removed_by_taps(boards: Boards, visit: Visit) -> None:
    """Changing the game no longer takes six new words. A house whose card was replaced can be
    removed from the list, where its new self has the same name."""
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    meet(ann, bob, boards.daemons[1].url)
    boards.resign()
    bob.get_by_role("button", name="Agree").click()
    expect(bob.locator("#far").get_by_role("button", name="Play again with Ann")).to_be_visible()
    boards.submit(0, "/table", game="bezique", players=["Ann", "Bob"])
    tap_far(ann)
    ann.get_by_role("button", name="Play Bezique with Bob").click()
    expect(bob.locator("#far")).to_contain_text("Ann wants to play Bezique")
    bob.locator("#far").get_by_role("button", name="Join the game").click()
    boards.until(lambda: boards.far(0)["houses"][0]["playing"], "begun")
    if not boards.far(0)["houses"][0]["active"]:
        ann.locator("#far").get_by_role("button", name="Join the game").click()
    boards.until(lambda: all(boards.far(board)["game"] for board in (0, 1)), "on both tables")
    assert [boards.state(board)["game"] for board in (0, 1)] == ["bezique", "bezique"]
    tap_far(ann)
    expect(ann.get_by_role("button", name="Remove Bob")).to_have_count(0)
    ann.get_by_role("button", name="Set the game with Bob aside").click()
    ann.get_by_role("button", name="Remove Bob").click()
    fits(ann)
    ann.get_by_role("button", name="Keep Bob").click()
    ann.get_by_role("button", name="Remove Bob").click()
    ann.get_by_role("alert").wait_for()
    ann.locator("[data-focus=removes]").click()
    expect(ann.get_by_role("button", name="Remove Bob")).to_have_count(0)
    assert boards.far(0)["houses"] == []
    expect(bob.locator("#far")).to_contain_text(
        "Ann has removed this house; a new invitation is needed to play again"
    )
    boards.until_displayed(1, "Ann has removed")
    expect(bob.locator("#far")).not_to_contain_text("Ann is connected")
    bob.locator("#far").get_by_role("button", name="Invite another house").click()
    expect(bob.get_by_role("dialog")).to_contain_text("Ann has removed")
    bob.get_by_role("button", name="Remove Ann").click()
    expect(bob.get_by_role("button", name="Remove Ann")).to_have_count(0)


def test_nobody_deals_after_the_end(daemon: Daemon, visit: Visit) -> None:
    """After the last line the houses reveal their secrets to each other, which may take a while."""
    house = {"number": 0, "name": "Bob", "here": True, "minutes": 0}
    game = {"number": 0, "name": "Bob", "seats": [1], "turn": 0, "due": "dealing"}
    known = {"words": [], "connected": True, "houses": [house], "onlookers": [], "game": game}
    page = visit.blank(**PHONE)
    page.route("**/far?*", lambda route: route.fulfill(json=known))
    daemon.say("dealer 1", "deal")
    page.goto(daemon.url)
    expect(page.locator("#far")).to_contain_text("The two houses are dealing")
    daemon.say("2 resign")
    page.reload()
    expect(page.locator("#far")).to_contain_text("Bob is connected")
    expect(page.locator("#far")).not_to_contain_text("dealing")

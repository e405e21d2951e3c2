"""Lessons: the referee accepts every line of their scripts, and a person who knows no rules can
follow their words."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from boardctl.bot import lessons
from boardctl.bot.lesson_api import LEARNER, as_json, scenes
from boardctl.games import find
from boardctl.record.record import Record
from boardctl.text import catalogue
from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit

RANKS = {
    "en": {"ace": "A", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
           "seven": "7", "eight": "8", "nine": "9", "ten": "T", "jack": "J", "queen": "Q",
           "king": "K"},
    "ja": {"エース": "A", "ジャック": "J", "クイーン": "Q", "キング": "K",
           **{str(n): str(n) for n in range(2, 10)}, "10": "T"},
}  # fmt: skip
SUITS = {
    "en": {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"},
    "ja": {"スペード": "S", "ハート": "H", "ダイヤ": "D", "クラブ": "C"},
}

NAMES = ("Ann", "Bob", "Cleo", "Dan")
WINS = r"with (\d+) points, has won|Who has (\d+)[^.]* first has won"
"""The sentences of a lesson about the winning score."""

PAIRS = list(product([(390, 844), (844, 390), (820, 1180), (1280, 900)], ["en", "ja"]))


@pytest.mark.parametrize("name", lessons.names())
def test_a_lesson_is_played_by_the_referee(name: str) -> None:
    """Every line is accepted, every task can be done, and every sentence is translated."""
    lesson = lessons.load(name)
    assert 5 <= len(scenes(name)) <= 18
    japanese = catalogue("ja")
    for sentence in lessons.sentences(lesson):
        assert japanese.gettext(sentence) != sentence, sentence
    for shown, step in zip(as_json(name, "en")["steps"], lesson.step, strict=True):
        task = shown["task"]
        assert (task is None) == (not (step.do or step.count or step.answers))
        if task is None:
            continue
        if task["kind"] == "cards":
            assert set(task["right"]) | set(task["wrong"]) == set(shown["hand"])
            assert all(task["wrong"].values()), "each mistake is explained"
        elif task["kind"] == "choice":
            assert len(task["right"]) == 1
            assert task["wrong"][0]
            assert len(task["choices"]) > 1
        else:
            assert task["answer"]["points"] > 0
    assert LEARNER == 1


def test_a_card_that_earns_as_much_is_not_called_wrong() -> None:
    """Either six makes fifteen with the nine."""
    tasks = [one["task"] for one in as_json("cribbage", "en")["steps"] if one["task"]]
    (six,) = [one for one in tasks if one["kind"] == "cards" and one["right"] == ["6D"]]
    assert six["wrong"]["6C"].startswith("Six of clubs scores the same.")
    assert "take six of diamonds" in six["wrong"]["6C"]
    assert "scores the same" not in six["wrong"]["5S"]


@pytest.mark.parametrize("name", lessons.names())
def test_a_lesson_shows_the_cards_of_which_it_speaks(name: str) -> None:
    """A step shows each card that its words ask for, and the count that they name."""
    number_of = {"nine": 9, "four": 4}
    for number, (shown, step) in enumerate(
        zip(as_json(name, "en")["steps"], lessons.load(name).step, strict=True), 1
    ):
        seen = [*shown["hand"], *(card for row in shown["rows"] for card in row["cards"])]
        if shown["task"]:
            for rank, suit in re.findall(r"(\w+) of (spades|hearts|diamonds|clubs)", step.say):
                assert RANKS["en"][rank.lower()] + SUITS["en"][suit] in seen, (number, step.say)
        for said, counted in ((step.say, "count"), (step.right, "count_after")):
            for count in re.findall(r"count is (\w+)", said):
                wanted = int(count) if count.isdigit() else number_of[count]
                assert shown[counted] == wanted, (number, said)
        assert len(re.findall(r"[.?!](?: |$)", step.say)) <= 4, (number, "one thing per step")


def test_the_counts_of_the_cribbage_lesson_are_those_of_its_cards() -> None:
    for step in as_json("cribbage", "en")["steps"]:
        played = [row["cards"] for row in step["rows"] if row["label"] == "Played"]
        if played and step["count"]:
            (cards,) = played
            pips = [min("A23456789TJQK".index(card[0]) + 1, 10) for card in cards]
            assert sum(pips) == step["count"], step["say"]


@pytest.mark.parametrize("name", lessons.names())
def test_a_lesson_ends_at_the_score_at_which_its_game_does(name: str) -> None:
    lesson = lessons.load(name)
    targets = [one.default for one in find(lesson.game).options if one.name == "target"]
    said = [found for step in lesson.step for found in re.findall(WINS, step.say)]
    assert {number for one in said for number in one if number} <= set(targets)


@pytest.mark.parametrize(
    ("name", "lines", "scores"),
    [("klaberjass", ("1 count 70", "2 count 70"), (0, 70)), ("belote", ("1 count 81",), (0, 81))],
)
def test_what_a_taker_loses_is_lost_by_less_and_not_by_as_many(
    name: str, lines: tuple[str, ...], scores: tuple[int, int]
) -> None:
    """With equal points the other side scores only its own, in the game and in the lesson."""
    lesson = lessons.load(name)
    seats = NAMES[: find(lesson.game).seats[-1]]
    record = Record()
    start = [f"game {lesson.game}", *(f"seat {n} {one}" for n, one in enumerate(seats, 1))]
    for line in (*start, f"dealer {len(seats)}", "deal", "1 bid S", *lines):
        record.read(line)
    assert record.position.scores == scores
    said = " ".join(step.say for step in lesson.step)
    assert "fewer points than the opponent" in said
    assert "more than" not in said


def meant(page: Page, language: str) -> list[str]:
    """Return the cards of the hand that the last sentence names, as a reader understands it."""
    said = page.locator(".nudge").last if page.locator(".nudge").count() else None
    text = (said or page.locator(".lesson-say")).inner_text()
    if said is not None and said.inner_text() == "":
        text = page.locator(".lesson-say").inner_text()
    last = re.split(r"(?<=[.?!:;。？])\s*", text.strip())
    hand = [
        card.get_attribute("data-card") or ""
        for card in page.locator(".lesson .hand-row .target").all()
    ]
    for sentence in reversed(last):
        wanted = cards_in(sentence, language)
        found = [
            card
            for card in hand
            if any(card.startswith(rank) and suit in ("", card[1]) for rank, suit in wanted)
        ]
        if found:
            return found
    return []


def cards_in(words: str, language: str) -> list[tuple[str, str]]:
    """Return the ranks and suits named in a sentence."""
    suits = [letter for name, letter in SUITS[language].items() if name in words]
    suit = suits[0] if suits else ""
    names = sorted(RANKS[language], key=len, reverse=True)
    pattern = "|".join(map(re.escape, names))
    if language == "en":
        pattern = rf"\b(?:{pattern})(?:e?s)?\b"
    found = re.findall(pattern, words)
    letters = [RANKS[language].get(word) or RANKS[language][word.rstrip("s")] for word in found]
    return [(letter, suit) for letter in letters]


def follow(page: Page, language: str) -> int:
    """Follow one lesson to its end, by words and targets. Return its number of steps."""
    for steps in range(1, 40):
        for attempt in range(12):
            following = page.locator("[data-focus=next], [data-focus=end]")
            if following.count():
                break
            if page.locator(".counting").count():
                page.locator("[data-focus=count-all]").click()
            elif page.locator("[data-focus^=choice]").count():
                spoken = (
                    page.locator(".nudge").inner_text() if page.locator(".nudge").count() else ""
                )
                choices = page.locator("[data-focus^=choice]").all()
                fit = [c for c in choices if re.sub(r"^an? ", "", c.inner_text()) in spoken]
                (fit or choices)[0 if fit else attempt % len(choices)].click()
            else:
                for card in meant(page, language):
                    target = page.locator(f".lesson .hand-row .target[data-card='{card}']")
                    if target.count() and target.is_enabled():
                        target.click()
        if page.locator("[data-focus=end]").count():
            return steps
        expect(page.locator("[data-focus=next]")).to_be_visible()
        page.locator("[data-focus=next]").click()
    raise AssertionError("the lesson does not end")


@pytest.mark.slow
@sweep("size, language", PAIRS, ordinary=[((390, 844), "en")])
def test_somebody_who_knows_no_rules_goes_through_every_lesson(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    """The evening's game is unaffected and continues after the lesson."""
    daemon = run()
    daemon.say("dealer 1", "deal", "1 peg 12", "2 peg 7")
    before = daemon.state()
    for name in lessons.names():
        page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
        page.goto(f"{daemon.url}/lesson.html?lang={language}&lesson={name}")
        expect(page.locator(".lesson-say")).to_be_visible()
        assert follow(page, language) == len(lessons.load(name).step)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0]
        page.locator("[data-focus=end]").click()
        page.wait_for_selector("body[data-link=open]")
        after = daemon.state()
        assert (after["number"], after["sides"]) == (before["number"], before["sides"])
    daemon.say("1 peg 2")


class Child:
    """Somebody aged ten, who reads the screen, taps what it says, and does nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def read(self) -> str:
        """The words on the screen."""
        return self.page.locator("main").inner_text()

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def cards(self) -> list[str]:
        """The cards that may be tapped, as they are read aloud."""
        found = self.page.get_by_role("button", name=re.compile(" of "), disabled=False)
        return [one.get_attribute("aria-label") or "" for one in found.all()]

    def tap(self, *cards: str) -> None:
        """Tap the first card that begins with each of some words."""
        for card in cards:
            name = next(one for one in self.cards() if one.startswith(card))
            self.button(name).click()

    def asked(self) -> list[str]:
        """The cards that the last request names: `the six of diamonds`, `the king`."""
        request = self.page.get_by_text(re.compile(r"[Tt]ap (the|your)")).first.inner_text()
        request = re.split("[Tt]ap ", request)[-1].partition(",")[0]
        cards = self.cards()
        exact = [card for card in cards if card in request]
        return exact or [card for card in cards if card.split()[0] in request][:2]


COUNTS: Final = (
    ("five", "jack"), ("four", "five", "six of diamonds"), ("four", "five", "six of clubs"),
    ("six of diamonds", "six of clubs"),
)  # fmt: skip
"""The fifteens, which are runs too, and the pair of the hand in the lesson."""


def test_a_child_of_ten_finishes_all_steps_and_plays_a_first_game(
    daemon: Daemon, visit: Visit
) -> None:
    """By the screen alone: a wrong answer is explained, a right one is praised in green."""
    page = visit.blank(390, 844, reduced_motion="reduce")
    page.goto(f"{daemon.url}/lesson.html?lesson=cribbage")
    child = Child(page)
    praised = explained = 0
    steps = len(lessons.load("cribbage").step)
    for number in range(1, steps + 1):
        expect(page.get_by_text(f"Step {number} of {steps}")).to_be_visible()
        expect(page.get_by_role("progressbar")).to_have_js_property("value", number)
        if number < steps and child.button("Next").count() == 0:
            if child.button("These count").count():
                for cards in COUNTS:
                    child.tap(*cards)
                    child.button("These count").click()
                page.get_by_role("button", name="That is all").click()
            elif "Which card" in child.read():
                child.button("an eight").click()
                expect(page.get_by_text("Not quite.")).to_be_visible()
                assert "21 and ten are 31" in child.read()
                child.button("a ten").click()
            else:
                wanted = child.asked()
                others = [card for card in child.cards() if card not in wanted]
                if others:
                    child.button(others[0]).click()
                    expect(page.get_by_text("Not quite.")).to_be_visible()
                    explained += 1
                child.tap(*wanted)
            praise = page.get_by_text("Well done!")
            expect(praise).to_be_visible()
            expect(praise).to_have_css("color", "rgb(45, 106, 45)")
            praised += 1
        if number < steps:
            child.button("Next").click()
    assert (praised, explained) == (7, 4)
    page.get_by_role("link", name="Play my first game").click()
    child.button("Go on").click()
    expect(page.get_by_role("heading", name=re.compile("crib"))).to_be_visible()
    assert len(child.cards()) == 6
    expect(child.button("Hint")).to_be_visible()


def test_a_lesson_does_not_end_a_game_that_is_being_played(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "1 peg 12", "2 peg 7")
    number = daemon.state()["number"]
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/lesson.html?lesson=cribbage#18")
    page.get_by_role("link", name="Play my first game").click()
    expect(page.get_by_role("dialog")).to_contain_text("Play against the board")
    assert daemon.state()["number"] == number


FIRST_GAMES: Final = {
    "belote": "real",
    "bezique": "",
    "costly-colours": "real",
    "cribbage": "dealt",
    "klaberjass": "real",
    "noddy": "real",
    "pinochle": "",
}
"""How the board plays the game of each lesson."""


@pytest.mark.parametrize("name", FIRST_GAMES)
def test_a_lesson_leads_into_a_first_game(daemon: Daemon, visit: Visit, name: str) -> None:
    """The board plays it if it can. Otherwise the table's sheet opens with the game chosen."""
    assert as_json(name, "en")["first_game"] == FIRST_GAMES[name]
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/lesson.html?lesson={name}#{len(lessons.load(name).step)}")
    if how := FIRST_GAMES[name]:
        expect(page.get_by_text("The board plays too.")).to_have_count(int(how == "real"))
    else:
        expect(page.get_by_text("play it with somebody")).to_be_visible()
    page.get_by_role("link", name="Play my first game").click()
    sheet = page.get_by_role("dialog")
    if not FIRST_GAMES[name]:
        expect(sheet.locator("[data-focus=game]")).to_have_value(name)
        sheet.get_by_role("button", name="Start this game").click()
        expect(sheet).to_be_hidden()
        assert daemon.state()["game"] == name
        return
    expect(page.get_by_role("button", name="Play against the board")).to_have_count(0)
    if name == "cribbage":
        page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Level: a child’s first games")).to_be_visible()
    with daemon.client as client:
        player = client.get("/player").json()
    assert (player["seat"], player["level"], player["alone"]) == (2, -1, name == "cribbage")
    assert (daemon.state()["game"], daemon.state()["seats"]) == (name, ["Ann", "The board"])


def test_an_unknown_first_game_leaves_the_choice(daemon: Daemon, visit: Visit) -> None:
    """The address may come from another version of the page."""
    number = daemon.state()["number"]
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/#first-game=tarot")
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("[data-focus=game]")).to_have_value("cribbage")
    expect(sheet.locator("[data-focus=start]")).to_be_visible()
    assert daemon.state()["number"] == number


def test_a_learner_is_given_hints_with_real_cards(daemon: Daemon, visit: Visit) -> None:
    """From the last step of the lesson of klaberjass to a hint for the first bid."""
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/lesson.html?lesson=klaberjass#8")
    page.get_by_role("link", name="Play my first game").click()
    expect(page.locator("#due")).to_contain_text("Who deals?")
    daemon.say("dealer 2", "deal")
    expect(page.get_by_role("heading", name="Which card is turned up?")).to_be_visible()
    daemon.say("turnup QH", "1 hand JH 9H AH KS QS 7D", "2 hand 7C 8C 9C TS 8S 9D")
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator(".nudge")).to_be_visible()


ANSWERS = """(() => {
  const send = window.fetch;
  window.fetch = async (...request) => {
    const answer = await send(...request);
    if (request[1]?.method === 'POST') {
      const told = await answer.clone().json();
      const before = JSON.parse(sessionStorage.getItem('answers') ?? '[]');
      const code = told.refused?.code ?? told.error?.code ?? '';
      const { line = '' } = typeof request[1].body === 'string' ? JSON.parse(request[1].body) : {};
      const again = line && before.at(-1)?.join(' ') === `${line} stale`;
      const kept = again ? before.slice(0, -1) : before;
      sessionStorage.setItem('answers', JSON.stringify([...kept, [line, code]]));
    }
    return answer;
  };
})()"""
"""Records the line of every request with the code of its refusal, or with an empty text. If the
page repeats a throw because the board threw at the same time, the last answer counts."""
NEXT = """(share) => {
  const shown = document.querySelector('dialog[open]');
  if (shown) return shown.querySelector('.act.first:enabled');
  const due = document.getElementById('due');
  if (due.classList.contains('over')) return due;
  const these = due.querySelector('[data-focus=these]');
  if (these && !these.disabled) return these;
  const cards = [...due.querySelectorAll('.hand-row .target:enabled:not([aria-pressed=true])')];
  return cards[Math.floor(share * cards.length)] ?? due.querySelector('.asks .act.first');
}"""
"""The next tap of a person: the first entry of the question, or any card; `#due` once the game is
over."""
DONE = """([tapped, number]) => {
  const shown = document.querySelector('dialog[open]');
  if (tapped.closest('dialog')) return !shown;
  if (tapped.dataset.focus === 'go-on') return !tapped.isConnected;
  const chosen = tapped.getAttribute('aria-pressed') === 'true';
  return document.body.dataset.number !== number || shown || chosen;
}"""
"""Whether a tap has had its effect."""


@sweep("size, language", PAIRS, ordinary=[])
def test_the_reader_then_plays_a_whole_game_without_a_rejected_move(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    """The reader plays to 121 against the board, with any tappable card and the first button."""
    daemon = run()
    page = visit.blank(*size)
    page.add_init_script(ANSWERS)
    page.goto(f"{daemon.url}/lesson.html?lang={language}&lesson=cribbage")
    expect(page.locator(".lesson-say")).to_be_visible()
    follow(page, language)
    page.locator("[data-focus=end]").click()
    page.locator("[data-focus=against]").click()
    page.locator("dialog[open] [data-focus='level-1']").click()
    page.locator("#due.counts [data-focus=go-on]").click()
    expect(page.locator("#due .hand-row .target")).to_have_count(6)
    taps = whole_game(page, Random(f"{size} {language}"))
    state = daemon.state()
    assert state["over"]
    assert max(side["score"] for side in state["sides"]) == state["target"] == 121
    answers = page.evaluate("JSON.parse(sessionStorage.getItem('answers'))")
    assert {code for _, code in answers} == {""}, [answered for answered in answers if answered[1]]
    assert len(answers) >= taps / 3
    assert page.locator(".refused:visible").count() == 0


def whole_game(page: Page, chance: Random) -> int:
    """Play until the game is over, and return the number of taps."""
    for taps in range(1000):
        made = page.wait_for_function(NEXT, arg=chance.random()).as_element()
        assert made is not None
        if made.get_attribute("id") == "due":
            return taps
        number = page.locator("body").get_attribute("data-number")
        try:
            made.click()
        except Error as error:
            assert "not attached" in error.message  # redrawn meanwhile: look again
            continue
        page.wait_for_function(DONE, arg=[made, number])
    raise AssertionError("the game does not end")


def test_the_lamps_show_the_lesson_and_then_the_evening(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "1 peg 12", "2 peg 7")
    page = visit(daemon.url)
    lit = "document.querySelectorAll('.board .lit, .board .lamp').length"
    assert page.evaluate(lit) is not None
    with daemon.client as client:
        answer = client.post("/lesson", json={"name": "cribbage", "step": 12})
        assert answer.json() == {"lent": True}
        assert client.post("/lesson", json={"name": "", "step": 0}).json() == {"lent": False}
        assert client.post("/lesson", json={"name": "x", "step": 0}).json() == {"lent": False}
        assert client.get("/lessons/x").status_code == 404
        found = client.get("/lessons").json()["lessons"]
        assert [lesson["name"] for lesson in found][:2] == ["cribbage", "belote"]


STANDS: Final = """() => {
  const box = (chosen) => document.querySelector(chosen).getBoundingClientRect();
  const [board, next] = ['#board', '[data-focus=next]'].map(box);
  const focus = getComputedStyle(document.activeElement).outlineStyle;
  const edges = [next.right, next.bottom, board.left, board.top].map(Math.round);
  return { edges, ring: focus, seen: board.top >= 0 && next.bottom <= innerHeight,
    wide: board.width / Math.min(innerWidth, document.querySelector('#light').offsetWidth) };
}"""
"""The places of the board and of the button that continues."""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (820, 1180), (1280, 900)])
def test_board_and_next_step_stand_where_they_stood(
    daemon: Daemon, visit: Visit, size: tuple[int, int]
) -> None:
    """Next moved up and down with the words, and so did the board. On a phone in landscape Next was
    out of sight, although its panel was half empty."""
    page = visit.blank(*size)
    page.goto(f"{daemon.url}/lesson.html?lesson=cribbage")
    stood = []
    for _ in range(3):
        expect(page.locator("[data-focus=next]")).to_be_visible()
        stood.append(page.evaluate(STANDS))
        page.locator("[data-focus=next]").click()
    assert stood[0]["seen"]
    assert stood[0]["wide"] > 0.85
    assert stood[0]["ring"] == "none", "nobody came with the keyboard"
    assert [at["edges"] for at in stood] == [stood[0]["edges"]] * 3
    expect(page.locator(".hand-row .target")).to_have_count(6)
    assert page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0


def test_what_is_melded_stays_in_the_hand(daemon: Daemon, visit: Visit) -> None:
    """As the lesson says, the cards remain the learner's and can be played."""
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/lesson.html?lesson=bezique")
    hand = page.locator(".lesson .hand-row .target")
    for words in ("The winner of a trick may meld.", "lead the ten of clubs"):
        page.locator("[data-focus=next]").click()
        expect(page.locator(".lesson-say")).to_contain_text(words)
    hand.and_(page.locator("[data-card=TC]")).click()
    for words in ("You won the trick", "Meld the king"):
        page.locator("[data-focus=next]").click()
        expect(page.locator(".lesson-say")).to_contain_text(words)
    expect(hand).to_have_count(7)
    for card in ("KS", "QS"):
        hand.and_(page.locator(f"[data-card={card}]")).click()
    expect(page.locator(".nudge")).to_contain_text("The cards stay yours")
    expect(hand).to_have_count(7)


def test_a_hand_that_is_dealt_in_two_parts_is_in_order(daemon: Daemon) -> None:
    """They are sorted by suits, as on a player's own phone."""
    with daemon.client as client:
        steps = client.get("/lessons/klaberjass").json()["steps"]
    longest = max((step["hand"] for step in steps), key=len)
    assert longest == ["KS", "QS", "JS", "AH", "JH", "9H", "AD", "8D", "7D"]


def test_it_is_found_on_the_table_sheet(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=390, height=844)
    page.locator("#table").click()
    page.locator("[data-focus=learn]").click()
    expect(page.locator(".lesson-say")).to_be_visible()
    page.locator("[data-focus=next]").click()
    expect(page.locator(".lesson .hint").first).to_contain_text("Step 2 of 18")


def test_a_lesson_goes_on_where_it_was(daemon: Daemon, visit: Visit) -> None:
    """It continues even if the page is reloaded, or somebody looks at the board meanwhile."""
    page = visit(daemon.url, width=390, height=844)
    page.goto(f"{daemon.url}/lesson.html?lang=en&lesson=cribbage")
    for _ in range(2):
        page.locator("[data-focus=next]").click()
    step = page.locator("#lesson > .hint")
    expect(step).to_contain_text("Step 3")
    page.reload()
    expect(step).to_contain_text("Step 3")
    page.goto(daemon.url)
    page.go_back()
    expect(step).to_contain_text("Step 3")
    page.goto(f"{daemon.url}/lesson.html?lang=en&lesson=bezique")
    expect(step).to_contain_text("Step 1")

"""People of a league: registration by phone, their own PINs, transfers, stored data, deletion."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

import httpx
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from boardctl.club import league, ratings, schema, skill
from boardctl.club.evening import ClubRefusal
from boardctl.club.hub import Hub
from boardctl.club.page import make
from boardctl.club.pin import PinHash, fits
from boardctl.club.store import Game, Store
from boardctl.commands import main
from boardctl.mqtt.connection import Broker
from boardctl.web import Options
from tests.bot.test_analysis import PEGS_OUT


def won(one: str, two: str) -> dict[str, object]:
    return {"state": "won", "seats": [one, two], "scores": [121, 100], "winner": 1,
            "margin": "game"}  # fmt: skip


def asked(store: Store, method: str, path: str, **form: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        app = make(Hub(store, Broker("localhost")), Options(port=8122, names=("hub.local",)))
        transport = httpx.ASGITransport(app=app)
        headers = {"origin": "http://127.0.0.1:8122"}
        async with httpx.AsyncClient(transport=transport) as client:
            url = f"http://127.0.0.1:8122{path}"
            return await client.request(method, url, headers=headers, data=form or None)

    return asyncio.run(ask())


def test_players_enter_by_phone_and_choose_a_pin_that_nobody_sees(store: Store) -> None:
    number = store.new("Friday", (), open_=True)
    path = f"/entry/{store.about().code}"
    assert "/entry.svg" in asked(store, "GET", "/").text
    image = asked(store, "GET", "/entry.svg")
    assert image.headers["content-type"] == "image/svg+xml"
    form = asked(store, "GET", path)
    assert "form-action 'self'" in form.headers["content-security-policy"]
    assert form.headers["referrer-policy"] == "same-origin"
    for name, pin, status in (
        ("Ann", "77", 409),  # no PIN
        ("Ann", "1234", 200),
        ("ann", "1234", 409),  # already takes part
        ("<b>Bob", "55555", 200),
        ("", "55555", 409),
    ):
        answer = asked(store, "POST", path, name=name, pin=pin)
        assert answer.status_code == status, answer.text
        assert pin not in re.sub(r"<input[^>]*>", "", answer.text)
    assert store.players(number) == ("Ann", "<b>Bob")
    for path_ in ("/entry/nonsense", "/player/9", "/player/99999999999"):
        assert asked(store, "GET", path_).status_code == 404
    assert asked(store, "POST", "/entry/nonsense", name="Eve", pin="1234").status_code == 404
    assert asked(store, "POST", path, name="x" * 3000, pin="1234").status_code == 413
    store.draw(number)
    assert asked(store, "POST", path, name="Eve", pin="1234").status_code == 409
    assert "/entry.svg" not in asked(store, "GET", "/").text
    store.correct(number, 1, "Ann", "<b>Bob", 7, ("1234", "55555"), 1.0)
    again = store.new("next Friday", (), open_=True)
    path = f"/entry/{store.about().code}"
    assert asked(store, "POST", path, name="Ann", pin="9999").status_code == 409, "not her PIN"
    assert asked(store, "POST", path, name="Ann", pin="1234").status_code == 200
    assert store.players(again) == ("Ann",)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/entry/x", "/entry.svg", "/entry/%00"])
def test_there_is_nothing_to_enter_before_the_first_evening(
    store: Store, method: str, path: str
) -> None:
    status = asked(store, method, path).status_code
    assert status == (405 if path == "/entry.svg" and method == "POST" else 404)


def test_a_form_of_somebody_else_and_half_a_form(
    store: Store,
) -> None:
    store.new("Friday", (), open_=True)
    path = f"/entry/{store.about().code}"
    many = {f"field{n}": "x" for n in range(9)}
    assert asked(store, "POST", path, name="Ann", pin="1234", **many).status_code == 413

    async def half() -> None:
        """The phone disconnects in the middle of it."""
        app = make(Hub(store, Broker("localhost")), Options(port=8122))
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "query_string": b"",
            "server": ("127.0.0.1", 8122),
            "client": ("127.0.0.1", 9),
            "headers": [(b"host", b"127.0.0.1:8122"), (b"origin", b"http://127.0.0.1:8122")],
        }
        inbox: list[dict[str, object]] = [{"type": "http.disconnect"}]
        inbox.append({"type": "http.request", "body": b"name=A", "more_body": True})

        async def receive() -> dict[str, object]:
            return inbox.pop()

        async def send(message: object) -> None:
            pass

        await app(scope, receive, send)

    asyncio.run(half())
    assert store.players(store.about().number) == ()


def test_a_store_that_does_not_answer_is_told_in_a_sentence(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.new("Friday", (), open_=True)

    def gone(*found: object) -> None:
        raise sa.exc.OperationalError("SELECT 1", {}, Exception("the server is gone"))

    monkeypatch.setattr(store.database, "read", gone)
    for method, path in (("GET", "/"), ("GET", "/director"), ("GET", "/league"),
                         ("GET", "/player/1"), ("POST", "/entry/x")):  # fmt: skip
        answer = asked(store, method, path)
        assert answer.status_code == 503
        assert "The club’s database is not responding" in answer.text
    assert asked(store, "GET", "/health/live").status_code == 200


@pytest.mark.parametrize("name", ["A\0nn", "A\x1b[2Jnn", "A\u202enn", "\ufeff", "A\x84nn"])
def test_a_name_of_invisible_characters_is_refused(store: Store, name: str) -> None:
    """A database, a terminal or a sheet could show them in any way."""
    number = store.new("Friday", (), open_=True)
    path = f"/entry/{store.about().code}"
    assert asked(store, "POST", path, name=name, pin="1234").status_code == 409
    with pytest.raises(ClubRefusal) as refused:
        store.new("Saturday", ("Ann", name, "Cleo"))
    assert refused.value.code == "name-unfit"
    assert store.players(number) == ()


def test_the_pages_of_director_player_and_league(store: Store) -> None:
    assert "no evening" in asked(store, "GET", "/director").text
    number = store.new("Friday", ("Ann", "<i>Bob", "Cleo", "Dan"))
    _, drawn = store.draw(number)
    one, two = drawn.pairs[0]
    store.bind("t1", 1)
    store.keep(Game("t9", "g-1-1", 1, won(two, one), 1.0))
    director = asked(store, "GET", "/director").text
    assert "t9 g-1-1" in director
    assert "another board" in director
    assert "t1 (offline)" in director
    store.decide(number, "t9", "g-1-1", accept=True)
    ratings.rate_all(store)
    page = asked(store, "GET", f"/player/{store.person(two)}").text
    assert "Rating" in page
    assert "games: 1." in page
    league_page = asked(store, "GET", "/league").text
    assert f'<a href="/player/{store.person(two)}">' in league_page
    assert "<i>" not in director + page + league_page


def test_skill_is_told_apart_from_luck(tmp_path: Path, store: Store) -> None:
    """Two games by cards are submitted twice each. The player's page shows the same figures as
    `review`."""
    number = store.new("Friday", ("ANN", "Cleo"))
    store.draw(number)
    games = tmp_path / "games.txt"
    games.write_text(PEGS_OUT + PEGS_OUT.replace("Ann", "Cleo"), "utf-8")
    where = ("--store", store.database.url.render_as_string(hide_password=False))
    for new in (2, 0):
        done = CliRunner().invoke(main, ["league", "skill", str(games), *where])
        assert done.exit_code == 0, done.output
        assert f"new: {new}; skipped: {4 - new} (already stored" in done.output
        assert "Bob is not a member of this club" in done.output
    reviewed = CliRunner().invoke(main, ["review", str(games), "--json"]).output
    seen = [json.loads(line) for line in reviewed.splitlines()]
    (game,) = (one for one in seen if one.get("game") == 1 and "decisions" in one)
    costs = [one["cost"] for one in game["decisions"] if one["player"] == "Ann"]
    with store.database.read() as connection:
        found = skill.of_person(connection, store.person("Ann"))
    assert found is not None
    assert (found.games, found.strength.decisions, found.strength.enough) == (1, len(costs), False)
    assert found.strength.loss == pytest.approx(mean(costs), abs=1e-6)
    assert found.strength.half == pytest.approx(1.96 * stdev(costs) / len(costs) ** 0.5, abs=1e-6)
    assert found.luck == pytest.approx(sum(deal["luck"][0] for deal in game["luck"]), abs=1e-6)
    page = asked(store, "GET", f"/player/{store.person('Ann')}").text
    assert f"{100 * found.strength.loss:.2f} ±" in page
    assert "too few decisions to compare" in page
    assert len(league.everything(store, "Ann")["judged"]) == 1
    league.forget(store, "Ann")
    with store.database.read() as connection:
        assert len(connection.execute(sa.select(schema.judged)).all()) == 1, "Cleo's"


def test_a_transfer_keeps_identity_pin_and_results(opened: Callable[..., Store]) -> None:
    north, south = opened("north"), opened("south")
    number = north.new("Friday", ("Ann", "Bob"))
    south.new("Friday", ("Cleo", "bob"))
    north.draw(number)
    pins = north.give_pins(("Ann", "Bob"))
    north.correct(number, 1, "Ann", "Bob", 40, (pins["Ann"], pins["Bob"]), 1.0)
    who = north.person("Ann")
    league.transfer(north, "Ann", "south")
    with pytest.raises(ClubRefusal) as refused:
        north.person("Ann")
    assert refused.value.code == "no-such-member"
    with pytest.raises(ClubRefusal) as refused:
        league.transfer(north, "Bob", "south")
    assert refused.value.code == "name-taken", "two people of one name are two people"
    assert south.person("Ann") == who
    there = south.new("next Friday", ("Ann", "Cleo"))
    south.draw(there)
    pins |= south.give_pins(("Ann", "Cleo"))
    south.correct(there, 1, "Ann", "Cleo", 5, (pins["Ann"], pins["Cleo"]), 2.0)
    card = league.card(south, who)
    assert card is not None
    assert [(t.club, t.points) for t in card.season] == [("north", 3), ("south", 2)]
    assert dict(league.clubs(south)) == {"club": 0, "north": 1, "south": 3}


def test_what_is_stored_of_a_person_can_be_read_and_deleted(store: Store) -> None:
    number = store.new("Friday", ("Ann", "Bob"))
    store.draw(number)
    store.give_pins(("Ann", "Bob"))
    store.keep(Game("t1", "g-1-1", 1, won("ANN", "Bob"), 1.0))
    store.keep(Game("t1", "g-2-1", 1, won("Ann", "somebody"), 2.0))
    ratings.rate_all(store)
    held = league.everything(store, "ann")
    assert held["person"]["name"] == "Ann"
    assert [game["game"] for game in held["games"]] == ["g-1-1"]
    assert held["rating"][0]["games"] == 1
    json.dumps(held)
    before = [(s.rank, s.points, s.net) for s in store.standings(number)]
    pseudonym = league.forget(store, "Ann")
    assert [(s.rank, s.points, s.net) for s in store.standings(number)] == before
    assert {s.name for s in store.standings(number)} == {pseudonym, "Bob"}
    with store.database.read() as connection:
        rows = [
            repr(connection.execute(sa.select(table)).all())
            for table in schema.metadata.sorted_tables
        ]
    assert "ann" not in "".join(rows).casefold(), "nowhere any more"
    with pytest.raises(ClubRefusal):
        league.everything(store, "Ann")
    store.keep(Game("t1", "g-1-1", 2, won("Ann", "Bob"), 3.0))
    assert store.meetings(number)[0].result is None, "a name that is gone is nobody's"


def test_a_league_by_the_command_line(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, typed: str = "", status: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, *store], input=typed)
        assert done.exit_code == status, done.output
        return done.output

    names = ("Ann", "Bob", "Cléo", "花子", "Eve", "Fay", "Gil", "Hal")
    run("club", "new", "Open", *names, "--qualifying", "--rounds", "2", "--seed", "3")
    run("club", "draw", "--cast")
    assert "Round 1 is not over" in run("club", "draw", status=1)
    run("club", "draw", "--anyway")
    assert "The first round has already been drawn" in run("club", "draw", "--cast", status=1)
    assert "still missing: 8" in run("club", "playoff", status=1)
    rounds = tmp_path / "rounds.csv"
    run("club", "export", str(rounds))
    lines = rounds.read_text("utf-8").splitlines()
    played = [
        f"{line.rstrip(',')},{line.split(',')[2]},{10 + n}" for n, line in enumerate(lines[1:])
    ]
    rounds.write_text("\n".join([lines[0], *played]), "utf-8")
    assert "results 8" in run("club", "import", "on paper", str(rounds))
    run("club", "export", str(tmp_path / "s.csv"), "--what", "standings")
    for paper in ("a4", "letter"):
        run("club", "cards", str(tmp_path / "cards.pdf"), "--paper", paper, "--language", "ja")
        assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert "round 1" in run("club", "playoff")
    assert "players 6" in run("club", "consolation", "--of", "2")
    assert "±" in run("league", "ratings")
    assert "8  club" in run("league", "clubs")
    assert "(club)" in run("league", "top")
    run("league", "transfer", "Ann", "Club 43")
    run("league", "person", "Ann", "--club", "Club 43", "--file", str(tmp_path / "ann.json"))
    assert json.loads((tmp_path / "ann.json").read_text("utf-8"))["person"]["name"] == "Ann"
    assert json.loads(run("league", "person", "Bob"))["person"]["pin"]
    assert "is now player" in run("league", "person", "Bob", "--delete", typed="y\n")
    assert "Bob is not a member of this club" in run("league", "person", "Bob", status=1)
    run("club", "table", "1", "t1")
    evening, waiting = run("club", "conflicts").splitlines()
    assert (evening, waiting) == ("on paper: consolation", "no game is waiting for a decision")
    assert "waiting for a decision" in run("club", "decide", "t1", "g", "--accept", status=1)


def test_a_club_or_season_is_begun_by_an_evening_and_not_by_looking(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "c.sqlite3"))

    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(main, [*words, *store])
        assert done.exit_code == status, done.output
        return done.output

    played = ("--club", "Club 43", "--season", "2026")
    run("club", "new", "Friday", "Ann", "Bob", *played)
    clubs = run("league", "clubs")
    assert [line.split()[1:] for line in clubs.splitlines()] == [["Club", "43"], ["club"]]
    for line in (
        "club standings",
        "club draw",
        "club playoff",
        "club enter Eve",
        "league person Ann",
    ):
        refused = run(*line.split(), "--club", "Clbu 43", status=1)
        assert "“Clbu 43”" in refused, line
        assert "club, Club 43" in refused, "and which there are"
    assert "“2062”" in run("league", "top", "--season", "2062", status=1)
    assert run("league", "clubs") == clubs
    run("club", "new", "Saturday", "Ann", "Cleo", "--club", "Club 43")
    opened = Store(tmp_path / "c.sqlite3", "Club 43", "2026")
    assert opened.about().season == opened.season, "the last season is the one that was played"
    opened.close()


@pytest.mark.usefixtures("real_pins")
def test_a_pin_of_an_older_store_still_fits() -> None:
    """The test uses a stored hash with the cost of RFC 7914."""
    hashed = bytes.fromhex("af7ca8b57ff45fd064b1ed5d3d82f83c81d57cad23f998d8e93c056bd0ef8cef")
    mark = PinHash(bytes(range(16)), hashed)
    assert fits("0417", mark)
    assert not fits("0418", mark)

"""Every state of every game in the page's form: random games from fixed seeds, with chosen names
and languages, and measurements of their drawing in the browser."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

from boardctl import games
from boardctl.board import layout
from boardctl.games import Ask, IllegalMove, Move
from boardctl.games.cards import CARDS
from boardctl.record.record import Record
from boardctl.record.visibility import VisibleRecords
from boardctl.web import move_list, state

GUESTS: Final = ("Zoë", "Old Mr. Finch", "Ida", "Bo")
FORMS: Final = [(game, seats) for game in games.names() for seats in games.find(game).seats]
"""Each game with each possible number of players."""


SHOWN: Final = {"features": ["bot", "far"], "buttons": [], "hint": True, "counts": []}
"""The features' additions to the state."""


def walk(
    game: str,
    steps: int,
    seats: int,
    chance: random.Random,
    guests: Sequence[str] = GUESTS,
    language: str = "en",
    own: int | None = None,
) -> list[dict[str, Any]]:
    """Yield states during random moves in the page's form, at every level of entry. With `own`, the
    page belongs to the phone of a seat."""
    record = Record()
    views = VisibleRecords()
    table = SimpleNamespace(
        record=record,
        number=0,
        undoing=Move("undo"),
        unfinished=None,
        visible_to=lambda seat: views.of(record, seat),
    )
    record.read(f"game {game}")
    for seat in (1, 2, 4, 3):
        if seat <= seats:
            record.apply(Move("seat", seat, name=guests[seat - 1]))
    found = []
    for _ in range(steps):
        table.position = record.position
        view = SimpleNamespace(
            table=table,
            controller=SimpleNamespace(
                prompt=lambda position: position.prompt,
                language=language,
                telling=chance.choice(["points", "hands", "cards"]),
                lights=SimpleNamespace(name="bright"),
                voice=None,
            ),
            layout=layout.load("classic-3"),
            features=SimpleNamespace(page=lambda scene: SHOWN, changes=0),
        )
        found.append(state.Snapshots(view).now(move_list.Viewer(language, own)))
        asks = record.position.prompt.asks
        if not asks:
            break
        for _ in range(8):
            try:
                record.apply(completed(chance.choice(asks), chance))
            except IllegalMove:
                continue
            break
    return found


def completed(ask: Ask, chance: random.Random) -> Move:
    """Return a move that answers an ask."""
    if ask.kind == "choice":
        return chance.choice(ask.choices)
    if ask.kind == "number":
        return ask.move._replace(numbers=(chance.randrange(ask.least, ask.most + 1, ask.scale),))
    if ask.kind == "cards":
        cards = tuple(chance.sample(ask.cards or CARDS, min(len(ask.cards or CARDS), ask.most)))
        return ask.move._replace(cards=cards)
    return ask.move


def shape(shown: dict[str, Any]) -> tuple[object, ...]:
    """Return the values that the drawing of a state depends on; states with equal values look
    alike."""
    asks = [
        (ask["code"], ask["kind"], ask["due"], len(ask["choices"]), len(ask["cards"] or ()))
        for ask in shown["asks"]
    ]
    return shown["game"], len(shown["seats"]), len(shown["pegs"]), str(asks)


MEASURE: Final = """async (states) => {
  const of = (name) => new URL(name, document.querySelector('script[type=module]').src).href;
  const { drawDue } = await import(of('due.js'));
  const { drawSides } = await import(of('sides.js'));
  const at = (id) => document.getElementById(id);
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const visible = (node) => node.checkVisibility({ visibilityProperty: true });
  // The part of a box outside another, in px.
  const outside = (one, other) => Math.max(
    other[0] - one[0], other[1] - one[1], one[2] - other[2], one[3] - other[3]);
  const view = [0, 0, innerWidth, innerHeight];
  const page = document.scrollingElement;
  const name = (node) => node.getAttribute('aria-label') || node.textContent;
  return states.map((state) => {
    drawSides(at('sides'), state, () => {});
    drawDue(at('due'), state, () => {});
    at('due').scrollTop = 0;
    const due = at('due');
    const targets = [...due.querySelectorAll('button')].filter(visible);
    const seen = box(due);
    const hidden = targets.filter((made) => outside(box(made), seen) > 0.5).map(name);
    const reached = targets.filter((made) => {
      if (hidden.length > 0) made.scrollIntoView({ block: 'nearest' });
      const [left, top, right, bottom] = box(made);
      const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return outside([left, top, right, bottom], box(due)) <= 0.5 && made.contains(met);
    });
    due.scrollTop = 0;
    const small = targets.filter((made) => made.offsetWidth < 44 || made.offsetHeight < 44);
    const stays = [...document.querySelectorAll('.tools-bar .act, #sides .act, #table')].map(
      (made) => [made.dataset.focus ?? made.id, box(made).map(Math.round)]);
    // Scores that are cut off, or lie under another box.
    const lost = [...document.querySelectorAll('#sides .score')].filter((score) => {
      const text = document.createRange();
      text.selectNodeContents(score);
      const [left, top, right, bottom] = box(text);
      const met = (x) => document.elementFromPoint(x, (top + bottom) / 2);
      const cut = outside([left, top, right, bottom], view) > 0.5;
      return cut || met(left + 1) !== score || met(right - 1) !== score;
    });
    return {
      lost: lost.map(({ textContent }) => textContent),
      buttons: [...document.querySelectorAll('button.act')].filter(
        (made) => visible(made) && !made.disabled && !made.closest('#moves')).length,
      due: outside(seen, view),
      height: due.scrollHeight > due.clientHeight ? due.clientHeight : Infinity,
      hidden,
      unreached: targets.filter((made) => !reached.includes(made)).map(name),
      small: small.map(name),
      first: due.querySelectorAll('.act.first').length,
      cards: due.querySelector('.row') !== null,
      scrolls: [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight],
      stays: Object.fromEntries(stays),
    };
  });
}"""
"""Draws states on the page, and returns which of their elements are visible, reachable and
tappable."""

TARGETS: Final = """() => {
  const place = document.querySelector('dialog:modal') ?? document;
  const may = 'button, a[href], input, select, textarea, summary, [role=button], [role=tab]';
  const inText = (node) => node.matches('a') && getComputedStyle(node).display === 'inline'
    && node.parentElement.textContent.trim() !== node.textContent.trim();
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !node.closest('[inert]') && !inText(node);
  const found = [...place.querySelectorAll(may)].filter(seen);
  const small = found.map((node) => {
    // A box to tick is tapped on its label, too.
    const boxes = [node, ...(node.labels ?? [])].map((one) => one.getBoundingClientRect());
    const width = Math.max(...boxes.map((box) => box.width));
    const height = Math.max(...boxes.map((box) => box.height));
    const name = node.getAttribute('aria-label') || node.textContent.trim() || node.name;
    return { name: `${node.localName}.${node.className}: ${name}`, width, height };
  }).filter(({ width, height }) => width < 43.5 || height < 43.5);
  return {
    count: found.length,
    small: small.map(({ name, width, height }) => `${name} ${width} x ${height}`),
    wide: document.scrollingElement.scrollWidth - innerWidth,
  };
}"""
"""For a page, or the dialog over it: the number of targets, the targets smaller than 44 px, and its
width beyond the window. A link in a sentence may be as high as its line."""

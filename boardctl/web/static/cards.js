// Cards to tap.

import { button, el } from './dom.js';
import { recall, remember } from './memory.js';
import { cardChip, cardName, cardText, say, suitSign } from './words.js';

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';
export const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

// The line made from an ask and the cards that complete it.
export const line = (asked, ...parts) =>
  [asked.head, ...parts, asked.tail].filter((part) => part !== '').join(' ');

// The cards of a typed word, such as `10h`, `Q♠` or `5h5s`; null if it contains anything else.
export function written(word) {
  // a phone's keyboard adds U+FE0F to suit signs
  const signs = word.replaceAll('\uFE0F', '').toUpperCase().replaceAll('10', 'T');
  const plain = [...SUITS].reduce((text, suit) => text.replaceAll(suitSign(suit), suit), signs);
  return /^([A2-9TJQK][SHDC])+$/.test(plain) ? plain.match(/../g) : null;
}

export function target(card, act) {
  const made = el(
    'button',
    {
      type: 'button', class: `target ${'HD'.includes(card[1] ?? ' ') ? 'red' : 'black'}`,
      'data-card': card, 'data-focus': card, 'aria-label': cardName(card),
    },
    el('span', { class: 'rank' }, cardText(card[0])),
    card[1] ? el('span', { class: 'pip' }, suitSign(card[1])) : null,
  );
  made.addEventListener('click', () => act(card));
  return made;
}

// The cards of one ask in rows of suits, those without a suit last.
export function suited(cards, act) {
  const plain = [...new Set(cards.map((card) => card.slice(0, 2)))];
  const rows = [...SUITS].map((suit) => plain.filter((card) => card[1] === suit));
  rows.push(plain.filter((card) => !card[1]));
  const widest = Math.max(...rows.map((row) => row.length));
  return rows
    .filter((row) => row.length > 0)
    .map((row) => el('div', { class: `suit wide${Math.min(13, widest)}` }, ...row.map((card) => target(card, act))));
}

// An empty place.
export const gap = () => el('span', { class: 'gap' });

// The places of elements that are tapped repeatedly: each keeps its place, a removed one leaves a gap, and a new one
// fills the first gap.
export class Places {
  #of = '';
  #places = [];

  // The places of these elements; `here` returns whether one still exists. If they belong to something else (`of`),
  // the places begin anew. `fixed`: no place is added, so more elements than places also begin anew.
  lay(of, all, fixed = false) {
    const left = [...all];
    const take = (one) => {
      const at = left.indexOf(one);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    };
    const places = (of === this.#of ? this.#places : []).map(({ one }) => ({ one, here: take(one) }));
    for (const place of places.filter(({ here }) => !here)) {
      if (left.length > 0) Object.assign(place, { one: left.shift(), here: true });
    }
    const added = (some) => some.map((one) => ({ one, here: true }));
    this.#of = of;
    this.#places = fixed && left.length > 0 ? added(all) : [...places, ...added(left)];
    return this.#places;
  }
}

const BESIDE = 6; // the number in one row on a phone
let picked = { hand: '', places: new Set() }; // cards tapped in a hand stay selected while the table changes

// A card that a screen reader says by its name.
function shown(card) {
  const made = cardChip(card);
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', cardName(card));
  return made;
}

// The cards of a hand that this phone knows, large, each in its place. Requested cards can be tapped: a tap plays
// one; for several, `done` receives them. While nothing is asked they are only shown.
export function handRow(hand, asked, play) {
  const many = hand.length > BESIDE ? 'many' : '';
  const row = (name, kind, ...cards) =>
    el('div', { class: `row hand-row ${kind} ${many}`, role: 'group', 'aria-label': name }, ...cards);
  if (!asked) return { row: row(say('your-cards'), 'held', ...hand.map(({ one, here }) => (here ? shown(one) : gap()))) };
  const whose = [asked.head, ...asked.cards].join(' ');
  if (picked.hand !== whose) picked = { hand: whose, places: new Set() };
  const chosen = picked.places; // indices, not cards, because a hand may hold a card twice
  const several = asked.most > 1;
  const these = () => play(line(asked, ...[...chosen].map((place) => hand[place].one)));
  const done = several ? button(say(`discard-these-${asked.most}`), these, 'first', 'these') : null;
  const tap = (card, place) => {
    if (!several) {
      play(line(asked, card));
      return;
    }
    if (!chosen.delete(place) && chosen.size < asked.most) chosen.add(place);
    mark();
  };
  const cards = hand.map(({ one, here }, place) => {
    if (!here) return gap();
    const made = target(one, (card) => tap(card, place));
    made.disabled = !asked.cards.includes(one);
    return made;
  });
  const mark = () => {
    for (const [place, made] of cards.entries()) {
      const on = chosen.has(place);
      made.classList.toggle('chosen', on);
      made.setAttribute('aria-pressed', String(on));
    }
    done.disabled = chosen.size < asked.least;
  };
  if (several) mark();
  return { row: row(asked.text, '', ...cards), done, tap: several ? null : el('p', { class: 'hint' }, say('tap-plays')) };
}

// Whether cards are entered by rank if that is sufficient; stored in the browser.
const KEPT = 'boardctl.pick';
export const byRank = () => recall(KEPT) !== 'cards';
export const keepByRank = (ranks) => remember(KEPT, ranks ? 'ranks' : 'cards');

// Two buttons, without or with suits; `act` is called after a change.
export function suitSwitch(now, act) {
  return el('div', { class: 'switch', role: 'group', 'aria-label': say('pick-by') },
    ...[[true, 'by-rank'], [false, 'by-card']].map(([ranks, code]) => {
      const made = el('button', { type: 'button', class: 'way', 'data-focus': code, 'aria-pressed': String(ranks === now) }, say(code));
      made.addEventListener('click', () => {
        keepByRank(ranks);
        act(ranks);
      });
      return made;
    }));
}

// The ranks and suits offered in a game so far: each card keeps its place among them, even when others can no longer
// be tapped.
let pack = { game: '', ranks: [], suits: [] };
function inPack(game, cards) {
  if (pack.game !== game) pack = { game, ranks: [], suits: [] };
  const of = (all, part, known) => all.filter((one) => known.includes(one) || cards.some((card) => card[part] === one));
  pack.ranks = of([...RANKS], 0, pack.ranks);
  pack.suits = of([...SUITS, undefined], 1, pack.suits);
  return pack;
}

// One tap plays a card. If ranks are sufficient and suits are wanted, a suit and a rank do, in either order.
export function cardRow(game, asked, play) {
  if (!asked.ranks) {
    const offered = new Set(asked.cards.map((card) => card.slice(0, 2)));
    const { ranks, suits } = inPack(game, asked.cards);
    const place = (card) => (offered.has(card) ? target(card, () => play(line(asked, card))) : gap());
    return el('div', { class: 'row', role: 'group', 'aria-label': asked.text },
      ...suits.map((suit) => el('div', { class: 'suit' }, ...ranks.map((rank) => place(rank + (suit ?? ''))))));
  }
  const offered = asked.cards ?? PACK;
  const { ranks: known } = inPack(`${game} ranks`, offered);
  let [rank, suit] = ['', ''];
  const tap = () => {
    if (byRank() ? rank : rank && suit) {
      play(line(asked, byRank() ? rank : rank + suit));
      rank = suit = '';
    }
    for (const made of row.querySelectorAll('.target')) made.setAttribute('aria-pressed', String(made.dataset.card === rank));
    for (const made of row.querySelectorAll('.pick')) made.setAttribute('aria-pressed', String(made.dataset.focus === suit));
  };
  const suits = [...SUITS].map((letter) => {
    const made = el(
      'button',
      { type: 'button', class: `pick ${'HD'.includes(letter) ? 'red' : 'black'}`, 'aria-pressed': 'false',
        'aria-label': say(`suit-${letter}`), 'data-focus': letter },
      suitSign(letter),
    );
    made.addEventListener('click', () => {
      suit = suit === letter ? '' : letter;
      tap();
    });
    return made;
  });
  const ranks = known.map((each) => {
    if (!offered.some((card) => card[0] === each)) return gap();
    return target(each, () => {
      rank = rank === each ? '' : each;
      tap();
    });
  });
  const picks = el('div', { class: 'suits', role: 'group', 'aria-label': say('suit-too') }, ...suits);
  picks.hidden = byRank();
  const row = el(
    'div',
    { class: 'row', role: 'group', 'aria-label': asked.text },
    el('div', { class: 'suit ranks' }, ...ranks),
    picks,
    suitSwitch(byRank(), (plain) => {
      picks.hidden = plain;
      for (const made of row.querySelectorAll('.way')) made.setAttribute('aria-pressed', String((made.dataset.focus === 'by-rank') === plain));
      rank = suit = '';
      tap();
    }),
  );
  return row;
}

// Cards to tap.

import { button, el } from './dom.js';
import { cardName, cardText, say, suitSign } from './words.js';

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';

// The line that an ask makes with what completes it.
export const line = (asked, ...parts) =>
  [asked.head, ...parts, asked.tail].filter((part) => part !== '').join(' ');

// The cards of a typed word, such as `10h`, `Q♠` or `5h5s`; null if it has anything else.
export function written(word) {
  const signs = word.replaceAll('\uFE0F', '').toUpperCase().replaceAll('10', 'T'); // a phone's keyboard adds the first to its signs
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

export const inOrder = (cards) =>
  [...cards].sort((a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));

const BESIDE = 6; // so many stand in one row on a phone
let picked = { hand: '', cards: new Set() }; // what was tapped in a hand stays while the table moves on

// The cards of a hand that this phone knows, large; `most` of them are chosen, one by a tap.
export function handRow(asked, play) {
  const hand = [asked.head, ...asked.cards].join(' ');
  if (picked.hand !== hand) picked = { hand, cards: new Set() };
  const chosen = picked.cards;
  const done = button(say('discard-these'), () => play(line(asked, ...chosen)), 'first whole', 'these');
  const cards = asked.cards.map((card) => target(card, () => {
    if (asked.most === 1) {
      play(line(asked, card));
      return;
    }
    if (!chosen.delete(card) && chosen.size < asked.most) chosen.add(card);
    mark();
  }));
  const mark = () => {
    for (const made of cards) {
      const on = chosen.has(made.dataset.card);
      made.classList.toggle('chosen', on);
      made.setAttribute('aria-pressed', String(on));
    }
    done.disabled = chosen.size < asked.least;
  };
  const row = el('div', { class: `row hand-row ${cards.length > BESIDE ? 'many' : ''}`, role: 'group', 'aria-label': asked.text }, ...cards);
  if (asked.most === 1) return row;
  mark();
  return el('div', { class: 'choose' }, row, done);
}

// Whether cards are entered by their ranks alone, where that is enough; the browser keeps it.
const KEPT = 'boardctl.pick';
export const byRank = () => localStorage.getItem(KEPT) !== 'cards';
export const keepByRank = (ranks) => localStorage.setItem(KEPT, ranks ? 'ranks' : 'cards');

// Without or with suits: two buttons; `act` is called when it was changed.
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

// One tap plays a card. Where ranks are enough and suits are wanted, a suit and a rank do, in either
// order.
export function cardRow(asked, play) {
  if (!asked.ranks) {
    return el('div', { class: 'row', role: 'group', 'aria-label': asked.text },
      ...suited(asked.cards, (card) => play(line(asked, card))));
  }
  const offered = asked.cards ?? [...SUITS].flatMap((s) => [...RANKS].map((r) => r + s));
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
  const ranks = [...RANKS].filter((each) => offered.some((card) => card[0] === each)).map((each) =>
    target(each, () => {
      rank = rank === each ? '' : each;
      tap();
    }));
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

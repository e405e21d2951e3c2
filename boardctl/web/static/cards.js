// Cards to tap.

import { el } from './dom.js';
import { cardName, cardText, say, suitSign } from './words.js';

export const RANKS = 'A23456789TJQK';
export const SUITS = 'SHDC';

// The line that an ask makes with what completes it.
export const line = (asked, ...told) =>
  [asked.head, ...told, asked.tail].filter((part) => part !== '').join(' ');

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

// One tap plays a card. Where ranks are enough, a suit may be tapped before.
export function cardRow(asked, play) {
  if (!asked.ranks) {
    return el('div', { class: 'row', role: 'group', 'aria-label': asked.text },
      ...suited(asked.cards, (card) => play(line(asked, card))));
  }
  const offered = asked.cards ?? [...SUITS].flatMap((s) => [...RANKS].map((r) => r + s));
  let suit = '';
  const suits = [...SUITS].map((letter) => {
    const made = el(
      'button',
      { type: 'button', class: `pick ${'HD'.includes(letter) ? 'red' : 'black'}`, 'aria-pressed': 'false',
        'aria-label': say(`suit-${letter}`), 'data-focus': letter },
      suitSign(letter),
    );
    made.addEventListener('click', () => {
      suit = suit === letter ? '' : letter;
      for (const [n, other] of suits.entries()) other.setAttribute('aria-pressed', String(SUITS[n] === suit));
    });
    return made;
  });
  const ranks = [...RANKS].filter((rank) => offered.some((card) => card[0] === rank));
  return el(
    'div',
    { class: 'row', role: 'group', 'aria-label': asked.text },
    el('div', { class: 'suit ranks' }, ...ranks.map((rank) => target(rank, () => play(line(asked, rank + suit))))),
    el('div', { class: 'suits', role: 'group', 'aria-label': say('suit-too') },
      el('span', { class: 'hint' }, say('suit-too')), ...suits),
  );
}

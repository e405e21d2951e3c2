// The page's own words, in the language that the browser, or the address (?lang=ja), asks for.

import { el } from './dom.js';

let words = {};
export let language = 'en';

export async function learn() {
  const answer = await (await fetch(`words${location.search}`)).json();
  ({ language, words } = answer);
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll('[data-say]')) node.textContent = say(node.dataset.say);
  for (const node of document.querySelectorAll('[data-name]')) {
    node.setAttribute('aria-label', say(node.dataset.name));
  }
  for (const node of document.querySelectorAll('[data-keep]')) node.href += location.search;
}

// `{field}` is filled in; a word that nobody wrote is shown by its code.
export function say(code, fields = {}) {
  const template = words[code] ?? code;
  return template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name] ?? ''));
}

// A card of the notation as it is read: 5H -> 5♥, TD -> 10♦.
const SUITS = { S: '♠', H: '♥', D: '♦', C: '♣' };
export const suitSign = (letter) => SUITS[letter] ?? '';
export const cardText = (card) => `${card[0] === 'T' ? '10' : card[0]}${suitSign(card[1])}`;

export function cardName(card) {
  const rank = say(`rank-${card[0]}`);
  return card[1] ? say('card-name', { rank, suit: say(`suit-${card[1]}`) }) : rank;
}

// A card as a small picture of itself.
export function cardChip(card, kind = '') {
  return el(
    'span',
    { class: `card ${kind} ${'HD'.includes(card[1]) ? 'red' : 'black'}`, 'data-card': card },
    cardText(card),
  );
}

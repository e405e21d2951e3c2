// The page's own words, in the language of the browser or of the address (?lang=ja).

import { el } from './dom.js';
import { forget, recall, remember } from './memory.js';

const SEAT = 'boardctl.seat';
const PERSON = 'boardctl.person'; // the name at that seat when it was taken
const AGAIN = 2000; // ms before a board that does not answer is retried
let words = {};
export let language = 'en';

// The board's answer; requested again while it is away or still starting.
export async function patiently(path) {
  for (;;) {
    try {
      const answer = await fetch(path);
      if (answer.ok) return await answer.json();
    } catch {
      // not running yet, or another program answers
    }
    await new Promise((again) => setTimeout(again, AGAIN));
  }
}

export async function learn() {
  ({ language, words } = await patiently(`words${location.search}`));
  document.documentElement.lang = language;
  for (const node of all('[data-say]')) node.textContent = say(node.dataset.say);
  for (const node of all('[data-name]')) node.setAttribute('aria-label', say(node.dataset.name));
  for (const node of all('[data-keep]')) node.href += location.search;
}

// The user's way of writing dates in the page's language: 25/11 or 11/25.
export const locale = () => navigator.languages.find((tongue) => tongue.startsWith(language)) ?? language;

/** @returns {NodeListOf<any>} */
const all = (selector) => document.querySelectorAll(selector);

// `{field}` is filled in; a missing word is shown by its code.
export function say(code, fields = {}) {
  const template = words[code] ?? code;
  return template.replace(/\{(\w+)\}/g, (_, name) => String(fields[name] ?? ''));
}

// A share of one in per cent: 0.5 -> 50.0.
export const percent = (share) => (100 * share).toFixed(1);

export const known = (code) => code in words;

// The seat whose player holds this phone, '' for a shared one; only the browser stores it.
export const WATCH = 'watch'; // instead of a seat: this phone only watches
export const isTv = new URLSearchParams(location.search).get('view') === 'tv'; // it shows public cards only
export const watches = () => isTv || recall(SEAT) === WATCH;
export const seat = () => (watches() ? '' : recall(SEAT) ?? '');
export const asked = () => isTv || recall(SEAT) !== null; // whose phone it is
export const askAnew = () => forget(SEAT);
export function sitAt(number) {
  remember(SEAT, number);
  forget(PERSON);
}

// A phone stays with its player when other people take the seats; it has no seat if that player has none. Returns
// whether its seat has changed.
export function stay(names) {
  if (isTv || names.length === 0) return false;
  const now = seat();
  const person = recall(PERSON) ?? names[Number(now) - 1];
  if (person === undefined && !now) return false;
  if (person !== undefined) remember(PERSON, person);
  const next = names.includes(person) ? String(names.indexOf(person) + 1) : '';
  if (next === now) return false;
  if (next) remember(SEAT, next);
  else forget(SEAT);
  return true;
}

// A card of the notation in readable form: 5H -> 5♥, TD -> 10♦.
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
    { class: `card ${kind} ${'HD'.includes(card[1] ?? ' ') ? 'red' : 'black'}`, 'data-card': card },
    cardText(card),
  );
}

// A text with red suits in red, as on cards.
export const withSuits = (text) =>
  text.split(/([♥♦])/u).map((part) => (/^[♥♦]$/u.test(part) ? el('span', { class: 'red-suit' }, part) : part));

// A sentence with its cards (5♥, 10♦) as small pictures; a closing mark stays beside the last one.
export const withCards = (text) =>
  text.split(/((?:10|[2-9AJQK])[♠♥♦♣][\p{Pe}\p{Po}]?)/u).map((part) => {
    const [, card, mark] = /^((?:10|[2-9AJQK])[♠♥♦♣])(.?)$/u.exec(part) ?? [];
    if (!card) return part;
    const made = el('span', { class: `card ${'♥♦'.includes(card.at(-1)) ? 'red' : 'black'}` }, card);
    return mark ? el('span', { class: 'together' }, made, mark) : made;
  });

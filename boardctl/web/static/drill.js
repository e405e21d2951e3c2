// Practice positions by theme, those that were forgotten asked more often. Answers are judged by the
// board as any position is; how far this phone's player has come is kept in the browser alone.

import { get } from './ask.js';
import { RANKS, SUITS, target } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, learn, patiently, say, withCards } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const KEPT = 'boardctl.drills';
// Boxes after Sebastian Leitner, "So lernt man lernen" (Herder 1972): right moves a position to the next
// box, wrong to the first; it is asked again after so many other questions.
const BOXES = [3, 8, 20, 50, 120];
const LEARNT = 3; // from this box on a position counts as known
const RIGHT = 0.005; // less of the chance of winning than this is lost by a right answer
let drills = {};

// What is kept: how many questions were answered, and by name of a position its box and when it is due.
function progress() {
  try {
    const { asked, boxes } = JSON.parse(localStorage.getItem(KEPT) ?? '');
    if (Number.isInteger(asked) && typeof boxes === 'object' && boxes) return { asked, boxes };
  } catch {
    // nothing yet, or not ours
  }
  return { asked: 0, boxes: {} };
}

function answered(name, right) {
  const { asked, boxes } = progress();
  const box = right ? Math.min(BOXES.length, (boxes[name]?.box ?? 0) + 1) : 1;
  boxes[name] = { box, due: asked + 1 + BOXES[box - 1] };
  localStorage.setItem(KEPT, JSON.stringify({ asked: asked + 1, boxes }));
}

// The position to ask: the one longest due, else a new one, else the one due first, never the last again.
function due(theme, last) {
  const { asked, boxes } = progress();
  const names = drills[theme].map((_, n) => `${theme} ${n}`).filter((name) => name !== last);
  const seen = names.filter((name) => boxes[name]).sort((a, b) => boxes[a].due - boxes[b].due);
  if (seen.length > 0 && boxes[seen[0]].due <= asked) return seen[0];
  return names.find((name) => !boxes[name]) ?? seen[0];
}

function draw() {
  const { boxes } = progress();
  put(at('themes'), el('p', { class: 'hint' }, say('drills-why')),
    el('div', { class: 'asks' }, ...Object.keys(drills).map((theme) => {
      const known = drills[theme].filter((_, n) => boxes[`${theme} ${n}`]?.box >= LEARNT).length;
      return button(say('drill-of', { theme: say(`drill-${theme}`), known, all: drills[theme].length }), () => ask(theme, ''), '', theme);
    })));
}

const order = (cards) => cards.sort((a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));
const split = (cards = '') => cards.split(' ').filter((card) => card);
const worth = (card) => Math.min(10, RANKS.indexOf(card[0]) + 1);

function ask(theme, last) {
  const name = due(theme, last);
  const one = drills[theme][Number(name.split(' ')[1])];
  const played = split(one.played);
  const away = [...split(one.thrown), ...played];
  const series = split(one.series);
  const most = one.thrown ? 1 : 2;
  const chosen = new Set();
  const said = el('div', { role: 'status' });
  const row = (word, cards) => (cards.length > 0
    ? el('div', { class: 'lesson-row' }, el('span', {}, say(word)), ...cards.map((card) => cardChip(card))) : null);
  const hand = order(split(one.hand).filter((card) => !away.includes(card))).map((card) => {
    const made = target(card, () => {
      if (!chosen.delete(card) && chosen.size < most) chosen.add(card);
      for (const other of hand) {
        other.classList.toggle('told', chosen.has(other.dataset.card));
        other.setAttribute('aria-pressed', String(chosen.has(other.dataset.card)));
      }
      if (chosen.size === most) judge();
    });
    made.setAttribute('aria-pressed', 'false');
    return made;
  });
  const count = series.reduce((sum, card) => sum + worth(card), 0);
  at('drill').hidden = false;
  put(at('drill'), el('h3', {}, say(`drill-${theme}`)),
    el('p', { class: 'asked' }, say(one.deals ? 'drill-dealer' : 'drill-pone', { mine: one.now[0], theirs: one.now[1] }), ' ',
      say(most === 2 ? 'drill-throw' : 'drill-play', { count })),
    row('position-starter', split(one.starter)), row('drill-thrown', split(one.thrown)),
    row('drill-earlier', played.slice(0, played.length - series.length)), row('drill-count', series),
    el('div', { class: 'hand-row' }, ...hand), said);
  at('drill').focus();
  at('drill').scrollIntoView({ block: 'nearest' });

  async function judge() {
    for (const made of hand) made.disabled = true;
    put(said, el('p', { class: 'hint' }, say('position-judging')));
    const { hand: cards, thrown = '', starter = '' } = one;
    const told = await get('position', {
      hand: cards, thrown, starter, played: played.join(' '), score: (one.score ?? [0, 0]).join(' '), why: 'yes',
      ...(one.deals ? { deals: 'yes' } : {}),
    });
    const problem = told.error?.message ?? told.problem;
    const mine = told.choices?.find((choice) => choice.cards.every((card) => chosen.has(card)));
    if (problem || !mine) {
      put(said, el('p', { class: 'refused', role: 'alert' }, problem ?? say('drill-no-card')),
        button(say('drill-again'), () => ask(theme, ''), 'first', 'again'));
      return;
    }
    const cost = told.choices[0].win - mine.win;
    const right = cost < RIGHT;
    answered(name, right);
    const on = button(say('trainer-next'), () => ask(theme, name), 'first', 'next');
    put(said, el('p', { class: 'nudge' }, say(right ? 'trainer-right' : 'drill-wrong', { share: (100 * cost).toFixed(1) })),
      el('p', { class: 'nudge' }, ...withCards(told.move)),
      el('ul', { class: 'why' }, ...told.why.map((line) => el('li', {}, ...withCards(line)))), on);
    draw();
    on.focus();
  }
}

learn().then(async () => {
  drills = await patiently('drills.json');
  draw();
});

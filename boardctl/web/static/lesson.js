// A lesson: one step after the other, each with its words, the cards on the page and the lamps of the
// board. A wrong tap is explained, and can be repeated.

import { get, post } from './ask.js';
import { Board } from './board.js';
import { target } from './cards.js';
import { Counting } from './counting.js';
import { button, el, put } from './dom.js';
import { Link } from './link.js';
import { cardChip, language, learn, patiently, say, withCards } from './words.js';
import { Voice } from './voice.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const voice = new Voice();
const board = new Board(at('board'));
const link = new Link(() => `?lang=${language}`);
let lesson = null;
let place = 0;
let done = false; // whether the task of this step is done
let chosen = new Set();
let said = ''; // what the last tap was answered with: right if `done`
let all = true; // whether a hand was counted in full
let counting = null;
let counted = [];

let lamps = Promise.resolve(); // the last step that the board was told has arrived

// What a first game needs, unless the board deals it.
const FIRST = { real: 'lesson-first-real', '': 'lesson-first-together' };

const step = () => lesson.steps[place];

async function begin() {
  const [layout] = await Promise.all([patiently('layout'), learn()]);
  board.draw(layout);
  link.hear('frame', (leds) => board.show(leds));
  link.open();
  const name = new URLSearchParams(location.search).get('lesson');
  if (name) {
    lesson = await get(`lessons/${encodeURIComponent(name)}`);
    if (!lesson.error) {
      const kept = Number(location.hash.slice(1)); // by a reload, or when somebody comes back
      show(Number.isInteger(kept) && kept > 0 && kept <= lesson.steps.length ? kept - 1 : 0);
      return;
    }
  }
  choose();
}

// The list of all lessons.
async function choose() {
  const { lessons = [], error } = await get('lessons');
  put(at('lesson'), el('h2', {}, say('lessons')), error ? el('p', { class: 'refused' }, error.message) : null,
    el('div', { class: 'asks' }, ...lessons.map(({ name, title }) =>
      el('a', { class: 'act', href: `lesson.html?lang=${language}&lesson=${name}`, 'data-focus': name }, title))));
}

function go(to) {
  show(to);
  at('lesson').focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show(to) {
  place = to;
  done = step().task === null;
  chosen = new Set();
  said = '';
  all = true;
  counting = null;
  counted = [];
  history.replaceState(null, '', `#${place + 1}`);
  light();
  draw();
  voice.speak(step().say);
}

// The lamps show what the page shows: in order.
function light() {
  const now = { name: lesson.name, step: place, done };
  lamps = lamps.then(() => post('lesson', now));
}

// The task is done: the page names the points that it earned.
function right() {
  done = true;
  said = step().right;
  voice.speak(all ? `${say('lesson-well')} ${said}` : said);
  light();
  draw();
}

function wrong(why) {
  said = why;
  chosen = new Set();
  voice.speak(why);
  draw();
}

function tapped(card) {
  const { right: wanted, wrong: whys } = step().task;
  if (!wanted.includes(card)) {
    wrong(whys[card]);
    return;
  }
  if (!chosen.delete(card)) chosen.add(card);
  said = '';
  if (chosen.size === wanted.length) right();
  else draw();
}

function draw() {
  const { say: words, hand, rows, count, count_after: counts, task, scores, scores_after: pegged } = step();
  const last = place === lesson.steps.length - 1;
  const now = done ? pegged : scores;
  at('scores').textContent = lesson.seats.map((name, n) => `${name} ${now[n] ?? 0}`).join(' · ');
  at('light').hidden = false;
  const stays = lesson.steps[place + 1]?.hand ?? []; // what is melded stays in the hand
  const left = done && task?.kind === 'cards' ? hand.filter((card) => !task.right.includes(card) || stays.includes(card)) : hand;
  put(at('lesson'),
    el('h2', {}, lesson.title),
    el('p', { class: 'hint' }, say('lesson-of', { step: place + 1, steps: lesson.steps.length })),
    el('progress', { class: 'lesson-far', max: lesson.steps.length, value: place + 1, 'aria-label': say('lesson-of', { step: place + 1, steps: lesson.steps.length }) }),
    el('p', { class: 'lesson-say' }, ...withCards(words)),
    ...shown(rows, done && task?.plays ? task.right : [], done ? counts : count),
    el('div', { class: 'lesson-do' },
      answered(),
      task?.kind === 'count' && !done ? null : cards(left, task),
      task?.kind === 'choice' && !done ? choices(task) : null,
      task?.kind === 'count' ? countHand(task) : null),
    el('div', { class: 'asks steps' },
      done && last && FIRST[lesson.first_game] ? el('p', { class: 'hint' }, say(FIRST[lesson.first_game])) : null,
      voice.button('read-aloud'),
      place > 0 ? button(say('lesson-back'), () => go(place - 1), 'small quiet', 'back') : null,
      done && !last ? button(say('lesson-next'), () => go(place + 1), 'first', 'next') : null,
      done && last ? el('a', { class: 'act small quiet', href: `./?lang=${language}`, 'data-focus': 'end' }, say('lesson-end')) : null,
      done && last ? el('a', { class: 'act first', href: `./?lang=${language}#first-game=${lesson.game}`, 'data-focus': 'first-game' }, say('lesson-first-game')) : null));
}

// The cards that the words speak of, with the card that was just played among them.
function shown(rows, played, count) {
  const all = rows.length > 0 || played.length === 0 ? rows : [{ label: say('lesson-played'), cards: [] }];
  return all.map(({ label, cards: some }, n) => {
    const lies = n === all.length - 1 ? [...some, ...played] : some;
    return el('div', { class: 'lesson-row' }, el('span', { class: 'label' }, label),
      el('span', { class: 'laid' }, ...lies.map((card) => cardChip(card))),
      count && n === all.length - 1 ? el('b', {}, say('lesson-count', { count })) : null);
  });
}

// The comment on the tapped answer: praise if it was right, an explanation if it was wrong.
function answered() {
  if (!said) return null;
  if (done && !all) return el('p', { class: 'nudge', role: 'status' }, said);
  const [kind, sign, word] = done ? ['well', '✓', 'lesson-well'] : ['wrong', '×', 'lesson-not-yet'];
  return el('p', { class: `nudge ${kind}`, role: 'status' },
    el('b', {}, el('span', { 'aria-hidden': 'true' }, `${sign} `), say(word)), ' ', said);
}

function cards(hand, task) {
  if (hand.length === 0) return null;
  const open = task?.kind === 'cards' && !done;
  return el('div', { class: 'row hand-row', role: 'group', 'aria-label': say('lesson-hand') }, ...hand.map((card) => {
    const made = target(card, () => open && tapped(card));
    made.classList.toggle('chosen', chosen.has(card));
    if (open) made.setAttribute('aria-pressed', String(chosen.has(card)));
    else made.disabled = true;
    return made;
  }));
}

const choices = (task) => el('div', { class: 'asks two' }, ...task.choices.map((text, n) =>
  button(text, () => (task.right.includes(n) ? right() : wrong(task.wrong[n])), '', `choice${n}`)));

function countHand(task) {
  if (done) return el('div', { class: 'counted' }, ...counted);
  counting ??= new Counting(task.cards, task.answer, (claimed, ...parts) => {
    counted = parts.filter(Boolean);
    all = claimed === task.answer.points;
    right();
  });
  return counting.node;
}

// The lamps go back to the evening.
addEventListener('pagehide', () => {
  navigator.sendBeacon?.('lesson', new Blob([JSON.stringify({ name: '', step: 0 })], { type: 'application/json' }));
});

begin();

// Any position of cribbage: its cards tapped, typed or photographed, judged by the board.

import { get, turns } from './ask.js';
import { Camera } from './camera.js';
import { PACK, suited, written } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, learn, percent, say } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const FIELDS = ['hand', 'thrown', 'starter', 'played'];
const known = { hand: [], thrown: [], starter: [], played: [] };
const numbers = { mine: '0', theirs: '0', target: '121' };
const OBJECTIVES = ['win', 'games', 'tournament'];
let objective = 'win';
const flags = { deals: false, five: false };
let field = 'hand';
let photographed = 'hand'; // the field of the last photo
const judging = turns();
const lines = el('textarea', { rows: 8, maxlength: 8000, autocapitalize: 'off', spellcheck: 'false', 'data-focus': 'record' });
const typing = el('input', { type: 'text', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', 'data-focus': 'typed' });
const problem = el('span', { class: 'refused', role: 'alert' });

const most = (name) => ({ hand: flags.five ? 5 : 6, thrown: 2, starter: 1, played: 8 })[name];

// The cards that can still be entered in a field.
function offered() {
  if (field === 'thrown') return known.hand.filter((card) => !known.played.includes(card));
  const used = field === 'played' ? [...known.thrown, ...known.starter, ...known.played] : [...known.hand, ...known.starter, ...known.played];
  return PACK.filter((card) => !used.includes(card));
}

// Moves on to the next field when one is full.
function goOn() {
  const full = known[field].length === most(field);
  const next = FIELDS[FIELDS.indexOf(field) + 1];
  if (full && next) field = next;
  draw();
}

function tap(card) {
  if (known[field].length < most(field)) known[field].push(card);
  goOn();
}

function enter(name, cards) {
  known[name] = cards.slice(0, most(name));
  if (name === 'hand') known.thrown = known.thrown.filter((card) => known.hand.includes(card));
}

function row(name) {
  const choose = button(say(name === 'hand' ? 'position-cards' : `position-${name}`), () => {
    field = name;
    draw();
  }, 'small', `field-${name}`);
  choose.setAttribute('aria-pressed', String(name === field));
  return el('div', { class: 'lesson-row' }, choose, ...known[name].map((card, n) => {
    const made = button('', () => {
      enter(name, known[name].filter((_, at) => at !== n));
      field = name;
      draw();
    }, 'slot', `${name}${card}`);
    made.append(cardChip(card));
    made.setAttribute('aria-label', say('put-back', { card }));
    return made;
  }));
}

function number(name, max) {
  const made = el('input', { type: 'number', inputmode: 'numeric', min: 0, max, value: numbers[name], 'data-focus': name });
  made.addEventListener('input', () => (numbers[name] = made.value));
  return el('label', {}, el('span', {}, say(`position-${name}`)), made);
}

function playedFor() {
  const made = el('select', { 'data-focus': 'objective' },
    ...OBJECTIVES.map((name) => el('option', { value: name, selected: name === objective ? '' : null }, say(`position-for-${name}`))));
  made.addEventListener('change', () => (objective = made.value));
  return el('label', {}, el('span', {}, say('position-for')), made);
}

function flag(name) {
  const made = button(say(`position-${name}`), () => {
    flags[name] = !flags[name];
    if (name === 'five') known.hand.length = Math.min(known.hand.length, 5);
    draw();
  }, 'small', name);
  made.setAttribute('aria-pressed', String(flags[name]));
  return made;
}

// The cards of the current field, typed: each complete word is entered at once. `whole` is whether the last word is
// complete.
function read(whole) {
  const words = typing.value.split(/[\s,]+/).filter(Boolean);
  const free = new Set([...offered(), ...known[field]]);
  const cards = [];
  const wrong = words.find((word) => {
    const more = written(word);
    const fits = more?.every((card) => free.delete(card));
    if (fits) cards.push(...more);
    return !fits;
  });
  const unfinished = !whole && wrong && !written(wrong) && typing.value.endsWith(wrong);
  problem.textContent = wrong === undefined || unfinished ? '' : say('position-no-card', { word: wrong });
  enter(field, cards);
  drawCards();
}

typing.addEventListener('input', () => read(false));
typing.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  read(true);
  if (!problem.textContent) goOn();
});

const camera = () => new Camera({
  asks: () => {
    photographed = field;
    const free = offered();
    return {
      most: most(field),
      elsewhere: PACK.filter((card) => !free.includes(card) && !known[field].includes(card)),
      stands: () => field === photographed,
    };
  },
  sees: (cards) => {
    enter(photographed, cards);
    goOn();
  },
  yes: (card) => {
    if (known[photographed].length < most(photographed) && !known[photographed].includes(card)) enter(photographed, [...known[photographed], card]);
    goOn();
  },
});

function begin() {
  const photos = camera();
  put(at('told'),
    el('p', { class: 'hint' }, say('position-only')),
    el('div', { class: 'asks' }, number('mine', 120), number('theirs', 120), number('target', 121), playedFor(), el('span', { class: 'asks', id: 'flags' })),
    el('div', { id: 'fields' }),
    el('label', { class: 'typed' }, el('span', {}, say('position-typed')), typing, problem), photos.node,
    el('div', { class: 'pack', id: 'pack' }),
    el('div', { class: 'asks' }, button(say('position-judge'), judge, 'first', 'judge'),
      button(say('position-clear'), () => {
        for (const name of FIELDS) known[name] = [];
        field = 'hand';
        photos.clear();
        judging(); // a judgement still in progress is not shown
        at('judged').hidden = true;
        draw();
      }, 'small quiet', 'clear')),
    el('details', { id: 'other' }, el('summary', { 'data-focus': 'other' }, say('position-other')), ...anotherGame()));
  draw();
}

// Any game: its lines up to the decision.
function anotherGame() {
  const seat = el('select', { 'data-focus': 'seat' }, el('option', { value: '' }, say('position-anyone')),
    ...['1', '2', '3', '4'].map((value) => el('option', { value }, say('seat-number', { number: value }))));
  return [
    el('label', { class: 'record' }, el('span', { class: 'hint' }, say('position-lines')), lines),
    el('label', {}, el('span', {}, say('position-seat')), seat),
    el('div', { class: 'asks' }, button(say('position-judge'), () => ask({ record: lines.value.trim() || '#', seat: /** @type {any} */ (seat).value }), 'first', 'judge-record')),
  ];
}

function draw() {
  typing.value = problem.textContent = ''; // its cards stay in their row
  put(at('flags'), flag('deals'), flag('five'));
  drawCards();
}

function drawCards() {
  put(at('fields'), ...FIELDS.map(row));
  put(at('pack'), ...suited(offered(), tap));
}

function judge() {
  const query = Object.fromEntries(FIELDS.map((name) => [name, known[name].join(' ')]));
  ask({
    ...query, objective, score: `${numbers.mine || 0} ${numbers.theirs || 0}`, target: numbers.target || 121,
    ...(flags.deals ? { deals: 'yes' } : {}), ...(flags.five ? { five: 'yes' } : {}),
  });
}

async function ask(query) {
  const newest = judging();
  at('judged').hidden = false;
  put(at('judged'), el('p', { class: 'hint', role: 'status' }, say('position-judging')));
  const answer = await get('position', query);
  if (!newest()) return;
  const problem = answer.error?.message ?? answer.problem;
  if (problem) put(at('judged'), el('p', { class: 'refused', role: 'alert' }, problem));
  else if (answer.kind === 'lines') showLines(answer.choices);
  else show(answer);
  at('judged').focus();
  at('judged').scrollIntoView({ block: 'nearest' });
}

// The judged choices, best first: of each, its cards or line, and its figures under the headings `words`.
const table = (words, rows) => el('table', { class: 'judged' },
  el('thead', {}, el('tr', {}, el('td', {}), ...words.map((word) => el('th', { scope: 'col' }, say(word))))),
  el('tbody', {}, ...rows.map(([choice, cells]) => el('tr', {},
    el('th', { scope: 'row' }, ...choice), ...cells.map((text) => el('td', {}, text))))));

function showLines(choices) {
  const wins = choices.some(({ win }) => win !== null);
  const signed = (points) => (points < 0 ? '−' : '+') + Math.abs(points).toFixed(1);
  const cells = ({ win, points, half }) => (win === null
    ? [`${signed(points)} ± ${half.toFixed(1)}`]
    : [`${percent(win)} ± ${percent(half)} %`, signed(points)]);
  put(at('judged'), table(wins ? ['position-win', 'position-lead'] : ['position-lead'], choices.map((choice) => [[choice.said], cells(choice)])));
}

function show({ choices, likely, objective: judgedFor }) {
  const columns = [['win', 'position-win'], ['worth', `position-worth-${judgedFor}`], ['hand', 'position-hand'], ['crib', 'position-crib'], ['points', 'position-points']]
    .filter(([name]) => choices.some((choice) => choice[name] !== undefined));
  const cell = (choice, name) => (name === 'win' ? `${percent(choice.win)} ± ${percent(choice.half)} %`
    : name === 'worth' ? `${choice.worth.toFixed(2)} ± ${choice.half.toFixed(2)}`
    : name === 'points' ? String(choice[name]) : choice[name].toFixed(1));
  const row = (choice) => [choice.cards.map((card) => cardChip(card)), columns.map(([name]) => cell(choice, name))];
  put(at('judged'),
    table(columns.map(([, word]) => word), choices.map(row)),
    likely.length > 0 ? el('p', { class: 'hint' }, say('position-likely')) : null,
    likely.length > 0 ? el('div', { class: 'lesson-row' }, ...likely.map(({ ranks, share }) =>
      el('span', {}, ...ranks.split(' ').map((rank) => cardChip(rank)), ` ${percent(share)} %`))) : null);
}

learn().then(begin);

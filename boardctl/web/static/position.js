// Any position of cribbage: told by tapping cards and scores, judged by the board.

import { get, turns } from './ask.js';
import { RANKS, SUITS, suited } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, learn, say } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const PACK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const FIELDS = ['hand', 'thrown', 'starter', 'played'];
const told = { hand: [], thrown: [], starter: [], played: [] };
const numbers = { mine: '0', theirs: '0', target: '121' };
const flags = { deals: false, five: false };
let field = 'hand';
const judging = turns();

const most = (name) => ({ hand: flags.five ? 5 : 6, thrown: 2, starter: 1, played: 8 })[name];

// The cards that can still be told of a field.
function offered() {
  if (field === 'thrown') return told.hand.filter((card) => !told.played.includes(card));
  const used = field === 'played' ? [...told.thrown, ...told.starter, ...told.played] : [...told.hand, ...told.starter, ...told.played];
  return PACK.filter((card) => !used.includes(card));
}

function tap(card) {
  if (told[field].length < most(field)) told[field].push(card);
  if (field === 'hand' && told.hand.length === most('hand')) field = 'thrown';
  else if (field === 'thrown' && told.thrown.length === 2) field = 'starter';
  else if (field === 'starter') field = 'played';
  draw();
}

function row(name) {
  const choose = button(say(name === 'hand' ? 'position-cards' : `position-${name}`), () => {
    field = name;
    draw();
  }, 'small', `field-${name}`);
  choose.setAttribute('aria-pressed', String(name === field));
  return el('div', { class: 'lesson-row' }, choose, ...told[name].map((card, n) => {
    const made = button('', () => {
      told[name].splice(n, 1);
      if (name === 'hand') told.thrown = told.thrown.filter((other) => told.hand.includes(other));
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

function flag(name) {
  const made = button(say(`position-${name}`), () => {
    flags[name] = !flags[name];
    if (name === 'five') told.hand.length = Math.min(told.hand.length, 5);
    draw();
  }, 'small', name);
  made.setAttribute('aria-pressed', String(flags[name]));
  return made;
}

function draw() {
  put(at('told'),
    el('p', { class: 'hint' }, say('position-only')),
    el('div', { class: 'asks' }, number('mine', 120), number('theirs', 120), number('target', 121), flag('deals'), flag('five')),
    ...FIELDS.map(row),
    el('div', { class: 'pack' }, ...suited(offered(), tap)),
    el('div', { class: 'asks' }, button(say('position-judge'), judge, 'first', 'judge'),
      button(say('position-clear'), () => {
        for (const name of FIELDS) told[name] = [];
        field = 'hand';
        judging(); // what is still being judged is not shown
        at('judged').hidden = true;
        draw();
      }, 'small quiet', 'clear')));
}

async function judge() {
  const newest = judging();
  at('judged').hidden = false;
  put(at('judged'), el('p', { class: 'hint', role: 'status' }, say('position-judging')));
  const query = Object.fromEntries(FIELDS.map((name) => [name, told[name].join(' ')]));
  const answer = await get('position', {
    ...query, score: `${numbers.mine || 0} ${numbers.theirs || 0}`, target: numbers.target || 121,
    ...(flags.deals ? { deals: 'yes' } : {}), ...(flags.five ? { five: 'yes' } : {}),
  });
  if (!newest()) return;
  const problem = answer.error?.message ?? answer.problem;
  if (problem) put(at('judged'), el('p', { class: 'refused', role: 'alert' }, problem));
  else show(answer);
  at('judged').focus();
  at('judged').scrollIntoView({ block: 'nearest' });
}

const percent = (share) => (100 * share).toFixed(1);

function show({ choices, likely }) {
  const columns = [['win', 'position-win'], ['hand', 'position-hand'], ['crib', 'position-crib'], ['points', 'position-points']]
    .filter(([name]) => choices.some((choice) => choice[name] !== undefined));
  const cell = (choice, name) => (name === 'win' ? `${percent(choice.win)} ± ${percent(choice.half)} %`
    : name === 'points' ? String(choice[name]) : choice[name].toFixed(1));
  put(at('judged'),
    el('table', { class: 'judged' },
      el('thead', {}, el('tr', {}, el('th', {}), ...columns.map(([, word]) => el('th', { scope: 'col' }, say(word))))),
      el('tbody', {}, ...choices.map((choice) => el('tr', {},
        el('th', { scope: 'row' }, ...choice.cards.map((card) => cardChip(card))),
        ...columns.map(([name]) => el('td', {}, cell(choice, name))))))),
    likely.length > 0 ? el('p', { class: 'hint' }, say('position-likely')) : null,
    likely.length > 0 ? el('div', { class: 'lesson-row' }, ...likely.map(({ ranks, share }) =>
      el('span', {}, ...ranks.split(' ').map((rank) => cardChip(rank)), ` ${percent(share)} %`))) : null);
}

learn().then(draw);

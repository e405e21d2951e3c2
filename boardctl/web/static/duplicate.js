// An evening with the same deals for all players: its games, the standings, and after its end the sheet of each deal.

import { get, post, turns } from './ask.js';
import { figures } from './charts.js';
import { button, el, put } from './dom.js';
import { cardChip, learn, say, sitAt } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const ROUNDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const LEVELS = [1, 2, 3, 4, 5];
const SOURCES = ['play', 'hand', 'crib', 'other'];
const turn = turns();
const problem = el('p', { class: 'refused', role: 'alert' });
let known = { evening: null, names: [], standings: [], travellers: [], number: 0 };
let shown = ''; // the code for another board, once it is requested
let sure = false; // whether the end is to be confirmed
// The choices for a new evening, and the typed name.
const typed = { code: '', rounds: 3, level: 5, name: '' };

// The newest evening; an answer of an older request is ignored.
async function refresh() {
  const newest = turn();
  const answer = await get('duplicate');
  if (!newest()) return;
  if (answer.error) problem.textContent = answer.error.message;
  else known = answer;
  draw();
}

// Sends a request, and shows the evening or the reason for its refusal. Returns whether it was accepted.
async function act(path, body) {
  const newest = turn();
  const answer = await post(path, body);
  const refused = answer.refused ?? answer.error;
  problem.textContent = refused?.message ?? '';
  if (!refused && answer.names && newest()) known = answer;
  if (!refused && answer.code) shown = answer.code;
  sure = false;
  draw();
  return !refused;
}

async function play(name, round) {
  if (!await act('duplicate/play', { name, round, expect: known.number })) return;
  sitAt('1');
  location.assign(`./${location.search}`);
}

const input = (label, name, more = {}) => {
  const made = el('input', { type: 'text', autocomplete: 'off', value: typed[name], 'data-focus': name, ...more });
  made.addEventListener('input', () => { typed[name] = made.value; });
  return el('label', {}, el('span', {}, say(label)), made);
};

const choice = (label, name, values, title) => {
  const made = el('select', { 'data-focus': name },
    ...values.map((value) => el('option', { value, selected: value === typed[name] ? '' : null }, title(value))));
  made.addEventListener('change', () => { typed[name] = Number(made.value); });
  return el('label', {}, el('span', {}, say(label)), made);
};

function beginning() {
  return [
    el('p', {}, say('duplicate-why')),
    choice('duplicate-rounds', 'rounds', ROUNDS, String),
    choice('player-level', 'level', LEVELS, (level) => say(`level-${level}`)),
    input('duplicate-code', 'code', { autocapitalize: 'characters', spellcheck: 'false', maxlength: 40 }),
    el('p', { class: 'hint' }, say('duplicate-code-why')),
    problem,
    el('div', { class: 'asks' }, button(say('duplicate-begin'), () => act('duplicate', { code: typed.code, rounds: typed.rounds, level: typed.level }), 'first', 'begin')),
  ];
}

// The first game that somebody has not begun, 0 if there is none.
function due(name) {
  const begun = known.standings.find((one) => one.name === name)?.rounds ?? [];
  return ROUNDS.slice(0, known.evening.rounds).find((round) => !begun.includes(round)) ?? 0;
}

function running() {
  const { rounds, commitment } = known.evening;
  const next = known.names.map((name, n) => [name, due(name), n]);
  const fresh = () => {
    const name = typed.name.trim();
    if (name) play(name, due(name) || rounds);
  };
  return [
    el('p', {}, say('duplicate-why')),
    el('p', { class: 'hint' }, say('duplicate-apart')),
    el('div', { class: 'asks' }, ...next.filter(([, round]) => round)
      .map(([name, round, n]) => button(say('duplicate-next', { name, round, rounds }), () => play(name, round), '', `next${n + 1}`))),
    ...next.filter(([, round]) => !round).map(([name]) => el('p', {}, say('duplicate-done', { name }))),
    input('duplicate-new-name', 'name', { maxlength: 40 }),
    el('div', { class: 'asks' }, button(say('duplicate-play'), fresh, 'small', 'play')),
    problem,
    el('p', { class: 'hint long' }, say('duplicate-sealed', { proof: commitment })),
    shown ? el('p', { role: 'status' }, say('duplicate-code-is', { code: shown })) : null,
    sure ? el('p', { role: 'status' }, say('duplicate-end-sure')) : null,
    el('div', { class: 'asks' },
      ...(sure
        ? [button(say('duplicate-end'), () => act('duplicate/end', {}), 'first', 'yes'), button(say('no'), () => ends(false), '', 'no')]
        : [button(say('duplicate-show-code'), () => act('duplicate/code', {}), 'small', 'code'), button(say('duplicate-end'), () => ends(true), 'small', 'end')])),
  ];
}

function ends(asked) {
  sure = asked;
  draw();
}

const signed = (value, digits = 0) => `${value > 0 ? '+' : ''}${value.toFixed(digits)}`;

function standings() {
  const head = ['deals', 'matchpoints', 'above', 'games', 'won'].map((code) => say(`duplicate-${code}`));
  const rows = known.standings.map((one) => [
    `${one.rank}. ${one.name}`, one.deals, `${(100 * one.share).toFixed(1)} %`, signed(one.above, 2), one.games, one.won,
  ]);
  return [
    el('h2', {}, say('duplicate-standings')),
    rows.length > 0 ? figures(say('duplicate-standings'), head, rows) : null,
    known.standings.some(({ deals }) => deals) ? null : el('p', { class: 'hint' }, say('duplicate-nothing')),
    el('p', { class: 'hint' }, say('duplicate-how')),
  ];
}

function traveller({ round, number, dealer, hands, starter, rows }) {
  const title = say('duplicate-traveller', { round, number });
  const head = ['thrown', ...SOURCES, 'opponent', 'gained', 'matchpoints'].map((code) => say(SOURCES.includes(code) ? `source-${code}` : `duplicate-${code}`));
  const sum = (points) => SOURCES.reduce((all, source) => all + points[source], 0);
  const cells = rows.map((row) => [
    say('duplicate-at', row), row.thrown.map((card) => cardChip(card).textContent).join(' '), ...SOURCES.map((source) => row.points[source]),
    sum(row.theirs), signed(row.gained), `${row.matchpoints} / ${row.most}`,
  ]);
  const cards = (label, some) => [el('dt', {}, label), el('dd', { class: 'lesson-row' }, ...some.map((card) => cardChip(card)))];
  return el('section', { class: 'traveller' }, el('h3', {}, title),
    el('dl', {}, ...hands.flatMap((hand, n) => cards(say(dealer === n + 1 ? 'duplicate-dealer' : 'duplicate-hand', { seat: n + 1 }), hand)),
      ...cards(say('duplicate-starter'), [starter])),
    figures(title, head, cells));
}

function draw() {
  const { evening, travellers } = known;
  const over = evening?.ended ? [el('p', { role: 'status', class: 'long' }, say('duplicate-ended', { code: evening.code }))] : [];
  put(at('evening'), ...over, ...(evening && !evening.ended ? running() : beginning()));
  at('standings').hidden = !evening;
  put(at('standings'), ...(evening ? standings() : []));
  at('travellers').hidden = travellers.length === 0;
  put(at('travellers'), el('div', { class: 'asks' }, button(say('duplicate-print'), () => print(), 'small', 'print')), ...travellers.map(traveller));
}

learn().then(refresh);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });

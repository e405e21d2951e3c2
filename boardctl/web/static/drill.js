// Practice positions by theme and from the learner's own games; forgotten ones are asked more often. The board judges answers
// like any position, and stores each player's progress.

import { analyses, OWN } from './analysis.js';
import { get, post, turns } from './ask.js';
import { RANKS, SUITS, target } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, learn, patiently, say, withCards } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const LEARNT = 3; // from this box on a position counts as known
const RIGHT = 0.005; // an answer that loses less than this chance of winning is right
const LATER = 1000; // questions before a position comes again if nobody's progress is stored
const LAST = 5; // number of positions from the learner's own games
const MOST = 20; // maximum of decisions from the learner's own games
const turn = turns();
/** @type {Record<string, any[]>} The positions by theme; those from the learner's own games once they are requested. */
const drills = {};
// The learner (nobody if the name is empty): the number of answered questions, and for each position, by its name, the
// box and the time when it is due.
let progress = { names: [], name: '', asked: 0, boxes: {} };

// The newest progress of somebody, also from another phone of theirs; without a name, of this phone's player. Returns
// whether nobody else was chosen meanwhile.
async function refresh(name) {
  const newest = turn();
  const answer = await get('drills', name === undefined ? {} : { name });
  if (!newest()) return false;
  if (!answer.error) progress = answer;
  return true;
}

async function answered(name, right) {
  const now = progress;
  if (now.name) {
    const answer = await post('drills', { name: now.name, drill: name, right });
    if (answer.name === progress.name && answer.asked >= progress.asked) progress = answer;
    return;
  }
  const asked = now.asked + 1;
  progress = { ...now, asked, boxes: { ...now.boxes, [name]: { box: 0, due: asked + LATER } } };
}

// The position to ask: the one longest overdue, otherwise a new one, otherwise the one due first. The last one is
// never repeated if there is another.
function due(theme, last) {
  const { asked, boxes } = progress;
  const others = drills[theme].filter(({ name }) => name !== last);
  const some = others.length > 0 ? others : drills[theme];
  const seen = some.filter(({ name }) => boxes[name]).sort((a, b) => boxes[a.name].due - boxes[b.name].due);
  if (seen.length > 0 && boxes[seen[0].name].due <= asked) return seen[0];
  return some.find(({ name }) => !boxes[name]) ?? seen[0];
}

function title(theme) {
  const name = say(`drill-${theme}`);
  if (!progress.name || !drills[theme]) return name;
  const known = drills[theme].filter((one) => progress.boxes[one.name]?.box >= LEARNT).length;
  return say('drill-of', { theme: name, known, all: drills[theme].length });
}

function draw() {
  const { names, name: chosen } = progress;
  const who = [...names, ''].map((name, n) => {
    const made = button(name || say('drill-nobody'), () => practises(name), '', `who${name ? n + 1 : ''}`);
    made.setAttribute('aria-pressed', String(name === chosen));
    return made;
  });
  const themes = [...Object.keys(drills).filter((theme) => theme !== OWN), ...(chosen ? [OWN] : [])];
  put(at('themes'), el('p', { class: 'hint' }, say('drills-why')),
    names.length > 0 ? el('div', { class: 'switch many', role: 'group', 'aria-label': say('drill-who') }, ...who) : null,
    chosen ? null : el('p', { class: 'hint' }, say('drills-watching')),
    el('div', { class: 'asks' }, ...themes.map((theme) => button(title(theme), () => begin(theme), '', theme))));
}

// Another person practises now.
async function practises(name) {
  if (!await refresh(name)) return;
  at('drill').hidden = true;
  delete drills[OWN];
  draw();
}

async function begin(theme) {
  if (theme === OWN && !drills[OWN]) {
    const { name } = progress;
    const status = el('p', { class: 'hint', role: 'status' }, say('analysing'));
    at('drill').hidden = false;
    put(at('drill'), status);
    const found = await ownGames(name, (text) => { status.textContent = text; });
    if (name !== progress.name) return;
    drills[OWN] = found;
    draw();
    if (!status.isConnected) return;
  }
  ask(theme, '');
}

// Shows a question, and moves the focus to it.
function present(theme, ...parts) {
  put(at('drill'), el('h2', {}, say(`drill-${theme}`)), ...parts);
  at('drill').focus();
  at('drill').scrollIntoView({ block: 'nearest' });
}

// Keeps an answer, shows its judgement in `place`, and offers the next question.
async function conclude(theme, name, right, place, ...judgement) {
  await answered(name, right);
  const on = button(say('drill-next'), () => ask(theme, name), 'first', 'next');
  put(place, ...judgement, on);
  draw();
  on.focus();
}

// The costliest decisions of somebody's last games.
async function ownGames(player, show) {
  const { games = [] } = await get('history');
  const own = ({ judged, weighed, teams }) => (judged || weighed) && teams.flat().includes(player);
  const analysed = await analyses(games.filter(own).slice(-LAST), show);
  return analysed
    .flatMap(({ number, decisions, least }) => decisions.map((one) => ({ ...one, least, name: `${OWN} ${number} ${one.place}` })))
    .filter((one) => one.question && one.player === player && (one.question.choices || one.cost >= RIGHT))
    .sort((a, b) => share(b) - share(a))
    .slice(0, MOST)
    .map((one) => ({ ...one, ...one.question }));
}

// The cost as a share of a game: in a game judged by points, the least one with its verdict.
const share = (one) => (one.chance === null ? one.least[one.verdict] : one.cost);

const order = (cards) => cards.sort((a, b) => RANKS.indexOf(a[0]) - RANKS.indexOf(b[0]) || SUITS.indexOf(a[1]) - SUITS.indexOf(b[1]));
const split = (cards = '') => cards.split(' ').filter((card) => card);
const worth = (card) => Math.min(10, RANKS.indexOf(card[0]) + 1);

async function ask(theme, last) {
  if (progress.name && !await refresh(progress.name)) return;
  draw();
  at('drill').hidden = false;
  const one = due(theme, last);
  if (!one) {
    put(at('drill'), el('p', { class: 'nudge', role: 'status' }, say('drills-none')));
    return;
  }
  if (one.choices) {
    askLine(theme, one);
    return;
  }
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
        other.classList.toggle('chosen', chosen.has(other.dataset.card));
        other.setAttribute('aria-pressed', String(chosen.has(other.dataset.card)));
      }
      if (chosen.size === most) judge();
    });
    made.setAttribute('aria-pressed', 'false');
    return made;
  });
  const count = series.reduce((sum, card) => sum + worth(card), 0);
  present(theme,
    el('p', { class: 'asked' }, say(one.deals ? 'drill-dealer' : 'drill-pone', { mine: one.now[0], theirs: one.now[1] }), ' ',
      say(most === 2 ? 'drill-throw' : 'drill-play', { count })),
    row('position-starter', split(one.starter)), row('drill-thrown', split(one.thrown)),
    row('drill-earlier', played.slice(0, played.length - series.length)), row('drill-count', series),
    el('div', { class: 'hand-row' }, ...hand), said);

  async function judge() {
    for (const made of hand) made.disabled = true;
    put(said, el('p', { class: 'hint' }, say('position-judging')));
    const { hand: cards, thrown = '', starter = '', target: goal = 121 } = one;
    const answer = await get('position', {
      hand: cards, thrown, starter, played: played.join(' '), score: (one.score ?? [0, 0]).join(' '), target: goal, why: 'yes',
      ...(one.deals ? { deals: 'yes' } : {}),
    });
    const problem = answer.error?.message ?? answer.problem;
    const mine = answer.choices?.find((choice) => choice.cards.every((card) => chosen.has(card)));
    if (problem || !mine) {
      put(said, el('p', { class: 'refused', role: 'alert' }, problem ?? say('drill-no-card')),
        button(say('drill-again'), () => ask(theme, ''), 'first', 'again'));
      return;
    }
    const cost = answer.choices[0].win - mine.win;
    const right = cost < RIGHT;
    await conclude(theme, one.name, right, said,
      el('p', { class: 'nudge' }, say(right ? 'drill-right' : 'drill-wrong', { share: (100 * cost).toFixed(1) })),
      el('p', { class: 'nudge' }, ...withCards(answer.move)),
      el('ul', { class: 'why' }, ...answer.why.map((line) => el('li', {}, ...withCards(line))),
        answer.choices.indexOf(mine) > 1 // the best and the next are already compared
          ? el('li', {}, ...mine.cards.map((card) => cardChip(card)), say('drill-chosen', { win: (100 * mine.win).toFixed(1) })) : null));
  }
}

// A decision in a game other than two-handed cribbage: the deal so far in words, and its lines as buttons.
function askLine(theme, one) {
  const said = el('div', { role: 'status' });
  const lines = one.choices.map((choice) => ({ choice, made: button('', () => judge(choice), 'line', choice.line) }));
  lines.sort((a, b) => (a.choice.line < b.choice.line ? -1 : 1)); // not the best one first
  for (const { choice, made } of lines) made.replaceChildren(...withCards(choice.said));
  present(theme,
    el('p', { class: 'asked' }, say('drill-line', { score: one.score.join(' – ') })),
    el('p', { class: 'hint' }, ...one.story.flatMap((line, n) => [n ? ' · ' : '', ...withCards(line)])),
    el('div', { class: 'lesson-row' }, el('span', {}, say('drill-held')), ...one.hand.map((card) => cardChip(card))),
    el('div', { class: 'asks' }, ...lines.map(({ made }) => made)), said);

  async function judge({ cost, line }) {
    for (const { choice, made } of lines) {
      made.disabled = true;
      made.setAttribute('aria-pressed', String(choice.line === line));
    }
    const byPoints = one.chance === null;
    const right = cost < (byPoints ? 1 : RIGHT);
    const wrong = byPoints ? say('drill-wrong-points', { points: cost.toFixed(0) }) : say('drill-wrong', { share: (100 * cost).toFixed(1) });
    await conclude(theme, one.name, right, said, el('p', { class: 'nudge' }, right ? say('drill-right') : wrong),
      el('p', { class: 'nudge' }, ...withCards(say('drill-best', { best: one.choices[0].said }))));
  }
}

learn().then(async () => {
  for (const [theme, some] of Object.entries(await patiently('drills.json'))) {
    drills[theme] = some.map((one, n) => ({ ...one, name: `${theme} ${n}` }));
  }
  await refresh();
  draw();
  if (location.hash === `#${OWN}` && progress.name) begin(OWN);
});

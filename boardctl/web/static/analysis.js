// A judged game: the chance of winning, the cost of each error, luck and skill, and the link to practice positions
// made from it.

import { get } from './ask.js';
import { WIDTH, figures } from './charts.js';
import { button, el, focusOn, pause, put, svg } from './dom.js';
import { cardText, percent, say, withCards } from './words.js';

const HEIGHT = 200;
export const OWN = 'own'; // the practice positions from the player's own games
const FOLLOW = 500; // ms between two checks of an analysis in progress
const ENOUGH = 100; // with fewer decisions players are not compared, as in boardctl/bot/strength.py

const cards = (some) => some.map(cardText).join(' ');
const mean = (points) => (points === null ? '–' : points.toFixed(1));

// The analysis below a game: a button that starts it, then its progress with the results so far, then everything.
// `jump` goes to a move of the game; `found` receives the errors: their moves and sentences.
export function analysisRoom(number, jump, found) {
  const place = el('div', { class: 'analysis' });
  const ask = button(say('analyse'), async () => {
    const status = el('p', { class: 'hint', role: 'status', tabindex: '-1' }, say('analysing'));
    const bar = el('progress', { max: 1, 'aria-label': say('analysing') });
    const soFar = el('div');
    place.replaceChildren(status, bar, soFar);
    status.focus({ preventScroll: true });
    let running = true;
    const asked = get(`analysis/${number}`).finally(() => { running = false; });
    follow(number, () => running && place.isConnected, (stage) => {
      bar.value = stage.done / Math.max(1, stage.of);
      if (!('decisions' in stage)) {
        status.textContent = say('analysing-lines', { done: stage.done, of: stage.of });
        return;
      }
      status.textContent = say('analysing-decisions', { done: stage.done, of: stage.of });
      found(sentences(stage.decisions));
      put(soFar, ...chances(stage), ...(stage.decisions.length ? list(stage.decisions, jump) : []));
    });
    const judgement = await asked;
    if (judgement.error || !judgement.judged) {
      const message = judgement.error?.message ?? say(`analysis-${judgement.why}`);
      place.replaceChildren(el('p', { class: 'refused', role: 'alert' }, message), ...(judgement.error ? [ask] : []));
      return;
    }
    found(sentences(judgement.decisions));
    const stays = !place.contains(document.activeElement); // if another game was tapped meanwhile
    place.replaceChildren(...('unit' in judgement ? weighed(judgement, jump) : judged(judgement, jump)));
    if (!stays) focusOn(place);
  });
  place.append(ask);
  return place;
}

// Checks an analysis while it is in progress.
async function follow(number, running, show) {
  while (running()) {
    const { stage } = await get(`analysis/${number}/so-far`);
    if (stage && running()) show(stage);
    await pause(FOLLOW);
  }
}

const errorsOf = ({ decisions }) => decisions.filter(({ verdict }) => verdict !== 'good').sort((a, b) => b.cost - a.cost);
const sentences = (decisions) => errorsOf({ decisions }).map((one) => [one.place, sentence(one)]);

function chances(judgement) {
  const title = say('chance-of', { name: judgement.players[0] });
  return [el('h3', { tabindex: '-1' }, title), curve(judgement, title)];
}

const list = (errors, jump) =>
  [el('h3', {}, say('errors')), el('ol', { class: 'errors' }, ...errors.map((one) => error(one, jump)))];

// The errors, or the reason why none is listed.
const listed = (errors, jump, none) =>
  (errors.length ? list(errors, jump) : [el('h3', { tabindex: '-1' }, say('errors')), el('p', {}, say(none))]);

// The link to practice positions made from the errors.
const training = (errors) =>
  (errors.length ? el('a', { class: 'act', href: `drill.html${location.search}#${OWN}` }, say('train')) : null);

function judged(judgement, jump) {
  const errors = errorsOf(judgement);
  return [
    ...chances(judgement),
    ...listed(errors, jump, judgement.decisions.length ? 'no-errors' : 'no-decisions'),
    el('h3', {}, say('skill-and-luck')),
    table(judgement),
    unjudged(judgement),
    training(errors),
  ].filter(Boolean);
}

// Seat 1's chance after every line that changed it, and a point before each deal.
function curve(judgement, title) {
  const last = Math.max(1, judgement.course.at(-1)?.[0] ?? 1);
  const x = (place) => 52 + ((WIDTH - 64) * place) / last;
  const y = (chance) => HEIGHT - 20 - (HEIGHT - 34) * chance;
  const d = judgement.course.map(([place, , win], n) => `${n ? 'L' : 'M'}${x(place)} ${y(win)}`).join('');
  const word = (share) => Object.assign(svg('text', { x: 46, y: y(share) + 4, class: 'end' }), { textContent: `${100 * share} %` });
  const grid = [0, 0.5, 1].flatMap((share) => [svg('line', { x1: 52, x2: WIDTH - 12, y1: y(share), y2: y(share), class: 'grid' }), word(share)]);
  const dots = judgement.curve.map(({ place, chances, scores }) => {
    const dot = svg('circle', { cx: x(Math.min(place, last)), cy: y(chances[0]), r: 4, class: 'dot side1' });
    dot.append(Object.assign(svg('title'), { textContent: `${scores.join(' – ')}: ${percent(chances[0])} %` }));
    return dot;
  });
  const heading = Object.assign(svg('title'), { textContent: title });
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'chart', role: 'img', 'aria-label': title },
    heading, ...grid, svg('path', { d, class: 'line side1' }), ...dots);
}

// An error in the list: a tap goes to its move.
function error(one, jump) {
  const made = el('button', { type: 'button', class: 'jump', 'data-focus': `error${one.place}` }, ...sentence(one));
  made.addEventListener('click', () => jump(one.place));
  return el('li', {}, made);
}

function sentence(one) {
  if ('said' in one) return lineSentence(one);
  const fields = {
    deal: one.deal, name: one.player, score: one.score.join(' – '), chosen: cards(one.chosen),
    best: cards(one.best), share: percent(one.cost), points: (one.best_points - one.points).toFixed(1),
  };
  const more = one.best_points - one.points > 0.05 ? '-points' : '';
  return [el('b', {}, say(`verdict-${one.verdict}`)), ' ', ...withCards(say(`error-${one.kind}${more}`, fields))];
}

// An error in a game other than two-handed cribbage.
function lineSentence(one) {
  const unit = one.chance === null ? 'points' : 'win';
  const amount = unit === 'win' ? percent(one.cost) : one.cost.toFixed(0);
  const fields = { deal: one.deal, score: one.score.join(' – '), said: one.said, better: one.better, amount };
  return [el('b', {}, say(`verdict-${one.verdict}`)), ' ', ...withCards(say(`error-line-${unit}`, fields))];
}

// A judged game other than two-handed cribbage: the chance of winning if the game is scored by the deal, the errors, and
// what each player lost.
function weighed(judgement, jump) {
  const errors = errorsOf(judgement);
  const byWin = judgement.unit === 'win';
  const course = judgement.curve.map(({ place, deal, chance }) => [place, deal, chance]);
  const dots = judgement.curve.map(({ chance, ...point }) => ({ ...point, chances: [chance, 1 - chance] }));
  const none = !judgement.decisions.length ? 'no-decisions' : byWin ? 'no-errors' : 'no-errors-points';
  const loss = ({ decisions, loss: lost }) => (decisions ? (byWin ? `${percent(lost)} %` : lost.toFixed(0)) : '–');
  const made = ({ decisions, errors: some }) => (decisions ? Object.values(some).reduce((sum, times) => sum + times, 0) : '–');
  const rows = [
    [say(byWin ? 'loss' : 'loss-points'), ...judgement.totals.map(loss)],
    [say('errors-made'), ...judgement.totals.map(made)],
  ];
  return [
    ...(course.length > 1 ? chances({ ...judgement, course, curve: dots }) : []),
    ...listed(errors, jump, none),
    figures(say('loss'), judgement.players, rows),
    judgement.unjudged ? el('p', { class: 'hint' }, say('lines-not-judged', { count: judgement.unjudged })) : null,
    training(errors),
  ].filter(Boolean);
}

function table(judgement) {
  const told = judgement.totals.every(({ decisions }) => decisions); // otherwise luck contains somebody's decisions
  const rows = [
    ['loss', (total) => (total.decisions ? `${percent(total.loss)} %` : '–')],
    ['errors-in-nine', (total) => (total.decisions ? total.errors_in_nine_games : '–')],
    ['luck-of-deals', (total) => (told ? `${total.luck > 0 ? '+' : ''}${percent(total.luck)} %` : '–')],
  ];
  const averages = ['pone', 'dealer'].flatMap((role) => ['hand', 'play', 'crib']
    .filter((what) => judgement.expert[role][what] !== null)
    .map((what) => [role, what]));
  const body = [
    ...rows.map(([code, value]) => [say(code), ...judgement.totals.map(value), '']),
    ...averages.map(([role, what]) => [say(`mean-${role}-${what}`), ...judgement.totals.map((total) => mean(total.averages[role][what])), mean(judgement.expert[role][what])]),
  ];
  return figures(say('skill-and-luck'), [...judgement.players, say('expert')], body);
}

function unjudged(judgement) {
  const { throw: throws, play } = judgement.unjudged;
  return throws || play ? el('p', { class: 'hint' }, say('not-judged', { throws, plays: play })) : null;
}

// The analyses of games, one after the other; `show` reports the progress.
export async function analyses(played, show) {
  const found = [];
  for (const [n, { number }] of played.entries()) {
    show(say('analysing-games', { game: n + 1, games: played.length }));
    const answer = await get(`analysis/${number}`);
    if (answer.judged) found.push({ ...answer, number });
  }
  return found;
}

// Everybody's play over all games, on request; nothing with fewer than two games to judge.
export function season(games) {
  const played = games.filter(({ judged }) => judged);
  if (played.length < 2) return [];
  const place = el('div', { class: 'season' });
  place.append(button(say('analyse-all'), async () => {
    const status = el('p', { class: 'hint', role: 'status' });
    place.replaceChildren(status);
    place.replaceChildren(strengths(await analyses(played, (text) => { status.textContent = text; })));
    focusOn(place);
  }, 'small', 'season'));
  return [el('h3', {}, say('season')), el('p', { class: 'hint' }, say('season-why')), place];
}

// Each player's loss per decision, the smallest first.
function strengths(judgements) {
  const names = [...new Set(judgements.flatMap(({ players }) => players))];
  const found = names
    .map((name) => [name, judgements.flatMap(({ decisions }) => decisions.filter(({ player }) => player === name).map(({ cost }) => cost))])
    .filter(([, costs]) => costs.length > 0)
    .map(([name, costs]) => ({ name, games: judgements.filter(({ decisions }) => decisions.some(({ player }) => player === name)).length, ...strength(costs) }))
    .sort((a, b) => a.loss - b.loss);
  if (found.length === 0) return el('p', { tabindex: '-1' }, say('analysis-not-judged'));
  const head = ['games-played', 'decisions', 'loss-a-decision'];
  return figures(say('season'), head.map((code) => say(code)), found.map(({ name, games, decisions, loss, half, enough }) =>
    [name, games, decisions, `${(100 * loss).toFixed(2)}${half === null ? '' : ` ± ${(100 * half).toFixed(2)}`} %${enough ? '' : ` (${say('too-few')})`}`]));
}

// The mean cost, and half of its 95 % interval.
function strength(costs) {
  const decisions = costs.length;
  const loss = costs.reduce((sum, cost) => sum + cost, 0) / decisions;
  const squares = costs.reduce((sum, cost) => sum + (cost - loss) ** 2, 0);
  const half = decisions > 1 ? 1.96 * Math.sqrt(squares / (decisions - 1) / decisions) : null;
  return { decisions, loss, half, enough: half !== null && decisions >= ENOUGH && half < loss };
}

// The score, side by side: names, points, points to go, games won, and a button for points.

import { button, el, put } from './dom.js';
import { say, seat } from './words.js';

export function drawSides(place, state, choose) {
  const best = Math.max(0, ...state.sides.map((side) => side.score));
  put(place, ...state.sides.map((side, index) => card(state, side, index + 1, best, choose)));
  place.hidden = state.sides.length === 0;
  place.dataset.sides = state.sides.length;
}

function card(state, side, number, best, choose) {
  const won = state.winner === number;
  const waiting = ['cut', 'deal', 'seats'].includes(state.phase);
  const marks = [];
  if (side.seats.includes(state.dealer)) marks.push(el('span', { class: 'chip deals' }, say('deals')));
  if (side.seats.includes(state.turn) && !state.over && !waiting) {
    marks.push(el('span', { class: 'chip turn' }, say('to-play')));
  }
  if (won) marks.push(el('span', { class: 'chip won' }, say(side.names.length > 1 ? 'win' : 'wins')));
  const names = side.names.join(' & ');
  const points = button('+', () => choose({ points: side }), 'small', `points${number}`);
  points.append(el('span', { class: 'word' }, ` ${say('points')}`));
  points.setAttribute('aria-label', say('points-for', { name: names }));
  points.hidden = !side.seats.some((seat) => state.pegs.includes(seat));
  const opponent = points.hidden && side.seats.includes(state.opponent?.seat) ? state.opponent : null;
  return el(
    'article',
    { class: `side side${number}${won ? ' winner' : ''}` },
    el('h2', {}, el('span', { class: 'sign', 'aria-hidden': 'true' }), ...named(side)),
    el('p', { class: `score ${String(side.score).length > 4 ? 'long' : ''}` }, String(side.score)),
    el('p', { class: 'marks' }, ...marks),
    el('p', { class: 'facts' }, ...facts(state, side, best)),
    games(side.won),
    opponent ? button(opponent.text, () => choose({ level: true }), 'small level', 'level') : points,
  );
}

// The players; this phone's player is "you", and first.
const named = (side) => {
  const own = side.seats.indexOf(Number(seat()));
  if (own < 0) return [side.names.join(' & ')];
  const others = side.names.filter((_, n) => n !== own);
  return [el('span', { class: 'mine', title: side.names[own] }, say('you')), ...others.map((name) => ` & ${name}`)];
};

function facts(state, side, best) {
  const parts = [];
  const others = state.sides.filter((other) => other !== side).map((other) => other.score);
  const next = Math.max(...others);
  if (side.score === best && side.score > next) parts.push(say('ahead', { points: side.score - next }));
  if (state.target && !state.over) parts.push(say('to-go', { points: Math.max(0, state.target - side.score) }));
  return parts.flatMap((part, n) => [n > 0 ? el('span', { class: 'dot' }, ' · ') : null, el('span', { class: 'fact' }, part)]);
}

function games(won) {
  const label = say('games-won', { games: won });
  return el(
    'p',
    { class: 'games' },
    el('span', { class: 'unseen' }, label),
    el('span', { class: 'pips', 'aria-hidden': 'true' }, won > 3 ? `${won} ◆` : '◆'.repeat(won)),
  );
}

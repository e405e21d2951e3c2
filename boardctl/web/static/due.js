// The prompts: one thing to do now, everything else under "More".

import { cardRow, handRow, line } from './cards.js';
import { button, el, put } from './dom.js';
import { language, say, seat } from './words.js';

const BUTTONS = 8; // visible at once, without opening anything
const FRAME = 4; // of them: table, keypad, undo, more

// What is shown of a state at once, and what is left for "More": the first ask that is due, and what
// the same player may do instead of it.
export function arrange(state) {
  const due = state.asks.filter((asked) => asked.due);
  const pegs = state.sides.filter((side) => side.seats.some((seat) => state.pegs.includes(seat)));
  let left = BUTTONS - FRAME - pegs.length;
  const shown = [];
  for (const asked of due) {
    if (shown.length > 0 && (asked.seat === null || asked.seat !== due[0].seat)) continue;
    const row = (asInRow(asked) || ofHand(state, asked)) && !shown.some((other) => other.as === 'row');
    const choices = asked.kind === 'choice' && asked.choices.length <= left;
    const cost = row ? 0 : choices ? asked.choices.length : 1;
    if (cost > left) continue;
    left -= cost;
    if (row && !asked.ranks) left = Math.min(left, 1); // a pack fills the space
    shown.push({ asked, as: row ? 'row' : choices ? 'choices' : 'button' });
  }
  const rest = state.asks.filter((asked) => !shown.some((other) => other.asked === asked));
  return { shown, rest };
}

// One card, told by one tap on it.
const asInRow = ({ kind, most, ranks, cards }) =>
  kind === 'cards' && most === 1 && (ranks || (cards !== null && cards.length <= 32));

// A player's own cards, where this phone knows all of them.
const HAND = 8;
const ofHand = (state, { kind, code, seat: asks, least, most, cards }) =>
  kind === 'cards' && String(asks) === seat() && state.board > 0 && ['discard', 'play'].includes(code) && least === most && cards !== null && cards.length <= HAND;

// Draws what is due into `place`; `choose` is called with what was tapped.
export function drawDue(place, state, choose) {
  const { shown } = arrange(state);
  const first = shown[0];
  // A row of cards answers the heading; what else may be done has its own words on its buttons.
  const headed = shown.find(({ as }) => as === 'row') ?? first;
  const title = headed && headed.asked.kind !== 'confirm' ? headed.asked.text : '';
  put(
    place,
    el('h2', { class: title ? '' : 'unseen', tabindex: '-1' }, title || say('due')),
    state.count === null || (state.telling !== 'cards' && state.count === 0) ? null : running(state),
    ...shown.filter(({ as }) => as === 'row').map(({ asked }) => (ofHand(state, asked) ? handRow : cardRow)(asked, (line) => choose({ line }))),
    first ? null : nothing(state, choose),
    el(
      'div',
      { class: 'asks' },
      ...shown.filter(({ as }) => as !== 'row').flatMap((part) => drawn(part, part === first, part === headed, choose)),
      state.over ? el('a', { class: 'act', href: `history.html?lang=${language}`, 'data-focus': 'look' }, say('look-at-it')) : null,
      state.free && (!state.begun || state.over) ? button(say('against'), () => choose({ against: true }), 'quiet whole', 'against') : null,
    ),
  );
}

function running({ count, left }) {
  return el('p', { class: 'running' }, el('b', {}, say('running', { count })), ' ', say('left', { left }));
}

function drawn({ asked, as }, first, headed, choose) {
  const kind = first ? 'first' : '';
  if (as === 'choices') {
    return [
      headed ? null : el('p', { class: 'hint whole' }, asked.text),
      ...asked.choices.map((choice) => button(choice.text, () => choose({ line: choice.line }), kind, choice.line)),
    ];
  }
  const tap = asked.kind === 'confirm' ? { line: line(asked), ask: asked } : { ask: asked };
  const text = headed && asked.kind !== 'confirm' ? say(`tell-${asked.kind}`) : asked.button;
  return [button(text, () => choose(tap), kind, `first${asked.code}`)];
}

// No ask is due: points are pegged from the players' own buttons, or the evening is over.
function nothing(state, choose) {
  if (!state.game) {
    return el(
      'div',
      { class: 'asks' },
      el('p', {}, say('asleep')),
      button(say('wake'), () => choose({ wake: true }), 'first', 'wake'),
    );
  }
  if (state.asks.some((asked) => asked.seat === state.board)) {
    return el('p', { class: 'hint' }, say('player-thinks', { name: state.seats[state.board - 1] }));
  }
  return el('p', { class: 'hint' }, say(state.seats.length > 0 ? 'only-points' : 'who-plays'));
}

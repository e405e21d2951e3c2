// What is due, as buttons: everything a game asks for, and points for whoever may peg.

import { el, put } from './dom.js';
import { say } from './words.js';

const MOST = 29; // the most that one telling of points can be; the referee knows better

// Draws the asks of a state into `place`; `choose` is called with what was tapped.
export function drawDue(place, state, choose) {
  const [first, ...others] = state.asks;
  put(
    place,
    el('h2', {}, say('due')),
    el('div', { class: 'asks' }, first ? ask(first, choose, 'first') : null, ...others.map((a) => ask(a, choose))),
    pegs(state, choose),
  );
  place.hidden = state.asks.length === 0 && state.pegs.length === 0;
}

function ask(asked, choose, kind = '') {
  if (asked.kind === 'choice') {
    return el(
      'fieldset',
      { class: `choice ${kind}` },
      el('legend', {}, asked.text),
      ...asked.choices.map((choice) => button(choice.text, () => choose({ line: choice.line }))),
    );
  }
  const tap = asked.kind === 'confirm' ? { line: line(asked) } : { ask: asked };
  return button(asked.text, () => choose(tap), kind);
}

function pegs(state, choose) {
  if (state.pegs.length === 0) return null;
  return el(
    'div',
    { class: 'asks pegs' },
    ...state.pegs.map((seat) => {
      const text = say('points-for', { name: state.seats[seat - 1] });
      const head = `${seat} peg`;
      return button(text, () =>
        choose({ ask: { kind: 'number', text, head, tail: '', least: 0, most: MOST, scale: 1, barred: [] } }),
      );
    }),
  );
}

export function button(text, act, kind = '') {
  const made = el('button', { type: 'button', class: `act ${kind}` }, text);
  made.addEventListener('click', act);
  return made;
}

// The line that an ask makes with what completes it.
export const line = (asked, ...told) =>
  [asked.head, ...told, asked.tail].filter((part) => part !== '').join(' ');

// The moves of the deal, newest first: each can be put right or taken out; the last ones taken
// back and played again.

import { el } from './dom.js';
import { button } from './due.js';
import { cardChip, say } from './words.js';

const CARD = /^(?:[A2-9TJQK][SHDC]?[ab]?|\?)$/;

export function drawMoves(place, state, { amend, play }) {
  const undo = button(say('undo'), () => play('undo'), 'small');
  const redo = button(say('redo'), () => play('redo'), 'small');
  undo.disabled = !state.undo;
  redo.disabled = !state.redo;
  place.replaceChildren(
    el('header', {}, el('h2', {}, say('deal-so-far')), undo, redo),
    el('ol', { class: 'moves' }, ...[...state.moves].reverse().map((move) => row(state, move, amend))),
  );
}

function row(state, move, amend) {
  const points = move.awards.reduce((sum, award) => sum + award.points, 0);
  const made = el(
    'button',
    { type: 'button', class: 'move', title: say('put-right') },
    el('span', { class: 'what' }, ...words(state, move)),
    el('span', { class: 'why' }, move.awards.map((award) => award.text).join(', ')),
    el('span', { class: 'points' }, points ? (points > 0 ? `+${points}` : String(points)) : ''),
  );
  made.addEventListener('click', () => amend(move));
  return el('li', { class: move.seat ? `by side${side(state, move.seat)}` : '' }, made);
}

const side = (state, seat) => ((seat - 1) % Math.max(1, state.sides.length)) + 1;

// `1 play 5H` -> Ann, play, and the card as a card.
function words(state, { line, seat }) {
  const parts = line.split(' ');
  const told = [];
  if (seat && parts[0] === String(seat)) {
    told.push(el('b', {}, state.seats[seat - 1] ?? parts[0]), ' ');
    parts.shift();
  }
  for (const part of parts) {
    const isCard = CARD.test(part) && !['A', 'T'].includes(line) && told.length > 0;
    told.push(isCard && !/^\d+$/.test(part) ? cardChip(part) : part, ' ');
  }
  return told;
}

// The dialog in which one move is put right.
export class Amend {
  #dialog = el('dialog', { class: 'amend', 'aria-labelledby': 'amend-title' });

  constructor(play) {
    this.play = play;
    document.body.append(this.#dialog);
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  show(move) {
    const field = el('input', {
      type: 'text', value: move.line, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
      maxlength: 200, 'aria-label': say('line'),
    });
    const close = button('×', () => this.close(), 'close');
    close.setAttribute('aria-label', say('close'));
    const form = el(
      'form',
      { class: 'field' },
      field,
      el('button', { class: 'act first' }, say('change')),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#say(`amend ${move.back} ${field.value}`);
    });
    this.#dialog.replaceChildren(
      el('header', {}, el('h2', { id: 'amend-title' }, say('put-right')), close),
      form,
      el(
        'div',
        { class: 'asks' },
        button(say('take-out'), () => this.#say(`amend ${move.back}`)),
        button(say('put-before'), () => this.#say(`insert ${move.back} ${field.value}`)),
      ),
      el('p', { class: 'hint' }, say('put-right-hint')),
    );
    this.#dialog.showModal();
  }

  #say(line) {
    this.close();
    this.play(line);
  }
}

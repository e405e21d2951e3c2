// The moves, newest first; each can be corrected or removed.

import { get, turns } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, put } from './dom.js';
import { rulesText } from './rules.js';
import { say, withCards } from './words.js';

const OPENING = ['game', 'seat', 'set', 'session']; // players and game, which the table sheet shows

export class Moves {
  #all = false;
  #state = null;
  #turn = turns();

  constructor(place, amend) {
    this.place = place;
    this.amend = amend;
  }

  async show(state) {
    this.#state = state;
    let moves = state.moves;
    const newest = this.#turn();
    if (this.#all) {
      const answer = await get('moves');
      if (!newest()) return;
      moves = answer.moves ?? moves;
    }
    const earlier = button(say(this.#all ? 'this-deal' : 'earlier'), () => {
      this.#all = !this.#all;
      this.show(this.#state);
    }, 'small', 'earlier');
    put(
      this.place,
      el('header', {}, el('h2', { tabindex: '-1' }, say(this.#all ? 'this-game' : 'deal-so-far')), earlier),
      state.rules.length > 0 ? el('p', { class: 'hint rules' }, say('rules-differ', { rules: rulesText(state.rules) })) : null,
      el('ol', { class: 'moves' }, ...this.#rows(moves)),
    );
    this.place.hidden = state.moves.every(({ verb }) => OPENING.includes(verb));
  }

  // The newest first; of a whole game each deal under its number, which a misdeal leaves for the next one.
  #rows(moves) {
    const deals = [];
    let number = 0;
    for (const move of moves) {
      if (move.verb === 'deal') number += 1;
      if (move.verb === 'deal' || deals.length === 0) deals.unshift({ number, rows: [] });
      if (move.verb === 'misdeal') number -= 1;
      deals[0].rows.unshift(this.#row(move));
    }
    return deals.flatMap(({ number: of, rows }) =>
      this.#all && of > 0 ? [el('li', { class: 'deal-number' }, say('deal-number', { number: of })), ...rows] : rows);
  }

  #row(move) {
    const points = move.points ? (move.points > 0 ? `+${move.points}` : String(move.points)) : '';
    const made = el(
      'button',
      { type: 'button', class: 'move', title: say('put-right'), 'data-focus': `move${move.place}` },
      el('span', { class: 'what' }, ...withCards(move.text)),
      el('span', { class: 'why' }, move.why),
      el('span', { class: 'points' }, points),
    );
    made.addEventListener('click', () => this.amend(move));
    const sides = Math.max(1, this.#state.sides.length);
    return el('li', { class: move.seat ? `by side${((move.seat - 1) % sides) + 1}` : '' }, made);
  }
}

// The move being corrected: its number of moves back while others are played after it.
class Chosen {
  #number;
  #length;

  constructor(move, state) {
    this.back = move.back;
    this.#number = state.number;
    this.#length = state.length;
  }

  line(entered) {
    return `amend ${this.back} ${entered}`;
  }

  // Whether it is still the same move, that is, moves were only added since.
  follow({ number, length }) {
    const added = length - this.#length;
    const stands = added === number - this.#number;
    this.back += stands ? added : 0;
    this.#number = number;
    this.#length = length;
    return stands;
  }
}

// Corrects one move: with the picker that entered it, from a list, or as a line of the notation.
export class Amend {
  #dialog = new Dialog('amend');
  /** @type {Chosen | null} */
  #chosen = null;

  constructor({ state, play, picker, points }) {
    this.now = state;
    this.play = play;
    this.picker = picker;
    this.points = points;
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  async show(move) {
    const amend = new Chosen(move, this.now());
    const text = say('put-right-this', { move: move.text });
    const answer = await this.#dialog.load(text, get('amend', { back: move.back }), () => {
      if (amend.follow(this.now())) this.show({ ...move, back: amend.back });
      else this.#dialog.close();
    });
    if (!answer) return;
    const stands = amend.follow(this.now());
    const { ask, possible } = answer;
    if (!stands || ['cards', 'number'].includes(ask?.kind) || possible.length > 0) this.#dialog.close(); // another follows
    if (!stands) return;
    if (ask?.kind === 'cards') {
      const extra = this.#extra(amend, answer, this.picker);
      this.picker.show({ ...ask, text }, { cards: answer.cards, amend, extra });
    } else if (ask?.kind === 'number' || possible.length > 0) {
      const extra = this.#extra(amend, answer, this.points);
      const pegged = { head: `${move.seat} peg`, tail: '', least: 0, most: 0, scale: 1 };
      const numbers = possible.length > 0 ? possible : null;
      this.points.ask({ ...pegged, ...ask, text }, { before: answer.points, numbers, amend, extra });
    } else {
      this.#chosen = amend;
      const choices = ask?.choices ?? [];
      this.#dialog.fill(
        text,
        move.verb === 'seat' ? this.#name(amend, answer.line) : null,
        choices.length > 0
          ? el('div', { class: 'asks' }, ...choices.map((choice) => {
              const made = button(choice.text, () => this.#say(amend.line(choice.line)));
              made.setAttribute('aria-pressed', String(choice.line === answer.line));
              return made;
            }))
          : null,
        this.#extra(amend, answer, this.#dialog),
      );
    }
  }

  // The name of a player, to be corrected: `seat 2 Bob`.
  #name(amend, line) {
    const [, head, name] = /^(seat \d+) (.*)$/.exec(line);
    const field = el('input', { type: 'text', value: name, maxlength: 40, autocomplete: 'off', 'aria-label': say('player-name'), 'data-begin': '' });
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act first' }, say('change')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#say(amend.line(`${head} ${field.value.trim()}`));
    });
    return form;
  }

  #extra(amend, answer, dialog) {
    const field = el('input', {
      type: 'text', value: answer.line, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
      maxlength: 200, 'aria-label': say('line'),
    });
    const problem = el('p', { class: 'refused', role: 'alert' });
    const played = async (line) => {
      const refused = await dialog.said(this.play(line));
      if (refused) problem.textContent = refused.message;
    };
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act' }, say('change')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      played(amend.line(field.value));
    });
    return el(
      'div',
      { class: 'extra' },
      el('div', { class: 'asks' }, button(say('take-out'), () => played(`amend ${amend.back}`))),
      el('details', {}, el('summary', {}, say('line')), form,
        button(say('put-before'), () => played(`insert ${amend.back} ${field.value}`)),
        el('p', { class: 'hint' }, say('put-right-hint'))),
      problem,
    );
  }

  async #say(entered) {
    const refused = await this.#dialog.said(this.play(entered));
    if (refused) this.#dialog.refuse(refused.message);
  }

  follow(state) {
    if (!this.open || !this.#chosen) return true;
    const stands = this.#chosen.follow(state);
    if (!stands) this.close();
    return stands;
  }
}

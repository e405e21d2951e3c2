// The moves, newest first: each can be put right or taken out.

import { get } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, put } from './dom.js';
import { say, withCards } from './words.js';

export class Moves {
  #all = false;
  #state = null;

  constructor(place, amend) {
    this.place = place;
    this.amend = amend;
  }

  async show(state) {
    this.#state = state;
    let moves = state.moves;
    if (this.#all) {
      const answer = await get('moves');
      if (this.#state !== state) return;
      moves = answer.moves ?? moves;
    }
    const earlier = button(say(this.#all ? 'this-deal' : 'earlier'), () => {
      this.#all = !this.#all;
      this.show(this.#state);
    }, 'small', 'earlier');
    put(
      this.place,
      el('header', {}, el('h2', { tabindex: '-1' }, say(this.#all ? 'this-game' : 'deal-so-far')), earlier),
      el('ol', { class: 'moves' }, ...[...moves].reverse().map((move) => this.#row(move))),
    );
    this.place.hidden = state.moves.length === 0;
  }

  #row(move) {
    const points = move.points ? (move.points > 0 ? `+${move.points}` : String(move.points)) : '';
    const made = el(
      'button',
      { type: 'button', class: 'move', title: say('put-right'), 'data-focus': `move${move.place}` },
      el('span', { class: 'what' }, ...withCards(move.text)),
      el('span', { class: 'why' }, move.verb === 'peg' ? '' : move.awards.map((award) => award.text).join(', ')),
      el('span', { class: 'points' }, points),
    );
    made.addEventListener('click', () => this.amend(move));
    const sides = Math.max(1, this.#state.sides.length);
    return el('li', { class: move.seat ? `by side${((move.seat - 1) % sides) + 1}` : '' }, made);
  }
}

// One move put right: with the picker that told it, from a list, or as a line of the notation.
export class Amend {
  #dialog = new Dialog('amend');
  #place = null;

  constructor({ play, picker, points }) {
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
    const told = await get('amend', { back: move.back });
    const { ask } = told;
    const text = say('put-right-this', { move: move.text });
    this.#place = move.place;
    if (ask?.kind === 'cards') {
      const extra = this.#extra(move, told, () => this.picker.close());
      this.picker.show({ ...ask, text }, { cards: told.cards, amend: { back: move.back, place: move.place }, extra });
    } else if (ask?.kind === 'number' || told.pegs) {
      const [seat] = told.line.split(' ');
      const head = `amend ${move.back} ${ask?.head ?? `${seat} peg`}`;
      const numbers = { least: 0, most: 5000, scale: 1, tail: '', ...ask, head, code: 'amend', text };
      this.points.ask(numbers, told.points, this.#extra(move, told, () => this.points.close()));
    } else {
      const choices = ask?.choices ?? [];
      this.#dialog.fill(
        text,
        choices.length > 0
          ? el('div', { class: 'asks' }, ...choices.map((choice) =>
              button(choice.text, () => this.#say(`amend ${move.back} ${choice.line}`))))
          : null,
        this.#extra(move, told, () => this.close()),
      );
    }
  }

  #extra(move, told, close) {
    const field = el('input', {
      type: 'text', value: told.line, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
      maxlength: 200, 'aria-label': say('line'),
    });
    const problem = el('p', { class: 'refused', role: 'alert' });
    const say_ = async (line) => {
      const refused = await this.play(line);
      if (refused) problem.textContent = refused.message;
      else close();
    };
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act' }, say('change')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      say_(`amend ${move.back} ${field.value}`);
    });
    return el(
      'div',
      { class: 'extra' },
      el('div', { class: 'asks' }, button(say('take-out'), () => say_(`amend ${move.back}`))),
      el('details', {}, el('summary', {}, say('line')), form,
        button(say('put-before'), () => say_(`insert ${move.back} ${field.value}`)),
        el('p', { class: 'hint' }, say('put-right-hint'))),
      problem,
    );
  }

  async #say(told) {
    const refused = await this.play(told);
    if (refused) this.#dialog.refuse(refused.message);
    else this.close();
  }

  follow(state) {
    if (!this.open) return true;
    const stands = state.length > this.#place;
    if (!stands) this.close();
    return stands;
  }
}

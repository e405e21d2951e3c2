// Numbers: points for a player, up to the game's maximum, and numbers that a game asks for.

import { get, turns } from './ask.js';
import { line } from './cards.js';
import { Dialog } from './dialog.js';
import { noHandFits } from './due.js';
import { button, el } from './dom.js';
import { say } from './words.js';

const GRID = 60; // up to this many numbers are buttons, more are typed
const USUAL = 29; // higher points are rare, so they are typed

export class Points {
  #dialog = new Dialog('points');
  #about = null;
  #turn = turns();

  constructor(play, more) {
    this.play = play;
    this.more = more;
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  said(answer) {
    return this.#dialog.said(answer);
  }

  // Points for one of a side's players, and that player's other moves.
  async side(state, side, seat = side.seats.find((n) => state.pegs.includes(n))) {
    this.#about = { seat, number: state.number };
    const name = state.seats[seat - 1];
    const newest = this.#turn();
    const { points = [] } = await get('points', { whose: seat });
    if (!newest()) return;
    const hand = noHandFits(state);
    const asked = { head: `${seat} peg`, tail: hand ? 'hand' : '', text: say('points-for', { name }) };
    const partners = side.seats.filter((n) => state.pegs.includes(n));
    const most = Math.max(0, ...points);
    this.#dialog.fill(
      asked.text,
      partners.length > 1 ? this.#partners(state, side, partners, seat) : null,
      ...(points.length === 1 && most === 0 && !hand
        ? [el('p', { class: 'hint', 'data-begin': '' }, say('no-points-now', { name }))]
        : this.#numbers(asked, points, most)),
      this.more(seat, this.#dialog, points),
    );
  }

  #partners(state, side, partners, seat) {
    return el(
      'div',
      { class: 'switch', role: 'group', 'aria-label': say('who') },
      ...partners.map((n) => {
        const made = button(state.seats[n - 1], () => this.side(state, side, n));
        made.setAttribute('aria-pressed', String(n === seat));
        return made;
      }),
    );
  }

  // A number that a game asks for. `amend` is the move being corrected, `before` its number and `numbers` the
  // possible ones; `extra` is shown below.
  ask(asked, { before = null, numbers = null, amend = null, extra = null } = {}) {
    const { least, most, scale, barred = [] } = asked;
    const count = Math.floor((most - least) / scale) + 1;
    const offered =
      numbers ??
      (count > 400 ? [] : Array.from({ length: count }, (_, n) => least + n * scale).filter((n) => !barred.includes(n)));
    this.#about = { head: asked.head, code: asked.code, amend };
    this.#dialog.fill(asked.text, ...this.#numbers(asked, offered, Math.max(most, ...offered), before), extra);
  }

  #numbers(asked, numbers, most, before = null) {
    const all = numbers.length > 0 && numbers.length <= GRID;
    const grid = all ? numbers.filter((n) => n <= USUAL || numbers.length <= USUAL + 1) : [];
    const tapped = grid.map((n) => {
      const made = button(String(n), () => this.#say(asked, n));
      if (before !== null) made.setAttribute('aria-pressed', String(n === before));
      return made;
    });
    const least = numbers[0] ?? asked.least ?? 0;
    const field = el('input', {
      // a phone's numeric keyboard has no minus
      type: 'number', inputmode: least < 0 ? 'text' : 'numeric', min: least, max: most || undefined, required: '',
      'aria-label': asked.text, value: before, placeholder: least > 0 ? `${least} …` : null,
    });
    const form = el('form', { class: 'field' }, field,
      el('button', { class: `act ${grid.length > 0 ? '' : 'first'}` }, say(before !== null ? 'change' : asked.code ? 'play-line' : 'peg-it')));
    form.noValidate = true;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value !== '') this.#say(asked, Math.trunc(Number(field.value)));
    });
    // Digits can be typed wherever the focus is.
    this.#dialog.node.onkeydown = (event) => {
      if (/^\d$/.test(event.key) && event.target !== field && !event.target.closest('.extra')) field.focus();
    };
    return [
      grid.length > 0 ? el('div', { class: 'numbers', 'data-begin': '' }, ...tapped) : null,
      grid.length === numbers.length && grid.length > 0 ? null : form,
    ];
  }

  async #say(asked, number) {
    const entered = line(asked, String(number));
    const refused = await this.said(this.play(this.#about.amend ? this.#about.amend.line(entered) : entered));
    if (refused) this.#dialog.refuse(refused.message);
  }

  // Handles a change of the table; returns whether the question still applies.
  follow(state) {
    if (!this.open || !this.#about) return true;
    const { seat, number, head, code, amend } = this.#about;
    let stands = state.asks.some((asked) => asked.head === head && asked.code === code);
    if (amend) stands = amend.follow(state);
    else if (seat) stands = state.pegs.includes(seat) && (state.happened?.seat !== seat || state.number === number);
    if (!stands) this.close();
    return stands;
  }
}

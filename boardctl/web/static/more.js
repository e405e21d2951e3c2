// All other possible entries, grouped by player.

import { Dialog } from './dialog.js';
import { arrange, grid } from './due.js';
import { line } from './cards.js';
import { Ear } from './ear.js';
import { button, el } from './dom.js';
import { get } from './ask.js';
import { Teach } from './teach.js';
import { say } from './words.js';

export class More {
  #dialog = new Dialog('more');
  #teach = new Teach();
  #ear = new Ear();

  // `real` is whether there are real cards, `plays` whether somebody plays a seat here.
  constructor({ choose, play, real, points, plays }) {
    this.choose = choose;
    this.play = play;
    this.real = real;
    this.points = points;
    this.plays = plays;
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  // Everything not shown at once; with `only`, the choices of one ask.
  show(state, only = null) {
    if (only) {
      this.#dialog.fill(only.text, grid(only, true, ({ line: entered }) => this.#say(entered)));
      return;
    }
    const { rest } = arrange(state);
    const groups = [null, ...state.seats.map((_, n) => n + 1)]
      .map((seat) => [seat, rest.filter((asked) => asked.seat === seat)])
      .filter(([, asks]) => asks.length > 0)
      .map(([seat, asks]) => this.#group(state, seat, asks));
    this.#dialog.fill(
      say('more'),
      ...groups,
      state.begun ? this.#trouble(state) : null,
      el('section', { class: 'group' },
        el('h3', {}, say('anything')),
        this.#photos(),
        this.#written()),
    );
  }

  #group(state, seat, asks) {
    return el(
      'section',
      { class: 'group' },
      el('h3', {}, seat === null ? say('table') : state.seats[seat - 1]),
      this.buttons(asks, this.#dialog),
    );
  }

  // A misdeal, a penalty, or giving up: for the players here, and for real cards.
  #trouble(state) {
    const here = state.seats.map((name, n) => ({ name, n: n + 1 })).filter(({ n }) => this.plays(n));
    const real = this.real();
    const dealt = state.moves.some(({ verb }) => verb === 'deal');
    return el('section', { class: 'group' }, el('h3', {}, say('trouble')),
      el('div', { class: 'asks even' },
        real && dealt ? button(say('misdeal'), () => this.#sure(state, say('misdeal-sure'), say('misdeal'), 'misdeal'), '', 'misdeal') : null,
        ...(real ? here.map(({ name, n }) => button(say('penalty', { name }), () => this.#penalty(name, n), '', `penalty${n}`)) : []),
        ...here.map(({ name, n }) =>
          button(say('gives-up', { name }), () => this.#sure(state, say('gives-up-sure', { name }), say('gives-up', { name }), `${n} resign`), '', `resign${n}`))));
  }

  #sure(state, question, yes, entered) {
    this.#dialog.fill(question, el('div', { class: 'asks' },
      button(yes, () => this.#say(entered), 'first', 'yes'), button(say('no'), () => this.show(state), '', 'no')));
  }

  #penalty(name, n) {
    this.close();
    this.points.ask({ head: `${n} adjust`, tail: '', text: say('penalty', { name }), least: -60, most: 60, scale: 1 },
      { extra: el('p', { class: 'hint' }, say('penalty-hint')) });
  }

  // The buttons of some asks, for a dialog: a button per choice, under its question. An ask that needs input opens a
  // separate dialog.
  buttons(asks, dialog) {
    return el(
      'div',
      { class: 'asks' },
      ...asks.flatMap((asked) => {
        if (asked.kind === 'choice') {
          return [
            el('p', { class: 'hint whole' }, asked.text),
            ...asked.choices.map((choice) => button(choice.text, () => this.#say(choice.line, dialog), '', choice.line)),
          ];
        }
        const act = () => {
          if (asked.kind === 'confirm') {
            this.#say(line(asked), dialog, asked);
            return;
          }
          dialog.close();
          this.choose(asked);
        };
        return [button(asked.button, act, '', `${asked.code}${asked.seat}`)];
      }),
    );
  }

  // The packs taught to the camera, and the private ear, if the board can read photos of real cards.
  #photos() {
    if (!this.real()) return null;
    const opens = (code, what) => button(say(code), () => {
      this.close();
      what.show();
    }, '', code);
    const made = el('div', { class: 'asks', hidden: '' }, opens('ear', this.#ear), opens('teach', this.#teach));
    get('photo').then((answer) => { made.hidden = answer.available !== true; });
    return made;
  }

  // A field for a line of the notation.
  #written() {
    const field = el('input', {
      type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 200,
      'aria-label': say('line'), placeholder: '1 peg 8',
    });
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act' }, say('play-line')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#say(field.value);
    });
    return el('details', {}, el('summary', {}, say('line')), form);
  }

  async #say(entered, dialog = this.#dialog, asked = null) {
    const refused = await dialog.said(this.play(entered));
    if (refused?.choices && asked) {
      dialog.close();
      this.choose(asked); // it needs an answer about suits
    } else if (refused) {
      dialog.refuse(refused.message);
    }
  }
}

// A hint for the pending decision of this phone's player: first a nudge, then the move with its reason.

import { post } from './ask.js';
import { button, el, put } from './dom.js';
import { say, withCards } from './words.js';

export class Hint {
  node = el('div', { class: 'hint-room' });
  #given = null; // the hint, with the number of the line after which it was given
  #shown = false; // whether the move is shown, and not only the nudge
  #asking = false;

  // `changed` is called when the named cards may be marked anew, `refused` with a sentence.
  constructor({ state, changed, refused }) {
    this.now = state;
    this.changed = changed;
    this.refused = refused;
  }

  // The offer in the current state of the table.
  follow(state) {
    if (this.#given && this.#given.number < state.number) this.#given = null;
    this.#draw(state);
  }

  // Marks the cards of the move that was shown.
  mark(place) {
    const cards = this.#given && this.#shown ? this.#given.hint.cards : [];
    for (const made of place.querySelectorAll('.hand-row .target')) {
      made.classList.toggle('hinted', cards.includes(made.dataset.card));
    }
  }

  #draw(state) {
    const hint = this.#given?.hint;
    if (!hint) {
      put(this.node, state.hint && !state.over ? button(say('hint'), () => this.#ask(), 'small quiet', 'hint') : null);
    } else if (!this.#shown) {
      put(this.node, el('p', { class: 'nudge', role: 'status' }, hint.nudge),
        button(say('hint-show'), () => this.#show(), 'small', 'hint-show'));
    } else {
      put(this.node, el('p', { class: 'nudge', role: 'status', tabindex: '0' }, ...withCards(hint.move)), // it may scroll
        el('ul', { class: 'why' }, ...hint.why.map((line) => el('li', {}, ...withCards(line)))));
    }
  }

  #show() {
    this.#shown = true;
    this.#draw(this.now());
    this.changed();
  }

  async #ask() {
    if (this.#asking) return;
    this.#asking = true;
    put(this.node, el('p', { class: 'hint', role: 'status', tabindex: '-1' }, say('hint-thinks')));
    const { refused, error, ...given } = await post('hint', { expect: this.now().number });
    this.#asking = false;
    this.#shown = false;
    if (refused || error) this.refused((refused ?? error).message);
    else if (given.number >= this.now().number) this.#given = given;
    this.#draw(this.now());
    this.changed();
  }
}

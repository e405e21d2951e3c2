// The last event, with Undo and Redo next to it; refusals; and briefly shown rare events.

import { button, el, put } from './dom.js';
import { known, say, withCards } from './words.js';

const LONG = 64; // longer than fits on two lines of a phone

export class News {
  #undo;
  #redo;
  #where;

  // `bar` is the place of Undo and Redo, which never changes; `where` returns the place of the last move's card, if
  // somebody has to find it.
  constructor(place, text, bar, { undo, redo, where }) {
    this.#where = where;
    this.place = place;
    this.text = text;
    this.#undo = button('', undo, 'small', 'undo');
    this.#redo = button('', redo, 'small', 'redo');
    this.#undo.disabled = this.#redo.disabled = true; // until the table is known
    bar.prepend(this.#undo, this.#redo);
  }

  // The last move, or nothing yet.
  show({ happened, undo, redo, seats, winner, sides }) {
    this.#undo.textContent = say('undo');
    this.#redo.textContent = say('redo');
    this.#redo.disabled = !redo;
    this.#undo.disabled = !undo;
    const moment = happened?.moment;
    const winners = winner ? sides[winner - 1].names : [];
    const name = winner ? winners.join(' & ') : (seats[(happened?.seat ?? 1) - 1] ?? '');
    this.place.dataset.moment = moment ?? '';
    if (moment && known(`moment-${moment}`)) {
      this.announce(say(`moment-${moment}${winners.length > 1 && known(`moment-${moment}-partners`) ? '-partners' : ''}`, { name }), 'moment');
    } else {
      this.announce([happened?.text ?? '', this.#where()].filter(Boolean).join(' · '), 'done');
    }
  }

  // The place of the last move's card is known now.
  found(state) {
    if (this.place.dataset.kind === 'done') this.show(state);
  }

  announce(text, kind = '') {
    this.place.dataset.kind = kind;
    this.text.classList.toggle('long', text.length > LONG);
    put(this.text, el('span', {}, ...withCards(text)));
  }
}

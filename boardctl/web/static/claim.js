// The seat that this phone requests: the board grants it at once, or asks the phone that has it, or the people at the
// board. Until then this page shows public cards only.

import { allowed, post } from './ask.js';
import { button, el, put } from './dom.js';
import { askAnew, say, seat } from './words.js';

export class Claim {
  #asks = el('section', { id: 'claim', class: 'panel', role: 'status', hidden: '' });
  #wanted = el('section', { id: 'wanted', class: 'panel', role: 'alert', hidden: '' });
  #has = ''; // the seat that the board has given to this phone
  #asking = ''; // the seat and name of the pending claim

  // `below` is the element below it; `seated` is called when the seat has changed, `announce` reports the reason.
  constructor(below, { seated, announce }) {
    this.seated = seated;
    this.announce = announce;
    below.before(this.#wanted, this.#asks);
  }

  follow({ viewer, seats }) {
    const wanted = seat();
    const name = seats[Number(wanted) - 1];
    if (viewer !== null || !wanted || !name || document.body.dataset.role !== 'player') {
      if (this.#has && !wanted) post('seat', { seat: 0, name: '' });
      this.#has = viewer === null ? '' : wanted;
      this.#hide();
    } else if (this.#has === wanted) {
      this.#has = '';
      this.#give(say('seat-lost', { name }));
    } else if (this.#asking !== `${wanted} ${name}`) {
      this.#ask(wanted, name);
    }
  }

  async #ask(wanted, name) {
    const asking = `${wanted} ${name}`;
    this.#asking = asking;
    const answer = await allowed('seat', { seat: Number(wanted), name }, (message) => {
      if (this.#asking !== asking) return false;
      this.#asks.hidden = false;
      put(this.#asks, el('p', {}, message), el('div', { class: 'asks' }, button(say('seat-cancel'), () => this.#give(), '', 'claim-cancel')));
      return true;
    });
    if (this.#asking !== asking) return;
    this.#hide();
    const refused = answer.refused ?? answer.error;
    if (refused) this.#give(refused.message);
    else this.seated();
  }

  // Gives up this phone's seat, until somebody chooses one.
  #give(message = '') {
    this.#hide();
    askAnew();
    if (message) this.announce(message);
    this.seated();
  }

  #hide() {
    this.#asking = '';
    this.#asks.hidden = true;
  }

  // The requests of other phones for this phone's seat.
  hear(claims) {
    this.#wanted.hidden = claims.length === 0;
    put(this.#wanted, ...claims.map(({ claim, name }) =>
      el('div', {}, el('p', {}, say('seat-wanted', { name })),
        el('div', { class: 'asks' },
          button(say('seat-refuse'), () => post('seat/allow', { claim, allow: false }), 'first', `refuse${claim}`),
          button(say('seat-allow'), () => post('seat/allow', { claim, allow: true }), '', `allow${claim}`)))));
  }
}

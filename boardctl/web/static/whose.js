// The question whose phone this is, asked once after pairing, or if the board deals cards that only their player's
// phone shows. The table sheet changes it later.

import { button, el, put } from './dom.js';
import { WATCH, askAnew, asked, say, sitAt } from './words.js';

export class Whose {
  #node = el('section', { id: 'whose', class: 'panel', hidden: '' });

  // `below` is the element below it; `seated` is called when somebody has answered.
  constructor(below, seated) {
    this.seated = seated;
    below.before(this.#node);
  }

  // Only on a phone that may play, at a board that pairs phones or deals (`dealt`), and only until it is answered.
  // `people` are the seats of people at this board. A phone that only watches says so.
  show({ seats }, people, dealt) {
    if (document.body.dataset.role === 'watcher') {
      this.#node.hidden = false;
      this.#node.setAttribute('aria-label', say('only-watching'));
      const back = () => {
        askAnew();
        this.seated();
      };
      put(this.#node, el('h2', {}, say('only-watching')), el('div', { class: 'asks' }, button(say('take-part'), back, '', 'take-part')));
      return;
    }
    const due = (document.body.dataset.pairs || dealt) && document.body.dataset.role === 'player' && !asked() && people.length > 0;
    this.#node.hidden = !due;
    this.#node.setAttribute('aria-label', say('whose-phone'));
    if (!due) return;
    const choices = [...people.map((one) => [String(one), seats[one - 1]]), ...(dealt ? [] : [['', say('everybody')]]), [WATCH, say('only-watching')]];
    put(this.#node,
      el('h2', {}, say('whose-phone')),
      el('div', { class: 'asks' }, ...choices.map(([value, name]) => button(name, () => this.#sit(value), '', `whose${value}`))));
  }

  #sit(value) {
    sitAt(value);
    this.#node.hidden = true;
    this.seated();
  }
}

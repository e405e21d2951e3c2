// The small display, cell by cell like the real one.

import { el } from './dom.js';

const COLUMNS = 16;

export class Display {
  constructor(place, said) {
    this.place = place;
    this.said = said;
    this.listens = false; // whether somebody types on this page
    this.show(['', '']);
  }

  show(lines) {
    this.place.replaceChildren(
      ...lines.map((line) => {
        const cells = [...line.padEnd(COLUMNS)].slice(0, COLUMNS);
        return el('div', { class: 'row', 'aria-hidden': 'true' }, ...cells.map((c) => el('span', {}, c)));
      }),
    );
    const text = lines.map((line) => line.trim()).filter(Boolean).join(', ');
    this.place.setAttribute('aria-label', text || '…');
  }

  // The same as a sentence, for screen readers, while keys are typed here. For taps, the page's own messages are
  // enough, and no key must be pressed.
  listen(to) {
    this.listens = to;
    if (!to) this.said.textContent = '';
  }

  say(sentence) {
    if (this.listens && this.said.textContent !== sentence) this.said.textContent = sentence;
  }
}

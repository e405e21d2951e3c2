// A dialog with a title and a close button. The focus moves into it, and back when it closes.

import { button, el, focusOn, put } from './dom.js';
import { say } from './words.js';

let count = 0;

export class Dialog {
  /** @type {(() => void) | undefined} called when it closes */
  closed;
  #openings = 0;

  constructor(kind) {
    this.id = `dialog-title-${++count}`;
    this.node = el('dialog', { class: kind, 'aria-labelledby': this.id });
    this.node.addEventListener('close', () => this.#left()); // by Escape; the event comes late
    document.body.append(this.node);
  }

  get open() {
    return this.node.open;
  }

  close() {
    if (this.node.open) this.node.close();
    this.#left();
  }

  // Empties it, unless it has been opened again.
  #left() {
    if (this.node.open || !this.node.firstChild) return;
    this.closed?.();
    this.node.replaceChildren();
  }

  // Shows these contents under a title, and opens the dialog if it is closed.
  fill(title, ...inside) {
    const close = button('×', () => this.close(), 'close', 'close');
    close.setAttribute('aria-label', say('close'));
    const body = el('div', { class: 'inside' }, ...inside.filter(Boolean));
    put(this.node, el('header', {}, el('h2', { id: this.id }, title), close), body);
    if (!this.node.open) {
      this.#openings += 1;
      this.node.showModal();
      focusOn(this.node.querySelector('[data-begin]') ?? body);
    }
  }

  // Waits for the answer to an entry here. An accepted line closes the dialog, unless it was closed before and has
  // been opened for something else. Returns a refusal that must still be shown here, if any.
  async said(answer) {
    const opening = this.#openings;
    const refused = await answer;
    if (!this.node.open || opening !== this.#openings) return null;
    if (!refused) this.close();
    return refused;
  }

  // Shows a rejection in the sheet's place for it, otherwise over the title.
  refuse(message) {
    const place = this.node.querySelector('.inside .refused');
    if (!place) {
      this.warn(message);
      return;
    }
    place.textContent = message;
    place.scrollIntoView({ block: 'nearest' });
  }

  // Shows a message over the title, where it moves nothing, until the next one; nothing if it is empty.
  warn(message) {
    const header = this.node.querySelector('header');
    header.querySelector('.refused')?.remove();
    if (message) header.append(el('p', { class: 'refused', role: 'alert' }, message));
  }
}

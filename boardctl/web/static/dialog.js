// A dialog with a title and a close button. The focus moves into it, and back when it closes.

import { button, el, focusOn, pause, put } from './dom.js';
import { say } from './words.js';

let count = 0;
const SOON = 150; // ms; a quicker answer opens the dialog with its contents
const SHORT = 400; // ms for which nobody is told that an entry is on its way

export class Dialog {
  /** @type {(() => void) | undefined} called when it closes */
  closed;
  #openings = 0;
  #asked = {}; // the last question for its contents
  #loading = null; // the sentence while the contents are on their way

  constructor(kind) {
    this.id = `dialog-title-${++count}`;
    this.node = el('dialog', { class: kind, 'aria-labelledby': this.id });
    this.node.addEventListener('close', () => this.#left()); // by Escape; the event comes late
    document.body.append(this.node);
    let told = 0;
    document.addEventListener('sending', (/** @type {CustomEvent} */ { detail: open }) => {
      clearTimeout(told);
      if (open === 0) this.#sending('');
      else told = setTimeout(() => this.#sending(say('sending')), SHORT);
    });
  }

  #sending(text) {
    this.node.querySelector('header > .sending')?.remove();
    if (text) this.node.querySelector('header > .close')?.before(el('p', { class: 'sending', role: 'status' }, text));
  }

  get open() {
    return this.node.open;
  }

  // Whether its contents are on their way, or did not come.
  get loads() {
    return this.#loading !== null;
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
    const opens = !this.node.open;
    const close = button('×', () => this.close(), 'close', 'close');
    close.setAttribute('aria-label', say('close'));
    const body = el('div', { class: 'inside' }, ...inside.filter(Boolean));
    const loaded = this.#loading !== null; // now the contents have come
    this.#loading = null;
    put(this.node, el('header', {}, el('h2', { id: this.id }, title), close), body);
    if (opens) {
      this.#openings += 1;
      this.node.showModal();
    }
    if (opens || loaded) {
      focusOn(this.node.querySelector('[data-begin]') ?? body);
    }
  }

  // Asks for the contents of a dialog. While they are on their way, it is open and says so. If there is no answer, it
  // says so, and `again` asks once more. Returns null then, and if it was closed or asked for something else meanwhile.
  async load(title, answer, again) {
    const loading = el('p', { class: 'hint', role: 'status' }, say('loading'));
    const asked = {};
    this.#asked = asked;
    const openings = this.#openings;
    if (await Promise.race([answer.then(() => false), pause(SOON).then(() => true)])) {
      if (asked !== this.#asked || openings !== this.#openings) return null;
      this.fill(title, loading);
      this.#loading = loading;
    }
    const found = await answer;
    if (asked !== this.#asked || (this.#loading === loading ? !loading.isConnected : openings !== this.#openings)) return null;
    if (!found.error) return found;
    this.fill(title, el('p', { class: 'refused', role: 'alert' }, found.error.message),
      el('div', { class: 'asks' }, button(say('try-again'), again, 'first', 'try-again')));
    this.#loading = loading; // they did not come
    return null;
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

// The keypad: pressed with a finger, a mouse, or typed, and held as long as that is held.

import { el } from './dom.js';
import { say } from './words.js';

export const LEGEND = ['123A', '456B', '789C', '*0#D'];
const NAMED = { '*': 'star', '#': 'hash' };
const TYPED = { Enter: '#', Backspace: '*', Escape: '*' };

export class Keypad {
  #buttons = new Map();
  #held = new Map(); // source (a pointer, a physical key) -> key

  constructor(place, send) {
    this.send = send;
    for (const key of LEGEND.join('')) {
      const button = el(
        'button',
        { type: 'button', class: `key ${kind(key)}`, 'data-key': key, 'aria-label': key },
        el('span', { class: 'sign', 'aria-hidden': 'true' }, key),
        el('span', { class: 'means', 'aria-hidden': 'true' }),
      );
      this.listen(button, key);
      // A click without a pointer comes from assistive technology: press and release.
      button.addEventListener('click', (event) => {
        if (event.detail === 0 && event.isTrusted) {
          this.#down('assistive', key);
          this.#up('assistive');
        }
      });
      this.#buttons.set(key, button);
    }
    place.append(...this.#buttons.values());
    addEventListener('keydown', (event) => this.#typed(event));
    addEventListener('keyup', (event) => this.#up(event.code));
    addEventListener('blur', () => this.releaseAll());
    document.addEventListener('visibilitychange', () => this.releaseAll());
  }

  // A key that is held as long as the pointer is down.
  listen(node, key) {
    node.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      event.preventDefault(); // keeps the focus, so that typing continues
      node.setPointerCapture(event.pointerId);
      this.#down(`pointer ${event.pointerId}`, key);
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      node.addEventListener(name, (event) => this.#up(`pointer ${event.pointerId}`));
    }
    node.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  #typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (document.querySelector('dialog[open]') || target.closest?.('input, textarea, select')) return;
    const focused = target.closest?.('button, a, summary');
    const activates = event.key === 'Enter' || event.key === ' ';
    if (activates && focused && !focused.dataset.key) return;
    const key =
      activates && focused ? focused.dataset.key : (TYPED[event.key] ?? event.key.normalize('NFKC').toUpperCase());
    if (!this.#buttons.has(key)) return;
    event.preventDefault();
    if (!event.repeat) this.#down(event.code, key);
  }

  #down(who, key) {
    if (this.#held.has(who)) return;
    const first = ![...this.#held.values()].includes(key);
    this.#held.set(who, key);
    this.#buttons.get(key).classList.add('down');
    if (first) this.send(key, true);
  }

  #up(who) {
    const key = this.#held.get(who);
    if (key === undefined) return;
    this.#held.delete(who);
    if ([...this.#held.values()].includes(key)) return;
    this.#buttons.get(key).classList.remove('down');
    this.send(key, false);
  }

  // Labels the keys with their meanings, once the texts are loaded.
  label() {
    for (const [key, button] of this.#buttons) {
      const code = `key-${NAMED[key] ?? key}`;
      const means = say(code);
      if (means === code) continue;
      button.querySelector('.means').textContent = means;
      button.setAttribute('aria-label', `${key} ${means}`);
    }
  }

  releaseAll() {
    for (const who of [...this.#held.keys()]) this.#up(who);
  }
}

function kind(key) {
  if (key >= '0' && key <= '9') return 'digit';
  return 'ABCD'.includes(key) ? `seat seat${'ABCD'.indexOf(key) + 1}` : 'command';
}

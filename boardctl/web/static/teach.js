// Guides through photographing a pack, suit by suit, and lists the taught packs.

import { Dialog } from './dialog.js';
import { forgetPack, get, teach } from './ask.js';
import { button, el } from './dom.js';
import { RANKS } from './cards.js';
import { cardText, say, suitSign } from './words.js';

const SUITS = [['S', 'spades'], ['H', 'hearts'], ['D', 'diamonds'], ['C', 'clubs']];
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} '’-]{0,30}$/u;

export class Teach {
  #dialog = new Dialog('teach');
  #said = el('p', { role: 'status' });
  #ranks = RANKS; // the ranks in the pack of the current game

  // The packs, and a name for another.
  async show() {
    const answer = await this.#dialog.load(say('teach'), get('packs'), () => this.show());
    if (!answer) return;
    const { packs = [], begun = {}, ranks = RANKS } = answer;
    this.#ranks = ranks;
    const every = [...new Set([...packs, ...Object.keys(begun)])].sort();
    const field = el('input', {
      type: 'text', autocomplete: 'off', spellcheck: 'false', maxlength: 31,
      'aria-label': say('teach-name'), placeholder: say('teach-name'),
    });
    const form = el('form', { class: 'field named' }, field, el('button', { class: 'act' }, say('teach-begin')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const name = field.value.trim().normalize();
      if (NAME.test(name)) this.#lead(name, begun[name] ?? '');
      else this.#dialog.refuse(say('teach-bad-name'));
    });
    this.#dialog.fill(
      say('teach'),
      el('p', { class: 'hint' }, say('teach-hint')),
      ranks === RANKS ? null : el('p', { class: 'hint' }, say('teach-few', { cards: this.#named() })),
      ...every.map((name) => this.#pack(name, begun[name])),
      el('section', { class: 'group' }, every.length > 0 ? el('h3', {}, say('teach-new')) : null, form),
    );
  }

  // The ranks, or the cards of a suit.
  #named(letter = '') {
    return [...this.#ranks].map((rank) => cardText(rank + letter)).join(' ');
  }

  #pack(name, suits) {
    const state = suits === undefined ? say('teach-known') : [...suits].map(suitSign).join(' ');
    const again = button(say(suits === undefined ? 'teach-again' : 'teach-on'), () => this.#lead(name, suits ?? ''));
    again.setAttribute('aria-label', `${again.textContent}: ${name}`);
    const forget = button(say('teach-forget'), () => this.#sure(name));
    forget.setAttribute('aria-label', `${forget.textContent}: ${name}`);
    return el('section', { class: 'group' }, el('h3', {}, `${name} · ${state}`), el('div', { class: 'asks' }, again, forget));
  }

  #sure(name) {
    const forget = button(say('teach-forget'), async () => {
      const { error } = await forgetPack(name);
      if (error) this.#dialog.refuse(error.message);
      else this.show();
    });
    this.#dialog.fill(
      say('teach'),
      el('p', {}, say('teach-forget-sure', { pack: name })),
      el('div', { class: 'asks' }, forget, button(say('no-leave'), () => this.show())),
    );
  }

  // The next suit to photograph; `learned` are the letters of the finished ones.
  #lead(name, learned) {
    const next = SUITS.find(([letter]) => !learned.includes(letter));
    const progress = el(
      'p',
      { class: 'progress' },
      ...SUITS.map(([letter]) => el('span', {
        class: `card ${'HD'.includes(letter) ? 'red' : 'black'}`,
        'aria-label': say(learned.includes(letter) ? 'teach-done' : 'teach-to-come', { suit: say(`suit-${letter}`) }),
        role: 'img',
      }, `${suitSign(letter)}${learned.includes(letter) ? ' ✓' : ''}`)),
    );
    if (!next) {
      const done = button(say('teach-finish'), () => this.show());
      this.#dialog.fill(name, progress, el('p', { role: 'status' }, say('teach-ready', { pack: name })), done);
      return;
    }
    const [letter, suit] = next;
    const input = el('input', { type: 'file', accept: 'image/*', capture: 'environment' });
    const label = el('label', { class: 'act' }, say('teach-photo', { suit: say(`suit-${letter}`) }), input);
    input.addEventListener('change', async () => {
      this.#said.textContent = say('photo-reading');
      const answer = await teach(name, suit, this.#ranks, input.files[0]);
      input.value = '';
      if (!this.#dialog.open) return;
      this.#said.textContent = result(answer, letter, this.#ranks.length);
      if (answer.left !== undefined && answer.left !== null) this.#lead(name, learned + letter);
    });
    this.#dialog.fill(
      name,
      progress,
      el('p', {}, this.#ranks === RANKS ? say('teach-lay', { suit: say(`suit-${letter}`) }) : say('teach-lay-few', { cards: this.#named(letter) })),
      el('div', { class: 'photo' }, label),
      this.#said,
      button(say('teach-later'), () => this.show()),
    );
  }
}

// The content of a photo of a suit, as a sentence.
function result({ error, found, missing, other, left }, letter, wanted) {
  if (error) return error.message;
  const suit = say(`suit-${letter}`);
  if (left !== null) return say('teach-learned', { suit });
  if (other) return say('teach-other', { suit, other: say(`suit-${other}`) });
  if (missing.length > 0) return say('teach-missing', { found, wanted, cards: missing.map((rank) => cardText(rank + letter)).join(' ') });
  return say('teach-count', { found, wanted });
}

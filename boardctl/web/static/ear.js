// A private ear: the cards before the camera of this phone, said by its screen reader or by its own voice. Nothing is
// entered, and no other device learns of them.

import { photo } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, toggle } from './dom.js';
import { Film, films } from './film.js';
import { recall, remember } from './memory.js';
import { utter } from './voice.js';
import { cardName, language, say } from './words.js';

const KEPT = 'boardctl.ear';

export class Ear {
  #dialog = new Dialog('ear');
  #film = new Film();
  #heard = el('p', { class: 'heard', role: 'status', 'aria-live': 'assertive' });
  #last = '';

  constructor() {
    this.#dialog.closed = () => this.#film.stop();
  }

  show() {
    this.#last = '';
    this.#heard.textContent = '';
    const input = el('input', { type: 'file', accept: 'image/*', capture: 'environment', 'aria-label': say('photo'), 'data-focus': 'ear-photo' });
    input.addEventListener('change', async () => {
      const [file] = input.files;
      input.value = '';
      if (!file) return;
      this.#say(say('photo-reading'), false);
      const answer = await photo(file, '', []);
      if (this.#dialog.open) this.#say(named(answer) || answer.error.message);
    });
    this.#dialog.fill(
      say('ear'),
      el('p', { class: 'hint' }, say('ear-hint')),
      el('div', { class: 'photo' }, el('label', { class: 'act', 'data-begin': '' }, say('photo'), input), films() ? this.#filming() : null),
      this.#film.node,
      this.#heard,
      el('div', { class: 'asks' }, button(say('ear-again'), () => this.#say(this.#last), '', 'ear-again'), this.#voice()),
    );
  }

  // Cards held before the camera are said as soon as two frames agree.
  #filming() {
    const made = button('', async () => {
      if (this.#film.on) {
        this.#film.stop();
      } else {
        label(true);
        let before = '';
        const problem = await this.#film.run('', [], (answer) => {
          const now = named(answer);
          if (now && now === before && now !== this.#last) this.#say(now);
          if (!now) this.#last = ''; // the next card may be the same one again
          before = now;
          return false;
        });
        if (problem) this.#say(problem);
      }
      label(this.#film.on);
    }, '', 'ear-film');
    const label = (on) => {
      made.textContent = say(on ? 'film-stop' : 'film');
    };
    label(false);
    return made;
  }

  // This phone's own voice, for an earphone; a screen reader needs none.
  #voice() {
    if (!('speechSynthesis' in window)) return null;
    const turn = (on) => {
      remember(KEPT, on ? 'on' : 'off');
      utter(on ? this.#last || say('ear-voice') : '');
    };
    return toggle(say('ear-voice'), spoken, turn, '', 'ear-voice');
  }

  #say(words, kept = true) {
    if (kept) this.#last = words;
    this.#heard.replaceChildren(el('span', {}, words)); // the same words are said again, too
    if (kept && spoken()) utter(words);
  }
}

const spoken = () => recall(KEPT) === 'on';

// The names of the cards of an answer, those in doubt as such; nothing if there are none.
function named({ cards = [] }) {
  const names = cards.map(({ card, sure }) => (sure ? cardName(card) : say('ear-perhaps', { card: cardName(card) })));
  return new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(names);
}

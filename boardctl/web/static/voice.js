// Counting aloud by the phone, in the language of the page. Off until it is asked for.

import { language, say } from './words.js';

const KEPT = 'boardctl.voice';

export class Voice {
  #button = null;

  constructor(button) {
    this.#button = button;
    button.hidden = !('speechSynthesis' in window);
    button.addEventListener('click', () => {
      localStorage.setItem(KEPT, this.on ? 'off' : 'on');
      if (!this.on) speechSynthesis.cancel();
      this.label();
    });
  }

  get on() {
    return localStorage.getItem(KEPT) === 'on';
  }

  label() {
    this.#button.textContent = say(this.on ? 'mute' : 'speak');
    this.#button.setAttribute('aria-pressed', String(this.on));
  }

  // What is said follows what is being said; a page that nobody looks at is silent.
  speak(text) {
    if (!this.on || !text || document.hidden || this.#button.hidden) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = language === 'ja' ? 'ja-JP' : 'en-GB';
    speechSynthesis.speak(words);
  }
}

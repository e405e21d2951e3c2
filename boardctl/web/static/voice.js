// Speech by the phone, in the language of the page. Off until it is requested.

import { toggle } from './dom.js';
import { recall, remember } from './memory.js';
import { language, say } from './words.js';

const KEPT = 'boardctl.voice';

export class Voice {
  get on() {
    return recall(KEPT) === 'on';
  }

  // A button that turns it on and off, if the browser can speak; `words` is its label here.
  button(words = 'speak') {
    if (!('speechSynthesis' in window)) return null;
    const turn = (on) => {
      remember(KEPT, on ? 'on' : 'off');
      if (!on) speechSynthesis.cancel();
    };
    return toggle(say(words), () => this.on, turn, 'small', 'voice');
  }

  // Queues a text after the one being spoken; a hidden page is silent.
  speak(text) {
    if (!this.on || !text || document.hidden || !('speechSynthesis' in window)) return;
    speechSynthesis.speak(utterance(text));
  }
}

// Speaks a text at once, in place of others; an empty one only stops them.
export function utter(text) {
  speechSynthesis.cancel();
  if (text) speechSynthesis.speak(utterance(text));
}

function utterance(text) {
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language === 'ja' ? 'ja-JP' : 'en-GB';
  return words;
}

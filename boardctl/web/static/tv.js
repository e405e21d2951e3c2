// The view for a television or a stream (`?view=tv`): board, score and public cards in large type. It takes no part
// in the game, whatever seat this browser has.

import { el, put } from './dom.js';
import { cardName, cardText, isTv, say, suitSign } from './words.js';

const CARD = /^[A2-9TJQK][SHDC]$/;

const face = (card) => el(
  'span',
  { class: `face ${'HD'.includes(card[1]) ? 'red' : 'black'}`, role: 'img', 'aria-label': cardName(card) },
  el('span', { class: 'rank' }, cardText(card[0])),
  el('span', { class: 'pip' }, suitSign(card[1])),
);

// The cards of the current count, otherwise those of the newest line.
export function seen({ laid, moves }) {
  if (laid.length > 0) return laid;
  const words = moves.at(-1)?.line?.split(' ') ?? [];
  return words.filter((word) => CARD.test(word));
}

export class Tv {
  constructor(place) {
    this.place = place;
    if (isTv) document.body.dataset.view = 'tv';
    place.hidden = !isTv;
  }

  show(state) {
    if (!isTv) return;
    const cards = seen(state).filter((card) => card !== state.starter);
    put(
      this.place,
      state.starter && CARD.test(state.starter) ? el('p', { class: 'starter' }, el('span', { class: 'hint' }, say('starter')), face(state.starter)) : null,
      el('p', { class: 'seen' }, ...cards.map(face)),
      state.count === null ? null : el('p', { class: 'count' }, String(state.count)),
    );
  }
}

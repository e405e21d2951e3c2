// Hands and cribs counted by a player elsewhere: each is shown with its count until a tap.

import { button, el } from './dom.js';
import { combinations } from './picker.js';
import { cardChip, say } from './words.js';

const COUNTS = ['show', 'crib'];

export class Counted {
  #seen = new Set(); // counts that need no more attention
  #first = true;

  // Called with each new state. Counts from before this page was opened are not shown, except at its end.
  follow({ session, moves, over }) {
    if (this.#first && moves.length > 0) {
      const last = moves.findLastIndex(({ counted }) => !counted);
      for (const move of over ? moves : moves.slice(0, last + 1)) this.#seen.add(name(session, move));
    }
    this.#first = false;
  }

  // The counts still to be shown, of the seats played elsewhere, in the order of counting.
  left({ session, moves, cut, dealer }, away) {
    const first = { cut: true, place: moves[0]?.place, verb: 'cut', seat: dealer, points: 0 };
    const shown = cut && dealer && away.length > 0 && moves.length > 0 && !this.#seen.has(name(session, first)) ? [first] : [];
    return [...shown, ...moves.filter((move) => move.counted && COUNTS.includes(move.verb) && away.includes(move.seat) && !this.#seen.has(name(session, move)))];
  }

  // Marks the first of these counts as seen.
  seen(state, away) {
    const [move] = this.left(state, away);
    if (move) this.#seen.add(name(state.session, move));
  }
}

const name = (session, { place, verb, seat, points }) => [session, place, verb, seat, points].join();

// The cards that were cut for the first deal, one for each player.
export function drawCut({ state: { cut, seats, dealer, viewer }, act }) {
  const yours = viewer === dealer;
  return [
    el('h2', { tabindex: '-1' }, yours ? say('cut-yours') : say('cut-theirs', { name: seats[dealer - 1] })),
    el('div', { class: 'cut-cards' }, ...cut.cards.map(({ seat: of, card }) => el('p', { class: 'open-hand' },
      cardChip(card, of === dealer ? 'lit' : ''), el('b', {}, of === viewer ? say('you') : seats[of - 1])))),
    el('p', { class: 'hint' }, `${cut.rule}.`),
    el('div', { class: 'asks answers' }, button(say('go-on'), act, 'first', 'go-on')),
  ];
}

// One hand or crib with its count, like a player's own before it is pegged; `next` is the following one.
export function drawCounted({ move, next, state, act }) {
  const board = state.seats[move.seat - 1] === say('own-name');
  const whose = say(`${move.verb === 'crib' ? 'their-crib' : 'their-hand'}${board ? '-board' : ''}`, { name: state.seats[move.seat - 1] });
  const cards = move.counted.cards.map((card) => cardChip(card));
  const starter = state.starter && !move.counted.cards.includes(state.starter)
    ? [el('span', { class: 'plus' }, '+'), cardChip(state.starter, 'lit')] : [];
  return [
    el('h2', { tabindex: '-1' }, whose),
    el('p', { class: 'open-hand' }, ...cards, ...starter, el('b', { class: 'total' }, String(move.points))),
    move.awards.length > 0 ? combinations(move.awards, move.counted.spoken) : el('p', { class: 'hint' }, say('nothing-counts')),
    el('div', { class: 'asks answers' }, button(say(next?.verb === 'crib' ? 'see-the-crib' : 'go-on'), act, 'first', 'go-on')),
  ];
}

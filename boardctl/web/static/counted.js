// Counted hands and cribs: those of a player elsewhere, and the own ones that one tap has counted. They are shown with
// their counts until a tap.

import { button, el } from './dom.js';
import { combinations } from './picker.js';
import { cardChip, say } from './words.js';

const COUNTS = ['show', 'crib'];

export class Counted {
  #seen = new Set(); // counts that need no more attention
  #own = new Set(); // the own counts that are shown: `show 1`
  #first = true;

  // Called with each new state. Counts from before this page was opened are not shown, except at its end.
  follow({ session, moves, over }) {
    if (this.#first && moves.length > 0) {
      const last = moves.findLastIndex(({ counted }) => !counted);
      for (const move of over ? moves : moves.slice(0, last + 1)) this.#seen.add(name(session, move));
    }
    this.#first = false;
  }

  // The own hand or crib is going to be counted by a tap, without a dialog that shows it first. Counts that were taken
  // back since are shown again.
  open(state, { code, seat }) {
    this.#own.add(`${code} ${seat}`);
    const kept = new Set([cutOf(state), ...state.moves].map((move) => name(state.session, move)));
    this.#seen = new Set([...this.#seen].filter((one) => kept.has(one)));
  }

  // The counts still to be shown, in the order of counting: of the seats played elsewhere, and own ones. The cut comes
  // first.
  left(state, away) {
    const { session, moves, cut, dealer } = state;
    const first = cutOf(state);
    if (cut && dealer && away.length > 0 && moves.length > 0 && !this.#seen.has(name(session, first))) return [first];
    const shown = ({ verb, seat }) => away.includes(seat) || this.#own.has(`${verb} ${seat}`);
    return moves.filter((move) => move.counted && COUNTS.includes(move.verb) && shown(move) && !this.#seen.has(name(session, move)));
  }

  // Marks these counts as seen.
  seen(state, away) {
    for (const move of this.left(state, away)) this.#seen.add(name(state.session, move));
    this.#own.clear();
  }
}

const cutOf = ({ cut, dealer }) => ({ cut: true, place: cut?.cards.map(({ card }) => card).join(), verb: 'cut', seat: dealer, points: 0 });
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

// The hands and cribs with their counts, in the order of counting. One alone has a line for each combination; several
// have their counts in words. `next` is the question that the button answers, with its text and the hand that it
// counts; null if another tap follows. `act` is the button's action.
export function drawCounted({ moves, next, state, act }) {
  const several = moves.length > 1 || next?.hand;
  const blocks = moves.map((move, n) => {
    const head = el(n === 0 ? 'h2' : 'h3', n === 0 ? { tabindex: '-1' } : {}, whose(move, state));
    const hand = openHand(move.counted.cards, state.starter, el('b', { class: 'total' }, String(move.points)));
    const words = el('p', { class: 'hint' }, move.awards.length > 0 ? move.why : say('nothing-counts'));
    const count = move.awards.length > 0 && !several ? combinations(move.awards, move.counted.spoken) : words;
    return el('section', { class: 'counted-hand', 'data-count': `${move.verb}${move.seat}` }, head, hand, count);
  });
  if (next?.hand) blocks.push(el('section', { class: 'counted-hand' }, el('h3', {}, whose(next.asked, state)), openHand(next.hand, state.starter)));
  return [
    el('div', { class: `counted-hands ${several ? 'several' : ''}` }, ...blocks),
    el('div', { class: 'asks answers' }, button(next?.text ?? say('go-on'), act, 'first', 'go-on')),
  ];
}

// The cards of a hand and the starter.
export function openHand(cards, starter, total = null) {
  const turned = starter && !cards.includes(starter) ? [el('span', { class: 'plus' }, '+'), cardChip(starter, 'lit')] : [];
  return el('p', { class: 'open-hand' }, ...cards.map((card) => cardChip(card)), ...turned, total);
}

function whose({ verb, code, seat }, { seats, viewer }) {
  const kind = [verb, code].includes('crib') ? 'crib' : 'hand';
  if (seat === viewer) return say(`your-${kind}`);
  const board = seats[seat - 1] === say('own-name');
  return say(`their-${kind}${board ? '-board' : ''}`, { name: seats[seat - 1] });
}

// Hands: entered card by card and counted before they are pegged, combination by combination. The starter is the
// fifth slot. The same dialog corrects a move, with the entered cards in its slots.

import { preview, withdraw } from './ask.js';
import { Camera } from './camera.js';
import { PACK, RANKS, byRank, line, suitSwitch, suited, target } from './cards.js';
import { Counting } from './counting.js';
import { Dialog } from './dialog.js';
import { button, el, fades } from './dom.js';
import { cardChip, cardName, say } from './words.js';

const MOST_CLAIMED = 29; // no hand is worth more
const TYPED = { 1: 'T', 0: 'T' };

export class Picker {
  #dialog = new Dialog('picker');
  #asked = null;
  #amend = null; // the move being corrected
  #extra = null;
  #slots = []; // cards by place; one that was put back leaves its gap (null) for the next
  #byRank = false;
  #turn = 0; // number of preview requests; only the latest answer is shown
  #camera = null; // a number for each question
  #shown = ''; // the line that the board shows as a preview
  #peg = null;
  #counted = ''; // the line that was counted last, or is being counted
  #counts = false; // whether that count has not arrived yet
  #entered = false; // Enter was pressed meanwhile
  #held = []; // the cards of a hand that only needs to be counted
  // the reason why it was not pegged: an unknown suit that matters, which only the board may know before the hand is laid open
  #refused = null;
  #counting = null; // a hand that its player counts first
  #saying = null; // a line is being sent; its button stays, and so does the focus

  // `learns` is whether the player of an ask counts a hand first, `real` whether there are real cards, `claims`
  // whether the player of an ask states a hand's count before the board does.
  constructor(play, learns, real, claims) {
    this.claims = claims;
    this.play = play;
    this.learns = learns;
    this.real = real;
    this.#dialog.closed = () => this.#disarm();
    this.#dialog.node.addEventListener('keydown', (event) => this.#typed(event));
  }

  get #cards() {
    return this.#slots.filter((card) => card !== null);
  }

  set #cards(cards) {
    this.#slots = [...cards];
  }

  #put(card) {
    const gap = this.#slots.indexOf(null);
    this.#slots[gap < 0 ? this.#slots.length : gap] = card;
  }

  #putBack(place) {
    this.#slots[place] = null;
    while (this.#slots.at(-1) === null) this.#slots.pop();
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  said(answer) {
    return this.#dialog.said(answer);
  }

  // Opens for an ask; `amend` is the move being corrected, `extra` is shown below. `known` are the cards of a hand
  // that the table knows, shown before it is pegged; `refused` is the reason why it was not pegged without an answer
  // about its suits.
  show(asked, { cards = [], amend = null, extra = null, known = [], refused = null } = {}) {
    this.#asked = asked;
    this.#refused = refused;
    this.#amend = amend;
    this.#extra = extra;
    this.#cards = cards;
    this.#held = known;
    this.#counting = null;
    this.#saying = null;
    this.#counted = '';
    this.#camera = this.#photographs();
    this.#byRank =
      Boolean(asked.ranks) && cards.every((card) => card.length === 1) &&
      (cards.length > 0 || byRank());
    this.#draw();
  }

  // Handles a change of the table; returns whether the picker's question still applies.
  follow(state) {
    if (!this.open) return true;
    if (this.#amend) {
      const stands = this.#amend.follow(state);
      if (stands) this.#update();
      else this.close();
      return stands;
    }
    const { code, head, kind } = this.#asked;
    const again = state.asks.find((asked) => asked.kind === kind && asked.code === code && asked.head === head);
    if (!again) {
      this.close();
      return false;
    }
    this.#asked = again;
    this.#update();
    return true;
  }

  #draw() {
    const { ranks, text, kind } = this.#asked;
    const entry = kind === 'confirm' ? [] : [this.#camera.node, this.#byRank ? this.#ranks() : this.#pack(), ranks ? this.#switch() : null];
    this.#dialog.fill(
      kind === 'confirm' ? this.#asked.button : text,
      el('div', { class: 'slots' }),
      el('div', { class: 'count', role: 'status' }),
      ...entry,
      this.#extra,
    );
    this.#update();
  }

  // Cards that are elsewhere, such as the starter next to the hand.
  #elsewhere() {
    const { cards } = this.#asked;
    return cards && !this.#amend ? PACK.filter((card) => !cards.includes(card)) : [];
  }

  // A camera that fills the slots with sure cards and asks about the others.
  #photographs() {
    return new Camera({
      real: this.real(),
      asks: () => {
        const { head, most } = this.#asked;
        return { most, elsewhere: this.#elsewhere(), stands: () => this.open && this.#asked?.head === head };
      },
      sees: (cards) => {
        this.#byRank = false;
        this.#cards = cards;
        this.#draw();
      },
      yes: (card) => { if (!this.#cards.includes(card) || this.#twice(card)) this.#tap(card); },
    });
  }

  #switch() {
    return suitSwitch(this.#byRank, (ranks) => {
      this.#byRank = ranks;
      this.#camera.clear();
      this.#cards = ranks ? this.#cards.map((card) => card[0]) : [];
      this.#draw();
    });
  }

  #ranks() {
    const ranks = [...RANKS].filter((rank) => this.#left(rank) > 0);
    return el('div', { class: 'pack ranks', 'data-begin': '' },
      ...ranks.map((rank) => target(rank, (card) => this.#tap(card))));
  }

  // The number of cards of a rank that can still be entered.
  #left(rank) {
    const { cards } = this.#asked;
    return cards && !this.#amend ? cards.filter((card) => card[0] === rank).length : 4;
  }

  #pack() {
    const offered = this.#asked.cards ?? PACK;
    const all = [...offered, ...this.#cards.filter((card) => card[1])];
    return el('div', { class: 'pack', 'data-begin': '' }, ...suited(all, (card) => this.#tap(card)));
  }

  // A single card is replaced by another; of a whole hand one card must be put back first.
  #tap(card) {
    const at = this.#slots.lastIndexOf(card);
    const most = this.#asked.most;
    if (most === 1 && at < 0) this.#cards = [];
    const full = this.#cards.length >= most;
    if (at >= 0 && (full || !(this.#byRank || this.#twice(card)))) {
      this.#putBack(at);
    } else if (full) {
      this.#dialog.warn(say('hand-full', { count: most }));
      return;
    } else if (!this.#byRank || this.#cards.filter((c) => c === card).length < this.#left(card)) {
      this.#put(card);
    }
    this.#update();
  }

  // With several packs, a card may be entered again.
  #twice(card) {
    const copies = (this.#asked.cards ?? []).filter((other) => other.slice(0, 2) === card).length;
    return this.#cards.filter((other) => other === card).length < copies;
  }

  // Typing a rank is like tapping it; Enter pegs, Backspace removes the last one.
  #typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input')) return;
    const key = TYPED[event.key] ?? event.key.normalize('NFKC').toUpperCase();
    const inDialog = (name) =>
      this.#dialog.node.querySelector(`.target[data-card="${CSS.escape(name)}"]`);
    if (event.key === 'Backspace' && this.#cards.length > 0) {
      this.#putBack(this.#slots.length - 1);
      this.#update();
    } else if (event.key === 'Enter' && (this.#peg || this.#counts) && !event.target.closest('.act, .chips')) {
      if (this.#peg && !this.#peg.disabled) this.#peg.click();
      else this.#entered = this.#counts;
    } else if (key.length === 1 && RANKS.includes(key) && this.#byRank && inDialog(key)) {
      if (this.#cards.length < this.#asked.most || !this.#cards.includes(key)) this.#tap(key);
    } else if (key.length === 1 && RANKS.includes(key) && !this.#byRank) {
      this.#dialog.node.querySelector(`.target[data-card^="${key}"]`)?.focus();
      return;
    } else {
      return;
    }
    event.preventDefault();
  }

  #update() {
    const { least, most, beside } = this.#asked;
    const node = this.#dialog.node;
    this.#dialog.warn('');
    const empty = () => el('span', { class: 'slot empty', 'aria-hidden': 'true' });
    const slots = this.#slots.map((card, place) => {
      if (card === null) return empty();
      const chip = button('', () => {
        this.#putBack(place);
        this.#update();
        node.querySelector('.target')?.focus();
      }, 'slot');
      chip.append(cardChip(card));
      chip.setAttribute('aria-label', say('put-back', { card: cardName(card) }));
      return chip;
    });
    const left = Array.from({ length: Math.max(0, Math.min(most, 12) - slots.length) }, empty);
    const starter = beside
      ? el('span', { class: 'slot starter', title: say('starter') },
          cardChip(beside, 'lit'), el('span', { class: 'unseen' }, say('starter')))
      : null;
    node.querySelector('.slots').replaceChildren(...slots, ...left, ...(starter ? [starter] : []));
    for (const made of node.querySelectorAll('.target')) {
      const times = this.#cards.filter((card) => card === made.dataset.card).length;
      made.classList.toggle('chosen', times > 0);
      made.setAttribute('aria-pressed', String(times > 0));
      made.dataset.times = times > 1 ? `×${times}` : '';
    }
    const missing = least - this.#cards.length;
    this.#camera.follow(this.#cards, missing <= 0);
    if (missing > 0) {
      this.#turn += 1;
      this.#peg = null;
      this.#counted = '';
      this.#counts = this.#entered = false;
      const wanted = this.#cards.length === 0 && most > least ? say('cards-from-to', { least, most }) : say('cards-missing', { count: missing });
      node.querySelector('.count').replaceChildren(el('p', { class: 'need' }, wanted));
      this.#disarm();
    } else {
      if (this.#counted !== this.#line()) {
        if (this.#peg) this.#peg.disabled = true; // its message is about the previous cards
        this.#entered = false;
      }
      this.#counted = this.#line();
      this.#count();
    }
  }

  #line() {
    const entered = line(this.#asked, ...this.#cards);
    return this.#amend ? this.#amend.line(entered) : entered;
  }

  // Shows the points: the minimum first, and next to it the points that suits may add.
  async #count() {
    const turn = ++this.#turn;
    this.#counts = true;
    const learns = !this.#amend && this.learns(this.#asked) && [...this.#held, ...this.#cards].length > 2;
    const claims = this.#claims();
    const answer = this.#refused ? { refused: this.#refused } : await preview(this.#line(), learns || claims);
    if (turn !== this.#turn || !this.open) return;
    const entered = this.#entered;
    this.#counts = this.#entered = false;
    const refused = answer.refused ?? answer.error;
    if (refused?.choices?.length > 0) {
      if (this.#asked.kind === 'confirm') {
        this.#known(refused.cards.filter((card) => card !== this.#asked.beside)); // that has a separate place
        this.#dialog.node.querySelector('h2').textContent = say('suits-matter');
      }
      this.#choose(refused.choices, refused.choices[0]);
      if (this.#asked.kind === 'confirm') this.#peg?.focus();
    } else if (refused && claims && this.#asked.kind === 'confirm') {
      this.#claim(this.#line()); // this phone does not know the cards
    } else if (refused) {
      this.#refuse(refused.message, answer.error ? () => this.#count() : null);
    } else {
      if (this.#asked.kind === 'confirm') this.#known(this.#held);
      if (learns) {
        this.#learn(answer);
        return;
      }
      this.#ready(answer);
      if (entered) this.#peg?.click();
      if (this.#asked.kind === 'confirm') this.#peg?.focus();
    }
  }

  // Whether the player states the count first.
  #claims() {
    return !this.#amend && this.claims(this.#asked);
  }

  // The number is entered before anybody sees the count, because others may take missed points.
  #claim(entered, chips = null) {
    this.#peg = null;
    const numbers = Array.from({ length: MOST_CLAIMED + 1 }, (_, n) => button(String(n), () => this.#say(`${entered} = ${n}`), '', `claim${n}`));
    this.#place(el('p', { class: 'hint' }, say('claim-how-many')), chips, el('div', { class: 'numbers claim' }, ...numbers));
  }

  // The player counts first; then the board shows the missed points, and its own count.
  #learn(answer) {
    if (this.#counting?.line === answer.line) {
      if (this.#peg) this.#peg.disabled = false;
      return;
    }
    const cards = [...(this.#asked.kind === 'confirm' ? this.#held : this.#cards), this.#asked.beside].filter(Boolean);
    this.#counting = new Counting(cards, answer, (said, ...parts) => {
      const told = { ...answer, line: `${answer.line} = ${said}` };
      if (this.#claims()) this.#say(told.line);
      else this.#ready(told, el('div', { class: 'counted' }, ...parts.filter(Boolean)));
    });
    this.#place(this.#counting.node);
  }

  // The cards that the table already knows, before the starter.
  #known(cards) {
    const slots = this.#dialog.node.querySelector('.slots');
    for (const old of slots.querySelectorAll('.held')) old.remove();
    slots.prepend(
      ...cards.map((card) => el('span', { class: 'slot held' }, cardChip(card))));
  }

  #choose(choices, chosen) {
    const [plain, ...more] = choices;
    const chips = more.map((choice) => {
      const extra = choice.points - plain.points;
      const chip = button(
        this.#claims() ? choice.text : `+${extra} ${choice.text}`,
        () => this.#choose(choices, choice === chosen ? plain : choice),
        'chip-button',
      );
      chip.setAttribute('aria-pressed', String(choice === chosen));
      return chip;
    });
    this.#ready(chosen, el('div', { class: 'asks chips', role: 'group', 'aria-label': say('suits-matter') }, ...chips));
  }

  #ready(answer, chips = null) {
    if (this.#claims()) {
      this.#claim(answer.line, chips);
      return;
    }
    this.#shown = this.#amend ? '' : answer.line;
    const earns = answer.awards.length > 0 || this.#asked.beside;
    const text = this.#amend ? say('change') : earns ? say('peg-points', { points: answer.points }) : say('say-it');
    this.#peg = button(text, () => this.#say(answer.line), 'first', 'peg');
    const list = combinations(answer.awards, answer.spoken);
    list.tabIndex = 0; // it may scroll, so the keyboard must reach it
    list.ariaLabel = say('peg-reasons');
    fades(list);
    this.#place(
      answer.awards.length > 0 ? list : earns ? el('p', { class: 'hint' }, say('nothing-counts')) : null,
      chips,
      el('div', { class: 'asks' }, this.#peg,
        this.#amend && earns ? el('span', { class: 'hint' }, say('peg-points', { points: answer.points })) : null),
    );
  }

  #place(...inside) {
    const place = this.#dialog.node.querySelector('.count');
    const active = document.activeElement;
    const name = active instanceof HTMLElement && place.contains(active) ? active.dataset.focus : '';
    place.replaceChildren(...inside.filter(Boolean));
    if (name) (place.querySelector(`[data-focus="${CSS.escape(name)}"]`) ?? this.#peg)?.focus();
  }

  async #say(entered) {
    if (this.#saying) return;
    const saying = this.play(entered);
    this.#saying = saying;
    const refused = await this.said(saying);
    if (this.#saying === saying) this.#saying = null;
    if (refused) this.#refuse(refused.message, refused.code === 'no-answer' ? () => this.#say(entered) : null);
  }

  // In place of the button, with its focus, so nothing scrolls. `again` repeats a request that had no answer.
  #refuse(message, again = null) {
    this.#peg = null;
    const said = el('p', { class: 'refused', role: 'alert', tabindex: '-1' }, message);
    const had = document.activeElement?.closest('.count');
    this.#place(said, again && el('div', { class: 'asks' }, button(say('try-again'), again, 'first', 'peg')));
    if (had) said.focus({ preventScroll: true });
  }

  // The board no longer shows the preview.
  #disarm() {
    if (this.#shown) withdraw(this.#shown);
    this.#shown = '';
  }
}

// One row per combination, with its cards lit and the running count in the traditional words.
export function combinations(awards, spoken = []) {
  return el(
    'ol',
    { class: 'combinations' },
    ...awards.map((award, n) =>
      el(
        'li',
        {},
        el('span', { class: 'cards' }, ...award.cards.map((card) => cardChip(card, 'lit'))),
        el('span', { class: 'reason' }, spoken[n] ?? award.text),
        el('span', { class: 'points' }, String(award.points)),
      ),
    ),
  );
}

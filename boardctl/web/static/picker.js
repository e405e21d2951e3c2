// Answers that need more than one tap: cards, by rank or by suit too, and numbers. What they would
// earn is counted before they are pegged, combination by combination.

import { preview } from './ask.js';
import { el, put } from './dom.js';
import { button, line } from './due.js';
import { cardChip, cardName, cardText, say, suitSign } from './words.js';

const RANKS = 'A23456789TJQK';
const SUITS = 'SHDC';

export class Picker {
  #dialog = el('dialog', { class: 'picker' });
  #asked = null;
  #cards = [];
  #byRank = false;
  #turn = 0; // previews asked for; only the latest answer is shown

  constructor(play) {
    this.play = play;
    document.body.append(this.#dialog);
  }

  get open() {
    return this.#dialog.open;
  }

  close() {
    this.#dialog.close();
  }

  show(asked) {
    this.#asked = asked;
    this.#cards = [];
    this.#byRank = asked.ranks;
    if (asked.kind === 'number') this.#drawNumbers();
    else this.#drawCards();
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #frame(...inside) {
    const title = el('h2', { id: 'picker-title' }, this.#asked.text);
    this.#dialog.setAttribute('aria-labelledby', 'picker-title');
    const close = button('×', () => this.close(), 'close');
    close.setAttribute('aria-label', say('close'));
    put(this.#dialog, el('header', {}, title, close), ...inside);
  }

  // Numbers

  #drawNumbers() {
    const { least, most, scale, barred = [] } = this.#asked;
    const count = Math.floor((most - least) / scale) + 1;
    if (count > 40) {
      this.#drawField();
      return;
    }
    const numbers = Array.from({ length: count }, (_, n) => least + n * scale);
    this.#frame(
      el(
        'div',
        { class: 'numbers' },
        ...numbers
          .filter((n) => !barred.includes(n))
          .map((n) => button(String(n), () => this.#say(line(this.#asked, String(n))))),
      ),
    );
  }

  #drawField() {
    const { least, most, scale } = this.#asked;
    const field = el('input', {
      type: 'number', inputmode: 'numeric', min: least, max: most, step: scale, required: '',
      'aria-label': this.#asked.text,
    });
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act first' }, say('peg-it')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#say(line(this.#asked, String(Number(field.value))));
    });
    this.#frame(form);
    field.focus();
  }

  // Cards

  #drawCards() {
    const { ranks } = this.#asked;
    this.#frame(
      el('div', { class: 'slots' }),
      el('p', { class: 'need' }),
      el('div', { class: 'count', role: 'status' }),
      ranks ? this.#switch() : null,
      this.#byRank ? this.#ranks() : this.#pack(),
    );
    this.#update();
  }

  #switch() {
    const kinds = [[true, 'by-rank'], [false, 'by-card']];
    return el(
      'div',
      { class: 'switch', role: 'group' },
      ...kinds.map(([byRank, code]) => {
        const made = button(say(code), () => {
          this.#byRank = byRank;
          this.#cards = [];
          this.#drawCards();
          this.#dialog.querySelector('.switch [aria-pressed="true"]').focus();
        });
        made.setAttribute('aria-pressed', String(this.#byRank === byRank));
        return made;
      }),
    );
  }

  #ranks() {
    const ranks = [...RANKS].filter((rank) => this.#left(rank) > 0);
    return el('div', { class: 'pack ranks' }, ...ranks.map((rank) => this.#target(rank)));
  }

  // How many cards of a rank could be told.
  #left(rank) {
    const { cards } = this.#asked;
    return cards ? cards.filter((card) => card[0] === rank).length : 4;
  }

  #pack() {
    const offered = this.#asked.cards ?? [...SUITS].flatMap((s) => [...RANKS].map((r) => r + s));
    const suits = [...SUITS].map((suit) => offered.filter((card) => card[1] === suit));
    const unsuited = offered.filter((card) => !card[1]);
    return el(
      'div',
      { class: 'pack' },
      ...[...suits, unsuited]
        .filter((cards) => cards.length > 0)
        .map((cards) => el('div', { class: 'suit' }, ...cards.map((card) => this.#target(card)))),
    );
  }

  #target(card) {
    const red = 'HD'.includes(card[1] ?? ' ');
    const made = el(
      'button',
      {
        type: 'button', class: `target ${red ? 'red' : 'black'}`, 'data-card': card,
        'aria-label': cardName(card), 'aria-pressed': 'false',
      },
      el('span', { class: 'rank' }, cardText(card[0])),
      card[1] ? el('span', { class: 'pip' }, suitSign(card[1])) : null,
    );
    made.addEventListener('click', () => this.#tap(card));
    return made;
  }

  #tap(card) {
    const at = this.#cards.lastIndexOf(card);
    if (this.#byRank) {
      const same = this.#cards.filter((c) => c === card).length;
      if (same < this.#left(card) && this.#cards.length < this.#asked.most) this.#cards.push(card);
    } else if (at >= 0) {
      this.#cards.splice(at, 1);
    } else if (this.#cards.length < this.#asked.most) {
      this.#cards.push(card);
    }
    this.#update();
  }

  #update() {
    const { least, most } = this.#asked;
    const slots = this.#cards.map((card, place) => {
      const chip = button('', () => {
        this.#cards.splice(place, 1);
        this.#update();
      }, 'slot');
      chip.append(cardChip(card));
      chip.setAttribute('aria-label', say('put-back', { card: cardName(card) }));
      return chip;
    });
    const empty = Array.from({ length: Math.max(0, Math.min(most, 6) - slots.length) }, () =>
      el('span', { class: 'slot empty', 'aria-hidden': 'true' }),
    );
    this.#dialog.querySelector('.slots').replaceChildren(...slots, ...empty);
    for (const target of this.#dialog.querySelectorAll('.target')) {
      const times = this.#cards.filter((card) => card === target.dataset.card).length;
      target.setAttribute('aria-pressed', String(times > 0));
      target.dataset.times = times > 1 ? `×${times}` : '';
    }
    const missing = least - this.#cards.length;
    this.#dialog.querySelector('.need').textContent = missing > 0 ? say('cards-missing', { count: missing }) : '';
    if (missing > 0) {
      this.#turn += 1;
      this.#dialog.querySelector('.count').replaceChildren();
    } else {
      this.#count(line(this.#asked, ...this.#cards));
    }
  }

  // What it would earn

  async #count(said) {
    const turn = ++this.#turn;
    const answer = await preview(said);
    if (turn !== this.#turn) return;
    const place = this.#dialog.querySelector('.count');
    const refused = answer.refused ?? answer.error;
    if (refused?.choices) {
      place.replaceChildren(
        el('p', {}, refused.message),
        ...refused.choices.map((choice) => button(choice.text, () => this.#count(choice.line))),
      );
    } else if (refused) {
      place.replaceChildren(el('p', { class: 'refused' }, refused.message));
    } else {
      const earns = answer.awards.length > 0 || this.#asked.counts;
      const text = earns ? say('peg-points', { points: answer.points }) : say('say-it');
      place.replaceChildren(
        combinations(answer.awards, answer.spoken),
        button(text, () => this.#say(answer.line), 'first'),
      );
    }
    place.scrollIntoView({ block: 'nearest' });
  }

  #say(said) {
    this.close();
    this.play(said);
  }
}

// One row a combination, its cards lit, with the running count in the traditional words.
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

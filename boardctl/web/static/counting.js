// A hand that its player counts first: the player taps cards that count together, or enters the total. Then the page
// shows what was found and missed. The player loses no points by it.

import { target } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, say } from './words.js';

const ROYAL = 3; // of several equal cards, a pair is only a part

export class Counting {
  node = el('div', { class: 'counting' });
  #cards;
  #answer;
  #done;
  #found = []; // the numbers of the awards that the player found
  #chosen = new Set();
  #said = null; // the last answer of the board

  // `answer` is the board's own count of these cards; `done` is called with the entered number and the content to
  // show afterwards.
  constructor(cards, answer, done) {
    this.#cards = cards;
    this.#answer = answer;
    this.#done = done;
    this.line = answer.line;
    this.#draw();
  }

  get #total() {
    return this.#found.reduce((sum, n) => sum + this.#answer.awards[n].points, 0);
  }

  #draw() {
    const cards = this.#cards.map((card) => {
      const made = target(card, () => {
        if (!this.#chosen.delete(card)) this.#chosen.add(card);
        this.#draw();
      });
      made.setAttribute('aria-pressed', String(this.#chosen.has(card)));
      made.classList.toggle('chosen', this.#chosen.has(card));
      return made;
    });
    const these = button(say('count-these'), () => this.#try(), '', 'count-these');
    these.disabled = this.#chosen.size === 0;
    const field = el('input', { type: 'number', inputmode: 'numeric', min: 0, max: 29, 'aria-label': say('count-total'), 'data-focus': 'count-total' });
    const form = el('form', { class: 'field' }, field, el('button', { class: 'act small', 'data-focus': 'count-say' }, say('count-say')));
    form.noValidate = true;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (field.value !== '') this.#finish(Math.trunc(Number(field.value)));
    });
    put(this.node,
      el('p', { class: 'hint' }, say('count-first')),
      el('div', { class: 'row hand-row', role: 'group', 'aria-label': say('count-first') }, ...cards),
      this.#said ? el('p', { class: 'nudge', role: 'status' }, this.#said) : null,
      rows(this.#found.map((n) => this.#answer.awards[n])),
      el('div', { class: 'asks' }, these,
        button(say('count-all', { points: this.#total }), () => this.#finish(null), 'first', 'count-all')),
      el('details', {}, el('summary', {}, say('count-total')), form));
  }

  #try() {
    const { awards } = this.#answer;
    const same = (award) => award.cards.length === this.#chosen.size && award.cards.every((card) => this.#chosen.has(card));
    const part = (award) => [...this.#chosen].every((card) => award.cards.includes(card)) &&
      (award.reason === 'run' || award.cards.length >= ROYAL && award.reason.startsWith('pair') || award.reason.startsWith('double'));
    const hits = awards.map((award, n) => (same(award) ? n : -1)).filter((n) => n >= 0);
    const fresh = hits.filter((n) => !this.#found.includes(n));
    if (fresh.length > 0) {
      this.#found.push(...fresh);
      this.#said = say('count-right', { reasons: fresh.map((n) => awards[n].text).join(', '), points: this.#total });
    } else if (hits.length > 0) {
      this.#said = say('count-again');
    } else {
      this.#said = say(this.#chosen.size > 1 && awards.some(part) ? 'count-part' : 'count-wrong');
    }
    this.#chosen.clear();
    this.#draw();
  }

  // Shows the found and missed combinations; `said` is the entered total, null for tapped cards.
  #finish(said) {
    const { awards, points } = this.#answer;
    const right = said === null ? this.#found.length === awards.length : said === points;
    const missed = said === null ? awards.filter((_, n) => !this.#found.includes(n)) : right ? [] : awards;
    const claimed = said === null ? this.#total : said;
    this.#done(claimed,
      el('p', { class: 'nudge', role: 'status' }, say(right ? 'count-well' : 'count-is', { said: claimed, points })),
      missed.length > 0 && said === null ? el('p', { class: 'hint' }, say('count-missed')) : null,
      rows(missed));
  }
}

const rows = (awards) => awards.length === 0 ? null : el('ol', { class: 'combinations' },
  ...awards.map((award) => el('li', {},
    el('span', { class: 'cards' }, ...award.cards.map((card) => cardChip(card, 'lit'))),
    el('span', { class: 'reason' }, award.text),
    el('span', { class: 'points' }, String(award.points)))));

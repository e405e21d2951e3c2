// The rules of a new game: one line, and behind it every option that matters.

import { button, el, put } from './dom.js';
import { say } from './words.js';

// Rules that differ from the defaults, in one line.
export const rulesText = (rules) =>
  rules.map(({ text, told }) => say('rule', { rule: text, value: told })).join(' · ');

export class Rules {
  /** @type {any[]} */
  #options = [];
  #chosen = {};
  #seats = 2;
  #line = el('summary', { 'data-focus': 'rules' });
  #list = el('div', { class: 'options' });
  node = el('details', { class: 'rules' }, this.#line, this.#list);
  #name = el('input', { type: 'text', maxlength: 40, autocomplete: 'off', 'data-focus': 'rules-name' });

  // `save` gets the name under which these rules are to be kept.
  constructor(save) {
    this.save = save;
    this.#name.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault(); // it would start the game
      this.save(this.#name.value);
    });
  }

  // The options of another game: this table's values, or a preset's.
  begin(options, preset = {}) {
    this.#options = options;
    this.#chosen = { ...preset };
  }

  // The same options after a change by another phone; choices made here stay.
  renew(options) {
    this.#options = options;
    this.#draw();
  }

  // Drawn for this number of players.
  show(seats) {
    this.#seats = seats;
    this.#draw();
  }

  open(open = true) {
    /** @type {any} */ (this.node).open = open;
  }

  // The choices made here, without those that do not matter in this game. The board refuses an unknown name.
  get values() {
    const known = this.#options.map(({ name }) => name);
    const names = [
      ...this.#options.filter((option) => this.#matters(option) && option.name in this.#chosen).map(({ name }) => name),
      ...Object.keys(this.#chosen).filter((name) => !known.includes(name)),
    ];
    return Object.fromEntries(names.map((name) => [name, this.#chosen[name]]));
  }

  // The value of every option that matters, as a saved set of rules has them.
  get all() {
    return Object.fromEntries(this.#options.filter((option) => this.#matters(option)).map((option) => [option.name, String(this.#value(option))]));
  }

  // Like the board's `games.relevant`.
  #matters({ seats, only_if: needs }) {
    if (seats.length > 0 && !seats.includes(this.#seats)) return false;
    if (!needs) return true;
    const other = this.#options.find(({ name }) => name === needs[0]);
    return Boolean(other) && this.#matters(other) && this.#value(other) === needs[1];
  }

  #value({ name, now }) {
    return this.#chosen[name] ?? now;
  }

  #draw() {
    const shown = this.#options.filter((option) => this.#matters(option));
    this.node.hidden = shown.length === 0;
    this.#sum();
    for (const name of ['aria-label', 'placeholder']) this.#name.setAttribute(name, say('rules-name'));
    put(
      this.#list,
      ...shown.map((option) => this.#field(option)),
      button(say('rules-back'), () => {
        for (const { name, usual } of this.#options) this.#chosen[name] = usual;
        this.#draw();
      }, '', 'rules-back'),
      el('div', { class: 'save-rules' }, this.#name, button(say('rules-save'), () => this.save(this.#name.value), '', 'rules-save')),
    );
  }

  // The one line.
  #sum() {
    const differ = this.#options
      .filter((option) => this.#matters(option) && this.#value(option) !== option.usual)
      .map((option) => ({ text: option.text, told: worded(option, this.#value(option)) }));
    this.#line.textContent = differ.length > 0 ? say('rules-differ', { rules: rulesText(differ) }) : say('rules-usual');
  }

  #field(option) {
    const { name, text, values, numbers } = option;
    const value = this.#value(option);
    const shared = { 'data-option': name, 'data-focus': `option-${name}` };
    const hint = numbers ? range(option) : value === option.usual || option.customs ? '' : say('usual', { value: worded(option, option.usual) });
    const label = el('span', {}, text, ' ', el('small', {}, hint));
    /** @type {any} */
    let field;
    if (numbers) {
      const [min, max, step] = numbers;
      field = el('input', { ...shared, type: 'number', inputmode: 'numeric', min, max, step, value });
      field.addEventListener('input', () => {
        this.#chosen[name] = field.value;
        this.#sum();
      });
    } else if (isSwitch(option)) {
      field = el('input', { ...shared, type: 'checkbox', role: 'switch' });
      field.checked = value === 'on';
      field.addEventListener('change', () => this.#choose(name, field.checked ? 'on' : 'off'));
    } else {
      field = el('select', shared, ...values.map((one) =>
        el('option', { value: one.value, selected: one.value === value ? '' : null },
          one.value === option.usual && !option.customs ? say('usual-value', { value: one.text }) : one.text)));
      field.addEventListener('change', () => this.#choose(name, field.value));
    }
    return el('label', { class: `option ${isSwitch(option) ? 'onoff' : ''}` }, label, field);
  }

  #choose(name, value) {
    this.#chosen[name] = value;
    this.#draw();
  }
}

const isSwitch = ({ values }) => values.length === 2 && values.every(({ value }) => value === 'on' || value === 'off');

const worded = ({ values }, value) => values.find((one) => one.value === value)?.text ?? value;

function range({ numbers: [least, most, step], usual }) {
  return say(step === 1 ? 'usual-number' : 'usual-steps', { least, most, step, value: usual });
}

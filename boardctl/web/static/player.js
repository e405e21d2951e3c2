// The board as a player: for whom it plays, how its cards are dealt, what it has just done.

import { get, playerPhoto, post } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, put } from './dom.js';
import { say, seat, sitAt } from './words.js';

const LEVELS = [1, 2, 3, 4, 5];

// Words that nobody chose.
const chance = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class PlayerPanel {
  #node = el('section', { id: 'player', class: 'panel player-room', hidden: '' });
  #dialog = new Dialog('player-sheet');
  #told = null; // the last state of the board's player
  #odds = null;
  #spoken = 0;
  #asked = 0;
  #level = 5;
  #seat = 2;
  #deals = true;

  // `above` is what it stands before; `seated` is called when this phone has got a seat, `changed`
  // when the board has taken or left one.
  constructor(above, { state, voice, seated, changed }) {
    this.now = state;
    this.changed = changed;
    this.voice = voice;
    this.seated = seated;
    above.before(this.#node);
  }

  // The seat whose moves it makes now, 0 for none: not in a deal that it only waits for.
  get playing() {
    const told = this.#told;
    return told && told.plays && !told.waits ? told.seat : 0;
  }

  // The table has changed, so the player may have changed too.
  async follow() {
    const asked = ++this.#asked;
    const [told, { odds }] = await Promise.all([get('player'), get('odds')]);
    if (asked !== this.#asked || told.error) return;
    const before = this.playing;
    this.#told = told;
    await this.#cutIfMine();
    if (this.playing !== before) this.changed();
    this.#odds = typeof odds === 'number' ? odds : null;
    this.#draw();
    const { said } = told;
    if (said && said.number > this.#spoken) {
      if (this.#spoken || said.number >= this.now().number) this.voice.speak(said.spoken);
      this.#spoken = said.number;
    }
  }

  #draw() {
    const state = this.now();
    const { seat: playing, waits, cannot } = this.#told;
    const apart = playing && (waits || cannot);
    this.#node.setAttribute('aria-label', say('player'));
    const told = [...(apart ? [el('p', { class: 'hint' }, apart)] : playing ? this.#playing(state, playing) : []), this.#chances(state)].filter(Boolean);
    this.#node.hidden = !state?.game || told.length === 0;
    put(this.#node, ...told);
  }

  #playing(state, playing) {
    const { said, level, sealed } = this.#told;
    const name = state.seats[playing - 1] ?? '';
    return [
      el('p', { class: 'hint' }, say('player-of', { name, level: say(`level-${level}`) })),
      said ? el('p', { class: 'said', role: 'status' }, [said.text, said.where].filter(Boolean).join(', ')) : null,
      sealed ? null : this.#photo(state, playing),
      sealed?.secret ? el('p', { class: 'hint secret' }, say('player-secret', { secret: sealed.secret })) : null,
    ];
  }

  // The player's six cards, read from a photo and not shown; only while they are asked for.
  #photo(state, playing) {
    if (!state.asks.some((asked) => asked.code === 'hand' && asked.seat === playing)) return null;
    const input = el('input', { type: 'file', accept: 'image/*', capture: 'environment', 'aria-label': say('player-photo') });
    const said = el('p', { class: 'hint', role: 'status' });
    input.addEventListener('change', async () => {
      said.textContent = say('photo-reading');
      const { refused, error } = await playerPhoto(input.files[0]);
      said.textContent = (refused ?? error)?.message ?? say('player-read');
      input.value = '';
    });
    return el('div', { class: 'photo' }, el('label', { class: 'act' }, say('player-photo'), input), said,
      el('p', { class: 'hint' }, say('player-how')));
  }

  #chances(state) {
    if (this.#odds === null || state.over || state.seats.length !== 2) return null;
    const share = Math.round(100 * this.#odds);
    const [one, two] = state.seats;
    const wins = [[one, share], [two, 100 - share]].map(([name, part]) => say('odds', { name, share: part }));
    return el('p', { class: 'hint odds' }, wins.join(' · '));
  }

  // Whether it plays, and for whom: asked from the table sheet.
  show() {
    if (!this.#told) return;
    const state = this.now();
    const { seat: playing, level, sealed, plays, deals, cannot } = this.#told;
    if (playing) {
      this.#dialog.fill(say('player'),
        el('p', {}, say('player-of', { name: state.seats[playing - 1], level: say(`level-${level}`) })),
        sealed ? el('p', { class: 'hint commitment' }, say('player-commitment', { commitment: sealed.commitment })) : null,
        button(say('player-stop'), () => this.#choose(0, false), 'first', 'stop'));
      return;
    }
    if (!plays) {
      this.#dialog.fill(say('player'), el('p', {}, cannot || say('who-plays')));
      return;
    }
    const seats = this.#pick('player-seat', state.seats.map((name, n) => [n + 1, name]), this.#seat, (n) => (this.#seat = n));
    const levels = this.#pick('player-level', LEVELS.map((n) => [n, say(`level-${n}`)]), this.#level, (n) => (this.#level = n));
    const dealer = deals
      ? this.#pick('deal', [[1, say('player-sealed')], [0, say('player-own')]], Number(this.#deals), (n) => (this.#deals = n === 1))
      : el('p', { class: 'hint' }, say('player-own-only'));
    this.#dialog.fill(say('player'), seats, levels, dealer,
      button(say('player-start'), () => this.#choose(this.#seat, deals && this.#deals), 'first', 'start'));
  }

  // A group of choices.
  #pick(name, choices, chosen, act) {
    const made = el('select', { 'data-focus': name },
      ...choices.map(([value, title]) => el('option', { value, selected: value === chosen ? '' : null }, title)));
    made.addEventListener('change', () => act(Number(made.value)));
    return el('label', { class: 'whole' }, el('span', {}, say(name)), made);
  }

  // The pack of a game that the board deals is cut by this phone, after the board has committed itself.
  async #cutIfMine() {
    const { seat: playing, sealed } = this.#told;
    if (!playing || !sealed || sealed.cut || seat() !== String(3 - playing)) return;
    const told = await post('player/cut', { cut: chance() });
    if (!told.refused && !told.error) this.#told = told;
  }

  async #choose(playing, deals) {
    const { refused, error } = await post('player', { seat: playing, level: this.#level, deals });
    if (refused || error) {
      this.#dialog.refuse((refused ?? error).message);
      return;
    }
    this.#dialog.close();
    // Its opponent views the table from the other seat, and so sees the hand that the board deals.
    const other = String(3 - playing);
    if (playing && this.now().seats.length === 2 && seat() !== other) {
      sitAt(other);
      this.seated();
    }
    this.follow();
  }
}

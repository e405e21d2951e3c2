// The board as a player: its seat, how its cards are dealt, its last move.

import { against, get, playerPhoto, post, turns } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, put } from './dom.js';
import { recall, remember } from './memory.js';
import { say, seat, sitAt } from './words.js';

const LEVELS = [-1, 0, 1, 2, 3, 4, 5];
const CUT = 'boardctl.cut'; // the words for the cut, if somebody has chosen them

// Random words.
const chance = () => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class PlayerPanel {
  #node = el('section', { id: 'player', class: 'panel player-room', hidden: '' });
  #dialog = new Dialog('player-sheet');
  #known = null; // the last state of the board's player
  #game = ''; // the game on the table when it was asked for
  #odds = null;
  #spoken = 0;
  #turn = turns();
  #level = 5;
  #seat = 2;
  #deals = true;

  // `beside` is the element after which it appears; `seated` is called when this phone has got a seat, `changed` when
  // the board has taken or left one, `said` when it has moved, `others` if other players are wanted.
  constructor(beside, { state, voice, seated, changed, said, others }) {
    this.others = others;
    this.said = said;
    this.now = state;
    this.changed = changed;
    this.voice = voice;
    this.seated = seated;
    beside.after(this.#node);
  }

  // The board's seat, 0 for none.
  get seat() {
    return this.#known?.seat ?? 0;
  }

  // The seat whose moves the board makes now, 0 for none, or if it starts only with the next deal.
  get playing() {
    const known = this.#known;
    return known?.plays && !known.waits ? known.seat : 0;
  }

  // The seat whose cards people enter for it, 0 for none: without them it cannot play in this deal.
  get dealtTo() {
    return this.sealed ? 0 : this.playing;
  }

  // The places of its last move's cards, if that is the newest move; empty if the board deals.
  get where() {
    const said = this.#known?.said;
    return said && !this.sealed && said.number === this.now().number ? said.do : '';
  }

  // Whether the board has been asked who plays the game on the table. Until then the board may cut for deal.
  get asked() {
    return this.#game === gameOf(this.now());
  }

  // Whether the board also cuts for deal, in a game against one person.
  get cuts() {
    return Boolean(this.#known?.alone && this.#known.seat && this.sealed);
  }

  // The opponent whose level is beside its score: where the board deals, nobody pegs points there.
  get opponent() {
    const known = this.#known;
    return this.sealed && this.playing && !known.named ? { seat: known.seat, text: say('player-alone', { level: say(`level-${known.level}`) }) } : null;
  }

  // Whether people enter cards of its hand or crib that must be counted.
  get uncounted() {
    return Boolean(this.#known?.uncounted);
  }

  // Whether the board deals the current cards, or the next ones, from a sealed shuffle.
  get sealed() {
    return Boolean(this.#known?.dealing);
  }

  // The table has changed, so the player may have changed too.
  async follow() {
    const newest = this.#turn();
    const game = gameOf(this.now());
    const [known, { odds }] = await Promise.all([get('player'), get('odds')]);
    if (!newest()) return;
    const role = () => [this.seat, this.playing, this.free, this.sealed, this.uncounted, this.opponent?.text, this.#game].join();
    const before = role();
    this.#game = game;
    if (known.error) {
      if (role() !== before) this.changed();
      return;
    }
    this.#known = known;
    await this.#cutIfMine();
    if (role() !== before) this.changed();
    this.#odds = typeof odds === 'number' ? odds : null;
    this.#draw();
    if (this.where) this.said();
    const { said } = known;
    if (said && said.number > this.#spoken) {
      if (this.#spoken || said.number >= this.now().number) this.voice.speak(said.spoken);
      this.#spoken = said.number;
    }
  }

  #draw() {
    const state = this.now();
    const { seat: playing, waits, cannot } = this.#known;
    const apart = playing && (waits || cannot);
    this.#node.setAttribute('aria-label', say('player'));
    const parts = [...(apart ? [el('p', { class: 'hint' }, apart)] : playing ? this.#playing(state, playing) : []), this.#chances(state)].filter(Boolean);
    this.#node.hidden = !state?.game || parts.length === 0;
    put(this.#node, ...parts);
  }

  #playing(state, playing) {
    const { said, level, sealed, named, lacks } = this.#known;
    const name = state.seats[playing - 1] ?? '';
    return [
      this.opponent ? null : button(say(named ? 'player-of' : 'player-alone', { name, level: say(`level-${level}`) }), () => this.another(), 'small quiet', 'level'),
      // The last move of the board, which also says where to put real cards.
      said && !this.sealed && !state.over ? el('p', { class: 'said', role: 'status' }, [said.text, said.do].filter(Boolean).join(' · ')) : null,
      lacks ? el('p', { class: 'hint' }, lacks) : null,
      this.sealed ? null : this.#photo(state, playing),
      sealed ? el('div', { class: 'asks' }, button(say('fair'), () => this.#fair(), 'small quiet', 'fair')) : null,
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

  // Whether the board's game is known.
  get known() {
    return this.#known !== null;
  }

  // Whether somebody can begin a game against it now.
  get free() {
    return this.#known !== null && !this.#known.seat;
  }

  // Whether a game against it is offered before the first line: not at a table where it plays a game that it does not deal.
  get offersGame() {
    const { game, features } = this.now();
    const dealt = !game || game === this.#known?.dealt_game;
    return features.includes('bot') && (dealt || !this.#known?.seat);
  }

  // The first game of a person who has just learnt it: at once at the easiest level, unless a game is in progress or
  // the board cannot play this one.
  async learner(game) {
    if (!this.#known) await this.follow();
    const { begun, over, number, seats, game: now } = this.now();
    if (begun && !over && this.seat && game === now) return;
    const answer = (begun && !over) || !this.#known ? null : await against(this.#name(seats), LEVELS[0], number, game);
    if (answer && !answer.refused && !answer.error) this.#sit('1');
    else if (game === this.#known?.dealt_game && this.free) this.against();
    else this.others(game);
  }

  // The person who plays against the board on this phone.
  #name(seats) {
    return seats[Number(seat() || 1) - 1] ?? seats[0] ?? say('me');
  }

  // Begins a game of one person against the board: first its level, and then the first cards.
  against() {
    const { seats, number, title } = this.now();
    const { plays, deals, cannot } = this.#known;
    // a game that it plays, but does not deal
    const real = plays && !deals ? `${title}: ${say('real-cards')}` : say('real-cards');
    const name = this.#name(seats);
    const play = async (level) => {
      const { refused, error } = await against(name, level, number);
      if (refused || error) {
        this.#dialog.refuse((refused ?? error).message);
        return;
      }
      this.#dialog.close();
      this.#sit('1');
    };
    this.#dialog.fill(say('against'),
      el('p', {}, say('against-as', { name })),
      el('div', { class: 'asks levels' }, ...LEVELS.map((level) => button(say(`level-${level}`), () => play(level), level === 3 ? 'first' : '', `level${level}`))),
      el('p', { class: 'hint' }, say('against-how')),
      cannot ? el('p', { class: 'hint' }, cannot) : el('div', { class: 'asks' }, button(real, () => {
        this.#deals = false;
        this.#seat = Number(seat()) === 2 ? 1 : 2;
        this.show();
      }, 'small quiet', 'real')));
  }

  // Chooses another level for the rest of this game, or another opponent.
  another() {
    const play = async (level) => {
      const { refused, error } = await post('player/level', { level });
      if (refused || error) this.#dialog.refuse((refused ?? error).message);
      else {
        this.#dialog.close();
        this.follow();
      }
    };
    const { level: now } = this.#known;
    this.#dialog.fill(say('against-how-good'),
      el('div', { class: 'asks levels' }, ...LEVELS.map((level) => {
        const made = button(say(`level-${level}`), () => play(level), '', `level${level}`);
        made.setAttribute('aria-pressed', String(level === now));
        return made;
      })),
      el('div', { class: 'asks' }, button(say('against-another'), () => {
        this.#dialog.close();
        this.others();
      }, 'small', 'others')));
  }

  // Gives this phone a seat, because only then it shows the cards that the board deals to that seat.
  #sit(number) {
    if (seat() !== number) {
      sitAt(number);
      this.seated();
    }
    this.follow();
  }

  // The sealed shuffles of the cards; the board checks them, and anybody can repeat the check.
  async #fair() {
    const answer = await this.#dialog.load(say('fair'), get('player/fair'), () => this.#fair());
    if (!answer) return;
    const { games } = answer;
    const own = el('input', { type: 'text', maxlength: 80, autocomplete: 'off', value: recall(CUT) ?? '', 'aria-label': say('fair-own-cut') });
    own.addEventListener('input', () => remember(CUT, own.value.trim()));
    this.#dialog.fill(say('fair'),
      el('p', {}, say(games.length > 0 ? 'fair-how' : 'fair-none')),
      ...games.map(checked),
      el('details', { 'data-begin': '' }, el('summary', {}, say('fair-cut')),
        el('label', { class: 'whole' }, el('span', {}, say('fair-own-cut')), own)));
  }

  // Whether the board plays, and for which seat: a question of the table sheet.
  show() {
    if (!this.#known) return;
    const state = this.now();
    const { seat: playing, level, sealed, named, plays, deals, cannot, lacks } = this.#known;
    if (playing) {
      this.#dialog.fill(say('player'),
        el('p', {}, say(named ? 'player-of' : 'player-alone', { name: state.seats[playing - 1], level: say(`level-${level}`) })),
        sealed ? button(say('fair'), () => this.#fair(), 'small', 'fair') : null,
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
    this.#dialog.fill(say('player'), seats, levels, dealer, lacks ? el('p', { class: 'hint' }, lacks) : null,
      button(say('player-start'), () => this.#choose(this.#seat, deals && this.#deals), 'first', 'start'));
  }

  // A group of choices.
  #pick(name, choices, chosen, act) {
    const made = el('select', { 'data-focus': name },
      ...choices.map(([value, title]) => el('option', { value, selected: value === chosen ? '' : null }, title)));
    made.addEventListener('change', () => act(Number(made.value)));
    return el('label', { class: 'whole' }, el('span', {}, say(name)), made);
  }

  // This phone cuts the pack of a game that the board deals, after the board's commitment.
  async #cutIfMine() {
    const { seat: playing, sealed } = this.#known;
    if (!playing || !sealed || sealed.cut || seat() !== String(3 - playing)) return;
    const known = await post('player/cut', { cut: recall(CUT) || chance() });
    if (!known.refused && !known.error) this.#known = known;
  }

  async #choose(playing, deals) {
    const { refused, error } = await post('player', { seat: playing, level: this.#level, deals });
    if (refused || error) {
      this.#dialog.refuse((refused ?? error).message);
      return;
    }
    this.#dialog.close();
    // The opponent views the table from the other seat, and so sees the hand that the board deals.
    if (playing && this.now().seats.length === 2) this.#sit(String(3 - playing));
    else this.follow();
  }
}

// The game that begins on the table, until its first deal.
const gameOf = ({ session, moves }) => [session, moves.findLast(({ verb }) => verb === 'game')?.place].join();

// One game's shuffle: its code, the cut, and after the game the secret with the result of the check.
function checked({ commitment, cut, own_cut: own, secret, first, deals, follows }) {
  const found = follows === null ? (secret ? 'fair-old' : 'fair-later') : follows ? 'fair-yes' : 'fair-no';
  const rows = [['fair-code', commitment], ['fair-cut', own ? say('fair-cut-by-board', { cut }) : cut], ['fair-secret', secret], ['fair-deals', deals ? [...new Set([first, first + deals - 1])].join('–') : '']];
  return el('section', { class: 'group fair' },
    el('p', { class: follows === false ? 'refused' : 'verdict' }, say(found, { deals })),
    el('dl', {}, ...rows.filter(([, text]) => text).flatMap(([name, text]) => [el('dt', {}, say(name)), el('dd', {}, text)])));
}

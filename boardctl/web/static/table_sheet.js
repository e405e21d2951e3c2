// The table settings: game, players, level of entry, light, this phone, the evening.

import { begin, command, get, phone, play, post, refusal, rename, turns } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el } from './dom.js';
import { learning } from './learning.js';
import { qrCode } from './qr.js';
import { Rules } from './rules.js';
import { WATCH, language, known, say, seat, sitAt } from './words.js';


const COUNTS = [2, 3, 4];

export class TableSheet {
  #dialog = new Dialog('table-sheet');
  #state = null;
  #offered = null;
  #game = '';
  #count = 2;
  #shown = ''; // the sheet's part of the table's state
  #turn = turns();
  #names = [];
  #preset = '';
  #rules = new Rules((name) => this.#keep(name));

  // `answered` shows the table in an answer, and returns the answer.
  constructor({ state, voice, player, far, seated, answered }) {
    this.now = state;
    this.voice = voice;
    this.player = player;
    this.far = far;
    this.seated = seated;
    this.answered = answered;
  }

  get open() {
    return this.#dialog.open;
  }

  // With `wanted`, the name of a game, it opens on that game, if there is one.
  async show(wanted = '') {
    const offered = await this.#dialog.load(say('table'), get('games'), () => this.show(wanted));
    if (!offered) return;
    this.#state = this.now();
    this.#offered = offered;
    const { game, seats } = this.#state;
    this.#rules.open(false);
    const is = this.#offered.games.some(({ name }) => name === wanted); // an address may name any
    this.#choose(is ? wanted : game ?? this.#offered.games[0].name);
    this.#names = [...seats];
    const fits = !is || this.#found.seats.includes(seats.length);
    this.#count = (fits && seats.length) || 2;
    this.#draw();
  }

  // Another phone changed something: redraw, but keep the names typed and the rules chosen here.
  follow(state) {
    if (!this.open || !this.#offered || this.#dialog.loads) return;
    const { rules } = this.#state;
    const other = this.#shown !== this.#shows(state);
    this.#state = other ? state : { ...this.#state, rules: state.rules };
    if (other) this.#draw();
    if (JSON.stringify(state.rules) !== JSON.stringify(rules)) this.#renew();
  }

  // The displayed part of the table's state.
  #shows({ telling, light, voice, sounds, counts, seats }) {
    return JSON.stringify([telling, light, voice, sounds, counts, seats, this.people(seats)]);
  }

  // The seats of people at this board: not the computer player's, nor another house's.
  people(seats) {
    const here = this.far.game?.seats;
    return seats.map((_, n) => n + 1).filter((one) => one !== this.player.seat && (here?.includes(one) ?? true));
  }

  async #renew() {
    const newest = this.#turn();
    const offered = await get('games');
    if (!newest() || offered.error) return;
    this.#offered = offered;
    this.#rules.renew(this.#found?.options ?? []);
  }

  #draw() {
    const now = this.now();
    this.#shown = this.#shows(now);
    this.#dialog.fill(
      say('table'),
      this.#players(),
      this.#set('telling', ['points', 'hands', 'cards'], this.#state.telling),
      this.#seat(),
      this.#has('bot') ? learning(now, this.people(now.seats), (message) => this.#dialog.refuse(message)) : null,
      this.#added(),
      this.#set('light', ['bright', 'dim', 'night'], this.#state.light),
      ...this.#voice(),
      el('section', { class: 'group' }, el('h3', {}, say('this-phone')),
        el('div', { class: 'asks' },
          this.voice.button(),
          button(say('other-language'), () => this.#speak(language === 'ja' ? 'en' : 'ja'), 'small', 'language'),
          document.body.dataset.pairs ? button(say('add-phone'), () => this.#phone(), 'small', 'add-phone') : null,
          el('a', { class: 'act small', href: `setup.html?lang=${language}`, 'data-focus': 'setup' }, say('setup'))),
        isSecureContext ? null : el('p', { class: 'hint whole' }, say('home-screen'))),
      el('section', { class: 'group' }, el('h3', {}, say('the-evening')),
        el('div', { class: 'asks' },
          button(say('new-evening'), () => this.#sure(say('new-evening-sure'), say('new-evening'), () => this.#evening()), 'small', 'new-evening'),
          this.#has('bot') ? el('a', { class: 'act small', href: `duplicate.html?lang=${language}`, 'data-focus': 'duplicate' }, say('duplicate')) : null,
          button(say('goodnight'), () => this.#sure(say('goodnight-sure'), say('goodnight'), () => this.#command('goodnight', '')), 'small', 'goodnight'))),
    );
  }

  // Whether the board has a feature, by its name.
  #has(feature) {
    return this.now().features.includes(feature);
  }

  // The buttons that features add.
  #added() {
    const { buttons } = this.now();
    if (buttons.length === 0) return null;
    return el('section', { class: 'group' }, el('div', { class: 'asks' },
      ...buttons.map((added) => button(added.text, () => this.#press(added), 'small', added.post))));
  }

  async #press({ post: path }) {
    const { refused, error } = await post(path, {});
    const problem = refused ?? error;
    if (problem) this.#dialog.refuse(problem.message);
    else this.#dialog.close();
  }

  // Saves the rules shown here under a name, or removes those of this name.
  async #keep(name, remove = false) {
    const { refused, error } = await post('rules', { name, game: this.#game, options: remove ? {} : this.#rules.all, remove });
    const problem = refused ?? error;
    if (problem) {
      this.#dialog.refuse(problem.message);
      return;
    }
    const offered = await get('games');
    if (offered.error) {
      this.#dialog.refuse(offered.error.message);
      return;
    }
    this.#offered = offered;
    const saved = offered.presets.findLastIndex((one) => one.own && one.game === this.#game);
    this.#choose(remove || saved < 0 ? this.#game : String(saved));
    this.#draw();
  }

  get #found() {
    return this.#offered.games.find(({ name }) => name === this.#game);
  }

  // A game by its name, or a preset by its number.
  #choose(name) {
    const preset = this.#offered.presets[name];
    this.#preset = preset ? name : '';
    this.#game = preset?.game ?? name;
    this.#rules.begin(this.#found?.options ?? [], preset?.options);
  }

  // The games for this number of players on this board.
  #playable() {
    return this.#offered.games.filter(({ seats }) => seats.includes(this.#count));
  }

  // The number of players; chooses another game if this one does not allow it.
  #gather(count) {
    this.#count = count;
    const playable = this.#playable();
    if (playable.length > 0 && !playable.includes(this.#found)) {
      this.#choose((playable.find(({ seats }) => seats.length > 2) ?? playable[0]).name);
    }
    this.#draw();
  }

  #players() {
    const counts = el('div', { class: 'switch many', role: 'group', 'aria-label': say('how-many') },
      ...COUNTS.map((n) => {
        const made = button(say('so-many', { count: n }), () => this.#gather(n), '', `count${n}`);
        made.setAttribute('aria-pressed', String(n === this.#count));
        return made;
      }));
    const playable = this.#playable();
    return el('section', { class: 'group' },
      el('h3', {}, say('tonight')), counts,
      ...(playable.length > 0 ? this.#games(playable) : [el('p', { class: 'whole' }, say('no-track', { tracks: this.#offered.tracks }))]));
  }

  // The names, the game and its rules.
  #games(playable) {
    const presets = this.#offered.presets
      .map(({ name, game, seats }, n) => ({ value: String(n), game, seats, title: name }))
      .filter(({ game, seats }) => playable.some(({ name }) => name === game) && (seats.length === 0 || seats.includes(this.#count)));
    const chosen = this.#preset || this.#game;
    const choice = ({ value, title }) => el('option', { value, selected: value === chosen ? '' : null }, title);
    const games = el('select', { 'aria-label': say('game'), 'data-focus': 'game', 'data-begin': '' },
      presets.length > 0 ? el('optgroup', { label: say('presets') }, ...presets.map(choice)) : null,
      ...playable.map(({ name, title }) => choice({ value: name, title })));
    games.addEventListener('change', () => {
      this.#choose(games.value);
      this.#draw();
    });
    this.#rules.show(this.#count);
    const fields = Array.from({ length: this.#count }, (_, n) => this.#name(n));
    const form = el('form', { class: 'who' }, ...fields,
      el('datalist', { id: 'known-names' }, ...this.#offered.roster.map((name) => el('option', { value: name }))),
      this.#rules.node,
      el('button', { class: 'act first', 'data-focus': 'start' }, this.#fresh() ? say('start-game') : say('seat-players')),
      el('p', { class: 'refused', role: 'alert' }));
    form.noValidate = true;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#state.begun && this.#state.number > 0) {
        const scores = this.#state.sides.map((side) => `${side.names.join(' & ')} ${side.score}`).join(', ');
        if (this.#renames()) {
          this.#sure(say('rename-or-end', { scores }), say('only-rename'), () => this.#start(true),
            button(say('end-and-start'), () => this.#start(), '', 'end'));
        } else this.#sure(say('end-game', { scores }), say('end-and-start'), () => this.#start());
      } else {
        this.#start();
      }
    });
    return [
      el('label', { class: 'whole' }, el('span', {}, say('game')), games),
      this.#offered.presets[this.#preset]?.own ? button(say('rules-remove', { name: this.#offered.presets[this.#preset].name }), () => this.#keep(this.#offered.presets[this.#preset].name, true), 'small', 'rules-remove') : null,
      this.#found?.cannot ? el('p', { class: 'hint', role: 'status' }, this.#found.cannot) : null, form,
      el('div', { class: 'asks' }, this.#has('bot') ? button(say('player'), () => {
        this.#dialog.close();
        this.player.show();
      }, 'small', 'player') : null,
      this.#has('far') ? button(say('far'), () => {
        this.#dialog.close();
        this.far.show();
      }, 'small', 'far') : null),
    ];
  }

  #fresh() {
    return this.#game !== this.#state.game || this.now().begun || this.now().over;
  }

  #name(n) {
    const partners = this.#count === 4 && n > 1 ? say('partner-of', { name: this.#names[n - 2] || say('seat-number', { number: n - 1 }) }) : '';
    const field = el('input', {
      type: 'text', value: this.#names[n] ?? this.#spare(n), maxlength: 40, autocomplete: 'off', list: 'known-names',
      'data-focus': `name${n}`, 'aria-label': say('seat-number', { number: n + 1 }), enterkeyhint: 'done',
    });
    this.#names[n] ??= field.value;
    field.addEventListener('input', () => (this.#names[n] = field.value));
    field.addEventListener('focus', () => field.select());
    return el('label', { class: `name side${(n % (this.#count === 4 ? 2 : this.#count)) + 1}` },
      el('span', { class: 'sign', 'aria-hidden': 'true' }), field, partners ? el('small', {}, partners) : null);
  }

  // A known player who is not seated yet.
  #spare(n) {
    return this.#offered.roster.find((name) => !this.#names.slice(0, n).includes(name)) ?? '';
  }

  get #entered() {
    return this.#names.slice(0, this.#count).map((name) => (name ?? '').trim());
  }

  // Whether only names of the current game were changed.
  #renames() {
    const { game, seats } = this.now();
    const named = this.#entered;
    return this.#game === game && Object.keys(this.#rules.values).length === 0 && named.length === seats.length && named.some((name, n) => name !== seats[n]);
  }

  async #start(renames = false) {
    const { number } = this.now();
    const asked = renames ? rename(this.#game, this.#entered, number) : begin(this.#game, this.#entered, this.#rules.values, number);
    const refused = await this.#dialog.said(refusal(asked.then(this.answered)));
    if (refused) {
      if (refused.code === 'no-such-value') this.#rules.open();
      this.#draw();
      this.#dialog.refuse(refused.message);
    }
  }

  // Asks for confirmation in the same dialog; `other` is an alternative.
  #sure(question, yes, act, other = null) {
    this.#dialog.fill(
      question,
      el('div', { class: 'asks' },
        button(yes, act, 'first', 'yes'),
        other,
        button(say('no'), () => this.#draw(), '', 'no')),
    );
  }

  // The board's speech settings, if it has a voice.
  #voice() {
    const { voice, sounds } = this.#state;
    return voice === null ? [] : [
      this.#set('voice', ['off', 'counts', 'questions', 'everything'], voice),
      this.#set('sounds', ['on', 'off'], sounds),
    ];
  }

  #set(what, values, now) {
    return el('section', { class: 'group' }, el('h3', {}, say(`set-${what}`)),
      el('div', { class: 'switch many', role: 'group', 'aria-label': say(`set-${what}`) },
        ...values.map((value) => {
          const made = button(say(`${what}-${value}`), () => this.#command(what, value, true), '', `${what}${value}`);
          made.setAttribute('aria-pressed', String(value === now));
          return made;
        })),
      known(`${what}-hint-${now}`) ? el('p', { class: 'hint' }, say(`${what}-hint-${now}`)) : null);
  }

  // The player of this phone: only this phone shows that player's discards.
  #seat() {
    const people = this.people(this.#state.seats).map((one) => [String(one), this.#state.seats[one - 1]]);
    const all = [['', say('everybody')], ...people, [WATCH, say('only-watching')]];
    return el('section', { class: 'group' }, el('h3', {}, say('whose-phone')),
      el('div', { class: 'switch many', role: 'group', 'aria-label': say('whose-phone') },
        ...all.map(([value, name]) => {
          const made = button(name, () => {
            sitAt(value);
            this.seated();
            if (value === WATCH) this.#dialog.close();
            else this.#draw();
          }, '', `mine${value}`);
          made.setAttribute('aria-pressed', String(value === seat()));
          return made;
        })),
      el('p', { class: 'hint' }, say('whose-phone-hint')));
  }

  async #command(what, value, stay = false) {
    const answer = refusal(command(what, value));
    const refused = await (stay ? answer : this.#dialog.said(answer));
    if (refused) {
      this.#dialog.refuse(refused.message);
    } else if (stay) {
      this.#state = { ...this.#state, [what]: value };
      this.#draw();
    }
  }

  async #speak(to) {
    await command('language', to);
    const address = new URL(location.href);
    address.searchParams.set('lang', to);
    location.assign(address);
  }

  async #evening() {
    const line = `session ${new Date().toLocaleDateString('sv')}`;
    const refused = await this.#dialog.said(refusal(play(line, this.now().number).then(this.answered)));
    if (refused) this.#dialog.refuse(refused.message);
  }

  // A PIN to pair another phone, and the address as a QR code.
  async #phone() {
    const answer = await phone();
    const refused = answer.refused ?? answer.error;
    if (refused) {
      this.#dialog.refuse(refused.message);
      return;
    }
    this.#dialog.fill(
      say('add-phone'),
      answer.qr ? qrCode(answer.qr, answer.url) : null,
      el('p', {}, say('open-address'), ' ', el('b', { class: 'address' }, answer.url.split('#')[0])),
      el('p', { class: 'pin' }, answer.pin),
      el('p', { class: 'hint' }, say('pin-hint')),
      answer.message ? el('p', { class: 'at-board' }, answer.message) : null,
      el('div', { class: 'asks' }, button(say('another-phone'), () => this.#phone(), 'small', 'another-phone')),
    );
  }
}

// A game with another house: invitations, the other house's presence, its questions.

import { get, post, turns } from './ask.js';
import { Dialog } from './dialog.js';
import { button, el, put } from './dom.js';
import { qrCode } from './qr.js';
import { language, say, seat, sitAt } from './words.js';

// The lines that both houses deal, or that only a table without cards would enter.
const DEALT = ['count', 'cut', 'cut-bonus', 'dealer', 'declare', 'draw', 'hand', 'starter', 'trump', 'turnup'];

const MINUTE = 60000; // ms: the absence of the other house is shown in minutes

// A field for a name.
const person = (label, value) => el('input', { type: 'text', value, maxlength: 40, autocomplete: 'off',
  'aria-label': say(label), placeholder: say(label) });

const READING = 1500; // ms: people must read a question that replaces another before they answer it

// Copies a text to the clipboard; `room` is the dialog that has the focus. Returns whether that worked: the newer
// interface exists only on pages with https.
async function copy(text, room) {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text).then(() => true, () => false);
  const field = el('textarea', { class: 'unseen', readonly: '' });
  field.value = text;
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  room.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  before?.focus();
  return done;
}

export class Far {
  #node = el('section', { id: 'far', class: 'panel player-room', hidden: '' });
  #dialog = new Dialog('far-sheet');
  #known = null; // the board's last data about the other houses
  #turn = turns();
  #question = null; // the question of the other house shown last
  #replaced = 0; // the timer that runs after a question has replaced another
  #later = 0; // the timer that asks again while the other house is away
  #removing = -1; // the house whose removal must be confirmed
  #asking = -1; // the house whose game's local player is being asked for
  #broker = ''; // the broker's address in the opened link
  #mine = false; // whether this phone is the one that invited or accepted
  #linked = ''; // the words of the opened link: until they are accepted, the page asks for nothing else

  // `above` is the element before which it appears; `seated` is called when this phone has got a seat, `changed` when
  // another house is about to play.
  constructor(above, { state, seated, changed }) {
    this.now = state;
    this.seated = seated;
    this.changed = changed;
    this.#dialog.closed = () => {
      this.#asking = -1;
      this.#linked = '';
    };
    above.before(this.#node);
  }

  // Whether nothing is entered at this board: it watches another house's game, or its own is set aside.
  get looks() {
    return Boolean(this.#known?.looking || this.#left);
  }

  // The house whose game was set aside and is still on the table.
  get #left() {
    return this.#known?.houses.find(({ number }) => number === this.#known.left);
  }

  // Other actions of this house now: draw a card before anything is played, or not call a claim.
  get may() {
    if (!this.game?.stand) return null;
    return { text: say(this.game.draws ? 'far-draw' : 'far-stand'), first: this.game.draws };
  }

  stand() {
    return this.#say('far/stand', {});
  }

  // The game on the table if it is with another house: its seat here, and the seat to play.
  get game() {
    const game = this.#known?.game;
    return game && !game.done && !game.stopped ? game : null;
  }

  // Whether the next game is another one with the same house.
  get again() {
    return Boolean(this.#known?.game?.done);
  }

  // The seats whose cards nobody plays at this phone: those of the other house, and of the player's own partner.
  get others() {
    const { game } = this;
    if (!game) return [];
    const here = game.seats.filter((one) => !this.#sits || String(one) === seat());
    return this.now().seats.map((_, n) => n + 1).filter((one) => !here.includes(one));
  }

  // Whether this phone belongs to one player of this house.
  get #sits() {
    return Boolean(this.game?.seats.includes(Number(seat())));
  }

  // Whether people here may be asked for this entry.
  due(asked) {
    const { game } = this;
    if (this.looks) return false;
    if (!game) return true;
    if (DEALT.includes(asked.code) || (game.draws && asked.code === 'play')) return false;
    if (asked.seat === null) return game.due === 'ours';
    if (asked.kind === 'cards' && (this.others.includes(asked.seat) || !this.#holds(asked))) return false;
    return game.seats.includes(asked.seat);
  }

  // Whether the phone of the asked player shows the hand already: it comes a moment after the question.
  #holds({ seat: asks, cards }) {
    const { held } = this.now();
    return String(asks) !== seat() || (held.length > 0 && (cards ?? []).every((card) => held.includes(card)));
  }

  async follow() {
    const newest = this.#turn();
    const known = await get('far');
    if (!newest() || known.error) return;
    const before = JSON.stringify(this.#known);
    this.#known = known;
    const { game } = known;
    clearTimeout(this.#later);
    if (game && !this.#house(game)?.here) this.#later = setTimeout(() => this.follow(), MINUTE);
    if (game && this.#mine) {
      this.#mine = false;
      this.#dialog.close();
      if (seat() !== String(game.seats[0])) this.#sit(game.seats[0]);
    }
    if (JSON.stringify(known) === before) return;
    this.#draw();
    if (this.#dialog.open) this.#fill();
    this.changed();
  }

  #draw() {
    const { game, houses, looking } = this.#known;
    this.#node.setAttribute('aria-label', say('far'));
    const offers = houses.filter(({ offered, active }) => offered && !(active && game && !game.done));
    const left = this.#left;
    this.#node.hidden = !game && !looking && !left && offers.length === 0;
    put(this.#node, looking ? el('p', { class: 'said', role: 'status' }, say('far-looking', { name: looking })) : null, ...(game ? this.#game(game) : []),
      left ? el('div', { class: 'asks' }, el('p', {}, say('far-left', { name: left.name })), ...this.#again(left, 'on', 'first')) : null,
      ...offers.map((house) =>
      el('div', { class: 'asks' }, el('p', {}, house.invites),
        button(say('far-join'), () => this.#play(house.number), 'first', `join${house.number}`), this.#other(house.number))));
  }

  // The reason why there is no connection, if anybody can fix it.
  get #offline() {
    return this.#known.trouble || say('far-no-broker');
  }

  // The house of a game, if it is still known.
  #house({ number }) {
    return this.#known.houses.find((one) => one.number === number);
  }

  #sit(number) {
    sitAt(String(number));
    this.seated();
  }

  #game({ name, seats, turn: playing, due, asks, question, declined, aside, stopped, done, number }) {
    const house = this.#house({ number });
    const going = !done && !stopped;
    const away = going && !this.#known.connected && !house?.here; // this board, as far as it knows
    const names = this.now()?.seats ?? [];
    const partners = seats.length > 1;
    const who = names[playing - 1] || name; // another person may play in that house
    const ours = partners && String(playing) !== seat() ? say('far-theirs', { name: who }) : say(partners ? 'far-you' : 'far-yours');
    // After the last line the houses still reveal their secrets, and nobody has to play.
    const turn = going && !this.now()?.over ? { ours, theirs: aside || say('far-theirs', { name: who }), dealing: aside || say('far-dealing') }[due] : '';
    const asksWhose = going && partners && !this.#sits;
    return [
      el('p', { class: 'hint' }, say('far-with', { name }), house && !house.gone ? ` · ${away ? this.#offline : this.#presence(house)}` : ''),
      stopped ? el('p', { class: 'refused', role: 'alert' }, stopped) : null,
      declined ? el('p', { class: 'refused', role: 'status' }, declined) : null,
      turn ? el('p', { class: 'said', role: 'status', 'data-due': due }, turn) : null,
      aside && due === 'ours' ? el('p', { class: 'hint' }, aside) : null,
      asksWhose ? el('div', { class: 'asks' }, el('p', {}, say('whose-phone')), ...seats.map((one) =>
        button(names[one - 1] ?? '', () => {
          this.#sit(one);
          this.#draw();
          this.changed();
        }, '', `sit${one}`))) : null,
      asks ? this.#asks(asks, question) : null,
      going || house?.offered ? null : el('div', { class: 'asks' }, ...(house?.gone
        ? [button(say('far-invite'), () => this.show(), 'first', 'again')]
        : this.#again(house ?? { number, name }, 'again', 'first'))),
    ];
  }

  // The other house's question. An answer names the question. If one question replaces another, the buttons are
  // inactive for a moment, because a moving finger means the previous one.
  #asks(asks, question) {
    const [before, now] = [this.#question, JSON.stringify(question)];
    if (before !== now) {
      clearTimeout(this.#replaced);
      this.#question = now;
      this.#replaced = before === null ? 0 : setTimeout(() => {
        this.#replaced = 0;
        this.#draw();
      }, READING);
    }
    const answer = (word, yes, kind, focus) => {
      const one = button(say(word), () => this.#say('far/answer', { ...question, yes }), kind, focus);
      one.disabled = this.#replaced !== 0;
      return one;
    };
    return el('div', { class: 'asks' }, el('p', {}, asks), answer('far-agree', true, 'first', 'agree'), answer('far-refuse', false, '', 'refuse'));
  }

  // Offers another game to a house, or withdraws the offer; a game that was set aside continues.
  #again(house, focus, kind) {
    const { number, name, offering = false, playing = false } = house;
    if (offering) {
      return [
        el('p', { role: 'status' }, say('far-offered', { name })),
        button(say('far-withdraw'), () => this.#say('far/withdraw', { house: number }), 'small', focus),
      ];
    }
    const { title, game } = this.#next(house);
    return [button(title, () => this.#play(number, game), kind, focus), ...(playing ? [] : [this.#other(number)])];
  }

  // The next game with a house: if another game is on this table, that one is offered.
  #next({ name, game = '', offered = false, playing = false }) {
    const here = this.now() ?? {};
    const other = game && !playing && !offered && game !== here.game && this.#known.games.includes(here.game);
    const what = playing ? 'far-on' : offered ? 'far-join' : other ? 'far-play' : 'far-again';
    return { title: say(what, { name, game: here.title }), game: other ? this.#asHere() : {} };
  }

  // The player of the next game with a house here.
  #who(house) {
    const { title, game } = this.#next(house);
    const name = person('far-name', house.own);
    const fields = house.partner ? [name, person('far-partner', house.partner)] : [name];
    return this.#form(title, fields, 'first', () => {
      const [own, partner = ''] = fields.map((field) => field.value);
      this.#play(house.number, { ...game, name: own, partner });
    });
  }

  // Asks who plays here, if it is not the last player.
  #other(number) {
    return button(say('far-who'), () => {
      this.#asking = number;
      this.show();
    }, 'small', `who${number}`);
  }

  #presence({ name, here, minutes }) {
    if (here) return say('far-here', { name });
    if (minutes === null) return say('far-gone', { name });
    if (minutes === 0) return say('far-left-now', { name });
    const hours = Math.round(minutes / 60);
    const [count, unit] = hours < 1 ? [minutes, 'minute'] : hours < 48 ? [hours, 'hour'] : [Math.round(hours / 24), 'day'];
    const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
    return say('far-away', { name, time });
  }

  // Invite, accept, or play with a known house. If a link was opened, only its invitation is accepted: `words` and
  // `broker` are those of the link.
  async show(words = '', broker = '') {
    this.#linked = words;
    this.#broker = broker;
    const newest = this.#turn();
    const known = await this.#dialog.load(say(words ? 'far-accept' : 'far'), get('far'), () => this.show(words, broker));
    if (!known) return;
    if (newest() || !this.#known) this.#known = known;
    this.#fill();
  }

  #fill() {
    const { words: open, accepting, late, trouble, houses, onlookers, game } = this.#known;
    const typed = new Map(this.#fields().map((field) => [field.dataset.focus, field.value]));
    const { open: unfolded } = this.#dialog.node.querySelector('details.code') ?? {};
    const waiting = open.length > 0 || accepting;
    const shown = waiting || (game && !game.done && !game.stopped); // the obstacle is shown there
    if (this.#linked && !accepting) this.#dialog.fill(say('far-accept'), ...this.#byLink());
    else this.#dialog.fill(say('far'),
      late ? el('p', { class: 'refused', role: 'alert' }, say('far-late')) : null,
      trouble && !shown ? el('p', { class: 'refused', role: 'status' }, trouble) : null,
      ...(waiting ? this.#waiting() : [this.#invite(), this.#accept()]),
      houses.length > 0 ? el('section', { class: 'group' }, el('h3', {}, say('far-known')),
        ...houses.map((house) => el('div', { class: 'asks' },
          ...(house.gone || (game && house.active && house.playing) ? [] // on the table
            : this.#asking === house.number && !house.offering && !house.playing ? [this.#who(house)]
            : this.#again(house, `house${house.number}`, 'small')),
          el('span', { class: 'hint' }, house.gone || house.outdated || this.#presence(house)), ...this.#removal(house)))) : null,
      this.#code(unfolded),
      onlookers.length > 0 ? el('section', { class: 'group' }, el('h3', {}, say('far-onlookers')),
        ...onlookers.map((one) => this.#onlooker(one))) : null,
      game ? el('div', { class: 'asks' }, waiting ? null : button(say('far-show'), () => this.#say('far/show', {}), 'small', 'show'),
        button(say('far-end', { name: game.name }), () => this.#say('far/leave', {}), 'small', 'leave')) : null);
    for (const field of this.#dialog.node.querySelectorAll('input')) field.value = typed.get(field.dataset.focus) ?? field.value;
  }

  // The code with which the other house joins, if this board is the broker for both. It stays unfolded while the rest
  // of the sheet changes.
  #code(unfolded) {
    const { code } = this.#known;
    if (!code) return null;
    return el('details', { class: 'code', open: unfolded ? '' : null }, el('summary', {}, say('far-code')), el('p', { class: 'hint' }, say('far-code-how')),
      el('p', { class: 'address' }, code), el('div', { class: 'asks' }, ...this.#copy(code, say('far-copy-code'), '')));
  }

  // The fields of the sheet in which somebody has typed: they stay unchanged when the houses' state changes.
  #fields() {
    return [...this.#dialog.node.querySelectorAll('input')].filter(({ value, defaultValue }) => value !== defaultValue);
  }

  // A house that no longer exists, as after its card was replaced; the page first explains its removal.
  #removal({ number, name, active, playing, gone }) {
    if (active && playing) return [];
    const remove = () => {
      this.#removing = -1;
      this.#say('far/remove', { house: number });
    };
    if (gone) return [button(say('far-remove', { name }), remove, 'small', `remove${number}`)];
    const ask = (asks) => {
      this.#removing = asks ? number : -1;
      this.#fill();
    };
    if (this.#removing !== number) return [button(say('far-remove', { name }), () => ask(true), 'small', `remove${number}`)];
    return [
      el('p', { role: 'alert' }, say('far-removes', { name })),
      button(say('far-remove', { name }), remove, 'small', 'removes'),
      button(say('far-keep', { name }), () => ask(false), 'small', `remove${number}`),
    ];
  }

  // An onlooker of our games, or a house whose games we watch.
  #onlooker(one) {
    const { number, name, shows, over } = one;
    return el('div', { class: 'asks' },
      shows ? el('span', {}, name) : button(say('far-look', { name }), () => this.#say('far/look', { onlooker: number }), 'small', `look${number}`),
      el('span', { class: 'hint' }, over ? say('far-over') : this.#presence(one)),
      button(say('far-forget'), () => this.#say('far/forget', { onlooker: number }), 'small', `forget${number}`));
  }

  // The invitation, until somebody has accepted it.
  #waiting() {
    const { words, numbers, link, tab_link: tab, qr, connected, unanswered } = this.#known;
    return [
      el('p', { role: 'status' }, connected ? say('far-waiting') : this.#offline),
      unanswered ? el('p', { class: 'refused', role: 'alert' }, say('far-unanswered')) : null,
      words.length > 0 ? el('p', {}, say('far-read')) : null,
      words.length > 0 ? el('ol', { class: 'six-words' }, ...words.map((word) => el('li', {}, word))) : null,
      words.length > 0 ? el('p', { class: 'hint' }, say('far-numbers', { numbers: numbers.join(' ') })) : null,
      words.length > 0 ? this.#send(link || words.join(' ')) : null,
      link ? el('p', {}, el('a', { href: link, class: 'address' }, say('far-link'))) : null,
      link ? qrCode(qr, link) : null,
      tab ? el('p', {}, el('a', { href: tab, class: 'address' }, say('far-tab-link'))) : null,
      el('div', { class: 'asks' }, button(say('far-cancel'), () => this.#say('far/cancel', {}), 'small', 'cancel')),
    ];
  }

  // Sends the invitation to the other house: by another app, or by copying it.
  #send(invitation) {
    const share = navigator.share ? button(say('far-share'), () => navigator.share({ text: invitation }).catch(() => {}), 'first', 'share') : null;
    return el('div', { class: 'asks' }, share, ...this.#copy(invitation, say('far-copy'), share ? '' : 'first'));
  }

  // A button that copies a text, and a place that says whether it has worked.
  #copy(text, label, kind) {
    const said = el('span', { class: 'hint', role: 'status' });
    const copied = async () => {
      said.textContent = say(await copy(text, this.#dialog.node) ? 'far-copied' : 'far-not-copied');
    };
    return [button(label, copied, kind, label), said];
  }

  #invite() {
    const name = this.#name();
    const partner = this.#partner();
    const { game, title } = this.now() ?? {};
    const to = this.#known.games.includes(game) ? title : this.#known.usual; // this table's game may be none of them
    return this.#form(say('far-invite'), [el('p', { class: 'hint' }, say('far-to', { game: to })), name, partner, el('p', { class: 'hint' }, say('far-four'))], 'first', () =>
      this.#named(name) && this.#say('far/invite', { name: name.value, partner: partner.value, ...this.#asHere() }, true));
  }

  // The game and the rules of this table, if two houses can play it.
  #asHere() {
    const { game, rules } = this.now() ?? {};
    const { games } = this.#known;
    if (!games.includes(game)) return { game: games[0], options: {} };
    return { game, options: Object.fromEntries(rules.map(({ name, value }) => [name, value])) };
  }

  // An invitation opened by its link: asks only who plays here.
  #byLink() {
    const { late, trouble } = this.#known;
    const name = this.#name();
    const partner = this.#partner();
    name.dataset.begin = '';
    const accept = () => this.#named(name) &&
      this.#say('far/accept', { words: this.#at(this.#linked), name: name.value, partner: partner.value }, true);
    const four = el('details', {}, el('summary', {}, say('far-four')), partner);
    return [
      late ? el('p', { class: 'refused', role: 'alert' }, say('far-late')) : null,
      trouble ? el('p', { class: 'refused', role: 'status' }, trouble) : null,
      el('p', {}, say('far-by-link')),
      this.#form('', [name, four], 'first', accept, say('far-accept-now')),
    ];
  }

  // Whether a name was entered; otherwise the page asks for it.
  #named(field) {
    if (field.value.trim()) return true;
    this.#dialog.warn(say('far-need-name'));
    field.focus();
    return false;
  }

  #accept() {
    const said = el('input', { type: 'text', maxlength: 1000, autocomplete: 'off', autocapitalize: 'none',
      spellcheck: 'false', 'aria-label': say('far-words'), placeholder: say('far-words') });
    const name = this.#name();
    const partner = this.#partner();
    return this.#form(say('far-accept'), [said, name, partner], '', () =>
      this.#named(name) && this.#say('far/accept', { words: this.#at(said.value), name: name.value, partner: partner.value }, true));
  }

  // The words with the broker of the opened link.
  #at(words) {
    return this.#broker ? `#far=${words}&${new URLSearchParams({ broker: this.#broker })}` : words;
  }

  // `kind`: `first` for the most likely form; `send`: the label of its button.
  #form(title, fields, kind, act, send = title) {
    // A field that is filled in shows no placeholder, so its name is above it.
    const labelled = (field) => (field.value ? el('label', { class: 'whole' }, el('span', {}, field.getAttribute('aria-label')), field) : field);
    const form = el('form', { class: 'persons group' }, title ? el('h3', {}, title) : '', ...fields.map(labelled),
      el('button', { class: `act ${kind}`, 'data-focus': send }, send));
    form.noValidate = true;
    form.querySelectorAll('input').forEach((field, n) => {
      field.dataset.focus = `${send} ${n}`;
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      act();
    });
    return form;
  }

  #name() {
    const { seats } = this.now() ?? { seats: [] };
    return person('far-name', seats[Number(seat() || 1) - 1] ?? '');
  }

  // The partner in a game for four: the partner at this table, if four play.
  #partner() {
    const { seats } = this.now() ?? { seats: [] };
    return person('far-partner', seats.length === 4 ? seats[(Number(seat() || 1) + 1) % 4] : '');
  }

  async #play(number, game = {}) {
    await this.#say('far/play', { house: number, ...game }, true);
  }

  async #say(path, body, mine = false) {
    if (mine) this.#mine = true;
    const answer = await post(path, body);
    const refused = answer.refused ?? answer.error;
    if (refused) {
      this.#mine = false;
      if (this.#known.words?.length) this.#linked = ''; // this board's own invitation is shown again
      if (!this.#dialog.open || this.#known.words?.length) this.#fill();
      this.#dialog.refuse(refused.message);
      return;
    }
    this.#known = null;
    if (path === 'far/play') this.#dialog.close();
    await this.follow();
  }
}

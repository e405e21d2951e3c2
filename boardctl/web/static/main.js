// The page: connects the link to the board with the drawn parts.

import { After } from './after.js';
import { allowed, askToPlay, command, goOn, pair, play, redo, undo } from './ask.js';
import { Board } from './board.js';
import { line } from './cards.js';
import { Claim } from './claim.js';
import { Counted } from './counted.js';
import { Display } from './display.js';
import { fades } from './dom.js';
import { arrange, cardsOf, decides, drawDue, onOwnPhone } from './due.js';
import { Far } from './far.js';
import { Hint } from './hint.js';
import { Keypad } from './keypad.js';
import { Link } from './link.js';
import { More } from './more.js';
import { Amend, Moves } from './moves.js';
import { News } from './news.js';
import { Picker } from './picker.js';
import { PlayerPanel } from './player.js';
import { Points } from './points.js';
import { drawSides } from './sides.js';
import { drawStrip } from './strip.js';
import { TableSheet } from './table_sheet.js';
import { Tv } from './tv.js';
import { Voice } from './voice.js';
import { Whose } from './whose.js';
import { language, learn, patiently, say, seat, stay, watches } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);

const link = new Link(() => `?${new URLSearchParams({ lang: language, ...(seat() ? { seat: seat() } : {}) })}`);
const display = new Display(at('display'), at('said'));
const voice = new Voice();
const press = (key, down) => {
  link.key(key, down);
  board.press(key, down);
};
const keypad = new Keypad(at('keypad'), (key, down) => {
  display.listen(true);
  press(key, down);
});
const board = new Board(at('board'), keypad);
const real = () => !player.sealed && !far.game; // whether people deal real cards
const picker = new Picker(submit, learns, real, claims);
const points = new Points(submit, otherAsks);
const more = new More({ choose: open, play: submit, real, points, plays: (one) => !playedElsewhere().includes(one) });
const amend = new Amend({ state: () => state, play: submit, picker, points });
const moves = new Moves(at('moves'), (move) => amend.show(move));
const news = new News(at('news'), at('happened'), at('bar'), { undo: () => submitted(undo, 'undo'), redo: () => submitted(redo, 'redo'), where: () => player.where });
const hint = new Hint({ state: () => state, changed: () => hint.mark(at('due')), refused: (message) => news.announce(message, 'bad') });
const after = new After(at('after'));
const player = new PlayerPanel(at('moves'), {
  state: () => state, voice, seated: () => link.again(), changed: otherPlayers, said: () => news.found(state), others: (game) => sheet.show(game),
});
const far = new Far(at('due'), { state: () => state, seated: () => link.again(), changed: otherPlayers });
const sheet = new TableSheet({ state: () => state, voice, player, far, seated: () => link.again(), answered: drawAnswer });
const whose = new Whose(at('due'), () => link.again());
const counted = new Counted();
const tv = new Tv(at('tv'));
const claim = new Claim(at('due'), { seated: () => link.again(), announce: (text) => news.announce(text, 'bad') });
let title = '';
let drawn = ''; // the name of the drawn layout
/** @type {import('../state').State} */
let state = /** @type {any} */ (null);
let begun; // called with the first state
const first = new Promise((known) => (begun = known));
const left = new Set(); // asks that were skipped, until the next line
let playing = 0; // this page's lines that are not answered yet
let shownDue = -1; // the line after which the expected entries were drawn last
let answering = false; // whether the tapped button below open hands waits for its answer

// Plays a line for the table as it was when tapped. Returns the refusal, if any. A throw is the same whatever others
// have thrown meanwhile, so it is sent once more while it is still asked for.
function submit(line) {
  return submitted(async (number) => {
    const answer = await play(line, number);
    const now = answer.refused?.state;
    const asked = now?.asks.some(({ code, head }) => code === 'discard' && line.startsWith(`${head} `));
    return asked ? play(line, now.number) : answer;
  }, line);
}

// A tapped element looks sent until its answer has arrived. The same line is not sent twice, unless the page has moved
// on since. Another line waits for its turn, and then applies to the table as the first left it.
let tapped = null;
let newest = 0; // the number of this page's last line
let before = Promise.resolve();
const sent = new Map(); // the lines that are not answered yet, with the number of the table that they apply to
addEventListener('click', ({ target }) => {
  tapped = target instanceof Element ? target.closest('button') : null;
}, { capture: true });

async function submitted(act, line) {
  if (sent.get(line) >= state.number) {
    const problem = { code: 'already-sent', message: say('already-sent') };
    news.announce(problem.message);
    return problem;
  }
  news.announce(say('saving'));
  const mark = tapped;
  mark?.classList.add('sent');
  sent.set(line, Infinity);
  playing += 1;
  let number;
  const turn = before.then(() => {
    number = Math.max(state.number, newest);
    sent.set(line, number);
    return act(number);
  });
  before = turn.then(() => {}, () => {});
  const answer = await turn;
  newest = answer.number ?? 0;
  drawAnswer(answer);
  playing -= 1;
  if (sent.get(line) === number) sent.delete(line);
  mark?.classList.remove('sent');
  const problem = answer.refused ?? answer.error;
  if (problem) {
    news.announce(problem.message, 'bad');
    return problem;
  }
  news.show(state);
  return null;
}

// An answer has the table with it. It is shown at once: until the link brings it too, the page would offer what was
// just done. Returns the answer.
let shown = null; // the table of the last answer, which the link brings once more, after older ones that were on their way
function drawAnswer(answer) {
  const next = answer.state ?? answer.refused?.state;
  if (next?.number > state.number && next.viewer === state.viewer) {
    shown = next;
    draw(next);
  }
  return answer;
}

// Whether the player of an ask counts a hand before the board does.
function learns({ code, seat: asks, beside }) {
  return Boolean(beside) && ['show', 'crib'].includes(code) && state.counts?.[asks - 1] === true;
}

// Whether a player states a hand's count before the board does: others may take missed points.
function claims({ code }) {
  return state.claims && ['show', 'crib'].includes(code);
}

// Whether one tap counts a hand: the board knows its cards, and its player leaves the count to the board.
const counts = (asked) => asked.kind === 'confirm' && ['show', 'crib'].includes(asked.code) && !real() && !learns(asked) && !claims(asked);

// Whether that tap also counts the crib, which is its dealer's and comes next.
const both = ({ code, seat: asks }) =>
  player.sealed && code === 'show' && asks === state.dealer && state.moves.some(({ verb }) => verb === 'discard');

// Counts a hand, which is then shown with its count.
function count(asked) {
  const codes = both(asked) ? ['show', 'crib'] : [asked.code];
  for (const code of codes) counted.open(state, { ...asked, code });
  return submitted(async (number) => {
    const answer = await play(line(asked), number);
    const crib = answer.state?.asks.find(({ code, kind, due: now, seat: asks }) => now && kind === 'confirm' && code === 'crib' && asks === asked.seat);
    return crib && codes.includes('crib') ? play(line(crib), answer.number) : answer;
  }, line(asked));
}

// The question after open counts, if one tap answers it: the next deal, or the own count.
function onward(now) {
  if (now.over) return null;
  const { shown } = arrange(now);
  const [{ asked } = { asked: null }] = shown;
  if (shown.length !== 1 || asked.kind !== 'confirm' || claims(asked) || (asked.beside && !counts(asked))) return null;
  const { button: text, hand = null } = withHand(asked);
  return { asked, text, hand };
}

// A question that one tap counts, with the cards of its hand: the player may count them first.
function withHand(asked) {
  if (!counts(asked)) return asked;
  const hand = asked.code === 'show' ? played(asked) : null; // a crib is opened by its count
  return { ...asked, button: both(asked) ? say('count-both') : asked.button, hand };
}

// A player's options other than these points, below them.
function otherAsks(number, dialog, points) {
  const same = ({ kind, choices }) => kind === 'choice' && choices.every(({ text }) => points.includes(Number(text)));
  const asks = state.asks.filter((asked) => asked.seat === number && !same(asked));
  return asks.length > 0 ? more.buttons(asks, dialog) : null;
}

// The seats that the board or another house plays.
const playedElsewhere = () => (player.playing ? [player.playing] : far.others);

// The counts of such seats that nobody here has seen yet; none on a phone without a seat.
const toSee = () => (player.sealed && !seat() ? [] : counted.left(state, playedElsewhere()));

const CUTS = ['dealer', 'cut']; // the questions before the first deal

// The board moves for its own seat; people are asked only for its cards.
function due(now) {
  const open = toSee();
  const asked = dueNow(now);
  if (open.length > 0 && document.body.dataset.role === 'player') return { ...now, counted: open, next: open[0].cut ? null : onward(asked) };
  return { ...asked, asks: asked.asks.map(withHand), offersGame: player.offersGame };
}

function dueNow(now) {
  const away = playedElsewhere(); // seats whose cards nobody plays here
  const cutting = player.cuts && now.dealer === null; // nobody is asked who deals if the board cuts
  const unsure = now.dealer === null && now.features.includes('bot') && !player.asked;
  const open = now.asks.map((asked) => ({
    ...asked, due: asked.due && !left.has(asked.head) && far.due(asked) && !(unsure && CUTS.includes(asked.code)), left: asked.due && left.has(asked.head),
  }));
  const { may } = far;
  if (far.looks || may?.first) return { ...now, asks: open, looks: true, may };
  if (away.length === 0) return { ...now, unsure, ...onOwnPhone(now, open), free: player.free, tonight: player.known, may, again: far.again };
  const own = open.filter(({ code }) => code !== 'all-go'); // players elsewhere enter their own lines
  const dealt = ({ code }) => player.sealed && ['hand', 'starter'].includes(code); // by the board
  // The cards that the board deals are played on the phone of their player, where they are shown.
  const other = player.sealed && seat() !== String(3 - player.playing) ? 3 - player.playing : 0;
  if (other) away.push(other);
  // Until the board has dealt the hands, nobody is asked for anything; the board also turns up the starter.
  const dealing = player.sealed && !now.redo && own.some(({ code }) => code === 'hand');
  const deals = ({ code }) => dealing || (player.sealed && code === 'starter');
  const entered = ({ code }) => code === 'hand' || (player.uncounted && ['show', 'crib'].includes(code));
  const plays = (asked) => (player.playing === decides(asked, now) && !entered(asked))
    || deals(asked) || (other > 0 && asked.kind === 'cards');
  const told = (asked) => (asked.code === 'hand' && asked.seat === player.dealtTo ? { ...asked, text: say('hand-unseen', { name: now.seats[asked.seat - 1] }) } : asked);
  const asks = own.filter((asked) => !dealt(asked)).map((asked) => (plays(asked) ? { ...asked, due: false } : told(asked)));
  const later = ({ code, seat: asks }) => Number(code !== 'hand' || asks !== player.dealtTo);
  return { ...now, away, pegs: pegging(now), cutting, asks: asks.map((asked) => (cutting ? { ...asked, due: false } : asked)).sort((one, other) => later(one) - later(other)), tonight: player.playing > 0, may };
}

// The seats that may peg points without cards. There are none if the board deals, in a game between houses, where all
// points come from cards, or if this board watches one.
const pegging = (now) => (far.game || far.looks || player.sealed ? [] : now.pegs);

function open(asked) {
  if (asked.kind === 'number') points.ask(asked);
  else picker.show(asked);
}

function choose(tap) {
  if (tap.seen) lookOn();
  else if (tap.next) answerBelow(tap.next);
  else if (tap.ask && counts(tap.ask)) count(tap.ask);
  else if (tap.leave) leave(tap.leave);
  else if (tap.ask?.kind === 'confirm' && (tap.ask.beside || claims(tap.ask))) picker.show(tap.ask, { known: played(tap.ask) });
  else if (tap.line) enter(tap);
  else if (tap.points) points.side(state, tap.points);
  else if (tap.wake) wake();
  else if (tap.stand) far.stand();
  else if (tap.against) player.against();
  else if (tap.level) player.another();
  else if (tap.tonight) sheet.show();
  else if (tap.left) submitted(goOn, 'left');
  else if (tap.ask.kind === 'choice') more.show(state, tap.ask);
  else open(tap.ask);
}

// The button below open hands: they stay, with the button sent, until the page shows the whole answer. A hand and its
// crib are two lines.
async function answerBelow(asked) {
  if (tapped?.classList.contains('sent')) return;
  counted.seen(state, playedElsewhere());
  answering = true;
  const problem = await (counts(asked) ? count(asked) : enter({ line: line(asked), ask: asked }));
  answering = false;
  if (problem) lookOn();
  else showDue();
}

// The open hands were seen.
function lookOn() {
  counted.seen(state, playedElsewhere());
  shownDue = -1;
  showDue();
}

// Skips an ask, so that the next one is asked; after the last one the first is asked again.
function leave(asked) {
  left.add(asked.head);
  if (!due(state).asks.some((other) => other.due)) left.clear();
  shownDue = -1;
  showDue();
}

// On a wide screen the deal so far, and the highlights of a finished game, are above the expected entries, in the place
// of the keypad, which is behind its button.
const wide = matchMedia('(min-width: 64rem)');
const low = matchMedia('(max-height: 61.99rem)');
function placeMoves() {
  const beside = wide.matches && low.matches;
  const [scene, tools] = ['.scene', '.tools'].map((room) => document.querySelector(room));
  if (at('moves').parentElement === (beside ? tools : scene)) return;
  if (beside) tools.prepend(at('after'), at('moves'));
  else {
    scene.append(at('moves'));
    at('moves').before(at('after'));
  }
}

// A room that scrolls is reached by the keyboard. If nothing in it takes the focus, it takes the focus itself.
function reachScene() {
  const scene = document.querySelector('.scene');
  const takes = [...scene.querySelectorAll('a[href], button:enabled, input, summary')].some((one) => !one.closest('[inert]') && one.checkVisibility());
  const alone = scene.scrollHeight > scene.clientHeight && !takes;
  for (const [name, value] of [['tabindex', '0'], ['role', 'group'], ['aria-label', say('deal-so-far')]]) {
    if (alone) scene.setAttribute(name, value);
    else scene.removeAttribute(name);
  }
}
wide.addEventListener('change', placeMoves);
low.addEventListener('change', placeMoves);

function showSides() {
  const seen = { ...state, pegs: pegging(state), opponent: player.opponent };
  drawSides(at('sides'), seen, choose);
  drawStrip(at('strip'), seen);
}

const FADE = 22; // px of scrolled content that fade out, as in page.css

// Elements that are tapped repeatedly keep their places, but a new question is shown from its beginning.
function showDue() {
  if (answering && shownDue === state.number) return; // or the answered question would be asked again
  const room = at('due');
  // A row asks the same question while its cards are the same; the player may change.
  const asks = () => {
    const row = room.querySelector('.row');
    const [hand, held] = ['.hand-row', '.held'].map((kind) => row?.matches(kind));
    return { row: Boolean(row), waits: !row || held, cards: hand ? 'hand' : row?.dataset.asks, text: room.querySelector('h2')?.textContent };
  };
  const foot = () => room.querySelector('.row')?.getBoundingClientRect().bottom ?? 0;
  const [had, rolled, below, full, stood] = [asks(), room.scrollTop, room.scrollHeight - room.scrollTop, room.scrollHeight > room.clientHeight, foot()];
  hint.follow(state);
  drawDue(room, { ...due(state), help: hint.node }, choose);
  room.querySelector('[data-focus=go-on]')?.classList.toggle('sent', answering);
  hint.mark(room);
  if (shownDue !== state.number) {
    const now = asks();
    const anew = now.waits ? had.text !== now.text : had.cards !== now.cards;
    room.style.setProperty('--above', '0px');
    const lost = below - room.scrollHeight; // above what is rolled up to
    // If everything fits, the button that continues must be visible at the bottom.
    const inSight = room.scrollHeight <= room.clientHeight && room.querySelector('.act.first');
    const empty = lost - rolled > room.clientHeight / 2; // would be hidden, and nothing of the question
    if (full && !anew && lost > 0 && !inSight && !empty) room.style.setProperty('--above', `${lost}px`);
    room.scrollTop = room.scrollHeight - below;
    if (now.row && had.cards === now.cards && Math.abs(foot() - stood) >= .5) {
      // Free space above moves nothing, so the additional height is measured without free space.
      const most = room.clientHeight;
      room.style.setProperty('--above', `${most}px`);
      const wanted = stood - (foot() + room.scrollTop - room.clientHeight);
      const spare = most - (room.scrollHeight - room.clientHeight);
      const above = inSight ? Math.min(wanted, spare) : wanted;
      room.style.setProperty('--above', `${Math.max(0, above)}px`);
      room.scrollTop = above > 0 ? 0 : foot() + room.scrollTop - stood;
    }
    const head = room.querySelector('.welcome, h2').getBoundingClientRect();
    const { top, bottom } = room.getBoundingClientRect();
    if (anew && (head.top < top || head.bottom > bottom)) room.scrollTop += head.top - top - FADE;
    if (anew) showAnswer(room);
  }
  shownDue = state.number;
}

// A new question is visible with the button that answers it, if both fit: the alternatives scroll above.
function showAnswer(room) {
  const [head, first] = ['.welcome, h2', '.act.first'].map((part) => room.querySelector(part)?.getBoundingClientRect());
  const { top, bottom } = room.getBoundingClientRect();
  if (first && first.bottom > bottom) room.scrollTop += Math.min(first.bottom - bottom + 4, head.top - top);
}

fades(at('due'));

// The counted cards, as far as this phone knows them: those thrown into the crib, those that a player has played in
// this deal, or this phone's own, if hands are shown before the play.
function played(asked) {
  if (asked.code === 'crib') {
    return state.moves.filter(({ verb }) => verb === 'discard').flatMap(({ line }) => line.split(' ').slice(2)).filter((card) => card !== '?');
  }
  const laid = state.moves.filter(({ verb, seat: whose }) => verb === 'play' && whose === asked.seat).map(({ line }) => line.split(' ')[2]);
  return laid.length === 0 && String(asked.seat) === seat() ? state.held : laid;
}

// A hand known by its ranks may need an answer about suits: it is then counted in the picker first, with the tapped
// cards.
async function enter({ line, ask }) {
  const refused = await submit(line);
  if (refused?.choices && ask) {
    news.show(state);
    picker.show(ask, { cards: cardsOf(line), refused: ask.kind === 'confirm' ? refused : null });
  }
  return refused;
}

function wake() {
  press('#', true);
  press('#', false);
}

// A simulated board uses another layout for more players.
async function fit(name) {
  if (name === drawn) return;
  drawn = name;
  const layout = await patiently('layout');
  if (name !== drawn) return; // another has been chosen since
  title = layout.title;
  board.draw(layout);
  describe();
}

function describe() {
  const scores = state.sides.map((side) => `${side.names.join(' & ')} ${side.score}`);
  document.title = scores.length > 0 ? `${scores.join(' – ')} · boardctl` : 'boardctl';
  board.describe([title, ...scores].join(', '));
  at('strip').setAttribute('aria-label', [say('whole-board'), ...scores].join(', '));
}

// The computer player or another house has taken a seat, or left one.
function otherPlayers() {
  if (!state) return;
  showSides();
  whose.show(state, sheet.people(state.seats), player.sealed);
  showDue();
  sheet.follow(state);
}

function draw(next) {
  if (stay(next.seats)) {
    link.again(); // as visible to this seat
    return;
  }
  const before = state;
  state = next;
  begun();
  fit(next.layout);
  if (before?.number !== next.number) left.clear();
  counted.follow(next);
  const follows = [picker, points, amend].every((dialog) => dialog.follow(state));
  if (before && before.number !== state.number) {
    more.close();
    if (next.number > before.number) voice.speak(next.spoken);
  }
  sheet.follow(state);
  if (state.features.includes('bot')) player.follow();
  showSides();
  showDue();
  at('more').hidden = !state.game;
  at('welcome').hidden = state.begun || state.sides.some(({ won }) => won > 0);
  claim.follow(state);
  whose.show(state, sheet.people(state.seats), player.sealed);
  after.follow(state);
  placeMoves();
  moves.show(state);
  reachScene();
  news.show(state);
  tv.show(state);
  if (!follows && playing === 0) news.announce(say('moved-on'), 'bad');
  at('table').textContent = state.title || say('table');
  at('table').setAttribute('aria-label', `${say('table')}: ${state.title}`);
  describe();
  document.body.dataset.number = String(state.number); // the page shows the state after this line
}

function linked(isOpen, reason = '') {
  document.body.dataset.link = isOpen ? 'open' : 'closed';
  at('link').textContent = isOpen ? say('live') : reason ? say('not-linked', { reason }) : say('linking');
}

// A guest watches, and may be paired; a person who chose to watch on this phone may join again.
function admit(player) {
  const plays = player && !watches();
  document.body.dataset.role = plays ? 'player' : player ? 'watcher' : 'guest';
  for (const id of ['due', 'keypad', 'moves', 'sides', 'bar', 'table', 'player', 'far']) at(id).toggleAttribute('inert', !plays);
  at('pair').hidden = player;
  reachScene();
}

async function tryPin(pin) {
  const { refused, error } = await allowed('pair', { pin }, (message, number) => {
    at('pair-do').textContent = message;
    at('pair-number').textContent = number;
  });
  at('pair-do').textContent = at('pair-number').textContent = '';
  if (refused || error) news.announce((refused ?? error).message, 'bad');
  else link.again();
}

at('ask').addEventListener('click', async () => {
  at('ask').disabled = true;
  const { ticket, refused, error } = await askToPlay();
  if (refused || error) news.announce((refused ?? error).message, 'bad');
  else await tryPin(ticket);
  at('ask').disabled = false;
});

at('pair').addEventListener('submit', async (event) => {
  event.preventDefault();
  const pin = at('pin').value.trim();
  at('pin').value = '';
  await tryPin(pin);
});
// The board itself speaks the language that a player chose last.
at('tongue').addEventListener('click', async (event) => {
  if (document.body.dataset.role !== 'player') return;
  event.preventDefault();
  await command('language', at('tongue').lang);
  location.assign(at('tongue').href);
});
at('table').addEventListener('click', () => first.then(() => sheet.show()));
at('more').addEventListener('click', () => more.show(due(state)));
at('strip').addEventListener('click', () => {
  const shown = document.body.classList.toggle('board-shown');
  at('strip').setAttribute('aria-expanded', String(shown));
});
at('keys').addEventListener('click', () => {
  const shown = document.body.classList.toggle('keys-shown');
  at('keys').setAttribute('aria-expanded', String(shown));
});

link.hear('player', (player) => admit(player));
link.hear('pairs', (pairs) => (document.body.dataset.pairs = pairs ? 'yes' : ''));
link.hear('frame', (leds) => board.show(leds));
addEventListener('click', ({ target }) => {
  if (!(target instanceof Element && target.closest('#keypad, #keys, #board'))) display.listen(false);
});
link.hear('spoken', (sentence) => display.say(sentence));
link.hear('display', (detail) => {
  display.show(detail);
  board.write(detail);
});
link.hear('far', () => far.follow());
link.hear('state', (next) => {
  if (shown && next.number < shown.number) return;
  if (!shown || JSON.stringify(next) !== JSON.stringify(shown)) draw(next);
  shown = null;
});
link.hear('claims', (claims) => claim.hear(claims));
link.hear('claimed', (name) => news.announce(say('seat-claimed', { name })));
link.hear('open', () => {
  shown = null;
  linked(true);
  far.follow();
});
link.hear('closed', (detail) => {
  keypad.releaseAll();
  linked(false, detail.reason);
  news.announce(say('lost'), 'bad');
});
addEventListener('offline', () => link.lose());
addEventListener('online', () => link.wake());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) link.wake();
});

async function begin() {
  const [layout] = await Promise.all([patiently('layout'), learn()]);
  ({ title, name: drawn } = layout);
  at('tongue').textContent = say('other-language');
  at('tongue').lang = language === 'ja' ? 'en' : 'ja';
  at('tongue').href = `?lang=${at('tongue').lang}`;
  new ResizeObserver(reachScene).observe(document.querySelector('.scene'));
  keypad.label();
  board.draw(layout);
  // A phone that scanned the board's QR code has the PIN in the address.
  const pin = new URLSearchParams(location.hash.slice(1)).get('pin');
  if (pin) {
    history.replaceState(null, '', location.pathname + location.search);
    const { refused } = await pair(pin);
    link.open();
    if (refused?.code === 'not-granted') await tryPin(pin);
    return;
  }
  link.open();
  const learnt = new URLSearchParams(location.hash.slice(1)).get('first-game'); // from the end of a lesson
  if (learnt) {
    history.replaceState(null, '', location.pathname + location.search);
    await first;
    if (document.body.dataset.role === 'player') await player.learner(learnt);
    return;
  }
  // The link of another house's invitation.
  const { far: words, broker } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (words) {
    history.replaceState(null, '', location.pathname + location.search);
    far.show(words, broker);
  }
}

begin();

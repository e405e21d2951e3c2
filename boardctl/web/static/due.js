// The prompts: one action now, everything else under "More".

import { drawCounted, drawCut, openHand } from './counted.js';
import { Places, cardRow, gap, handRow, line } from './cards.js';
import { button, el, put } from './dom.js';
import { cardChip, known, language, say, seat, withSuits } from './words.js';

const BUTTONS = 8; // visible at once, without opening anything
const FRAME = 4; // of them: table, keypad, undo, more
const GRID = 8; // choices of a grid at once; the rest is behind "Other"
const TOGETHER = 'firstall-go'; // the button for everybody's go, next to that for one
const FEW = 20; // up to this many numbers are all shown
const FIVES = 5; // numbers in rows of five, if that leaves no row short; otherwise in rows of four
const LETTERS = 15; // anything wider is a sentence, not a word

// The parts of a state that are shown at once, and the rest for "More": the first expected ask, and the same player's
// alternatives to it.
export function arrange(state) {
  const due = ordered(state.asks.filter((asked) => asked.due));
  if (due.length > 0 && offered(due[0], state)) { // each has a button, and is not asked
    const later = due.filter((asked) => offered(asked, state));
    return { shown: later.map((asked) => ({ asked, as: 'button' })), rest: state.asks.filter((asked) => !later.includes(asked)) };
  }
  const pegs = state.sides.filter((side) => side.seats.some((seat) => state.pegs.includes(seat)));
  let left = BUTTONS - FRAME - pegs.length;
  const shown = [];
  const thrown = ({ code }) => ['discard', 'play'].includes(code) && ownHand(due[0]); // of a hand that is asked for first
  const inRow = due.find((asked) => asked.seat === due[0].seat && !thrown(asked) && (asInRow(asked) || ofHand(asked, state)));
  const full = inRow && !ofHand(inRow, state); // a pack leaves no room for a grid beside it
  for (const asked of due) {
    const beside = ownHand(asked) || (ownHand(due[0]) && asked.code === 'starter') || (asked.seat !== null && asked.seat === due[0].seat);
    if (shown.length > 0 && !beside) continue;
    const row = asked === inRow;
    const bare = asked.kind === 'choice' && asked.choices.every(({ cards }) => cards.length === 0);
    // The questions who deals, for any number of players, and the bids of all rounds have equal buttons, because no
    // answer is the usual one.
    const choices = bare && asked.code !== 'dealer' && !mayPass(asked) && asked.choices.length <= Math.min(3, left);
    const room = !full && !(inRow && asked.kind === 'number'); // numbers next to cards are behind a button
    const grid = room && !choices && options(asked).length > 0 && !shown.some(({ as }) => as === 'grid');
    // a pass is shown next to the bids
    const cost = row || `first${asked.code}` === TOGETHER || (grid && asked.kind === 'number') ? 0 : choices ? asked.choices.length : 1;
    if (cost > left) continue;
    left -= cost;
    // A pack fills the space; only one more element fits beside it.
    if (row && !asked.ranks) left = Math.min(left, shown.some((part) => part.as === 'choices') ? 0 : 1);
    shown.push({ asked, as: row ? 'row' : choices ? 'choices' : grid ? 'grid' : 'button' });
  }
  // Missed points may be called by anybody who did not miss them, on their own phone or a shared one.
  const calls = state.asks.filter(({ code, due: now, seat: asks }) => now && code === 'muggins' && ['', String(asks)].includes(seat()));
  for (const asked of calls) {
    if (!shown.some((other) => other.asked === asked)) shown.push({ asked, as: 'button' });
  }
  const rest = state.asks.filter((asked) => !shown.some((other) => other.asked === asked));
  return { shown, rest };
}

// Asks before which, or instead of which, points are pegged: tables that enter only points bid away from the board.
const offered = ({ later, seat: asks }, { telling, phase, pegs }) =>
  later || (telling === 'points' && phase === 'bid' && pegs.includes(asks));

// Questions to the table come before questions about cards: who deals, before who cuts which card. A turned-up card
// comes first, because it shows more than its suit.
function ordered(due) {
  const table = due.find(({ seat: asks, kind: of, code, later }) => asks === null && (of === 'choice' || code === 'turnup') && !later);
  return table && due[0].kind === 'cards' && due[0].seat !== null ? [table, ...due.filter((asked) => asked !== table)] : due;
}

// A hand that this phone's player may enter before anything about it is asked.
const ownHand = ({ code, seat: asks }) => code === 'hand' && String(asks) === seat();

// The seat that answers an ask: also for trumps, which the bidder names for the table.
export const decides = ({ code, seat: asks }, { turn }) => asks ?? (code === 'name-trump' ? turn : null);

// The questions on a player's own phone, at a table of people: that player's come first. A player who has entered a
// hand plays it on another phone (`away`); later questions wait here too.
const COUNTED = ['show', 'crib']; // laid open for everybody
export function onOwnPhone(state, asks) {
  const own = Number(seat());
  const entered = (one) => state.moves.some(({ verb, seat: whose }) => verb === 'hand' && whose === one);
  const away = own ? state.seats.map((_, n) => n + 1).filter((one) => one !== own && entered(one)) : [];
  const theirs = (asked) => away.includes(decides(asked, state)) && !COUNTED.includes(asked.code);
  const due = asks.filter((asked) => asked.due);
  const asksOwn = due.some((asked) => asked.seat === own && asked.code === due[0].code);
  const owns = entered(own) && asksOwn ? due.filter((asked) => asked.seat === own) : [];
  const waits = owns.length === 0 && due.length > 0 && theirs(due[0]);
  // The own hand, or the rest of it, is asked before bids, plays or throws from it, and before the cut.
  const hand = entered(own) || ['bid-points', 'starter', 'discard', 'crib'].includes(due[0]?.code) ? due.filter(ownHand) : [];
  const first = [...hand, ...owns.filter((asked) => !hand.includes(asked))];
  const left = asks.filter((asked) => !first.includes(asked))
    .map((asked) => ((waits && !ownHand(asked)) || theirs(asked) ? { ...asked, due: false } : asked));
  return { away, asks: [...first, ...left] };
}

export const cardsOf = (entered) => entered.split(' ').slice(2).filter((part) => /^[A2-9TJQK]([SHDC]\d?)?$/.test(part));

// Whether an ask may be skipped: another player gets or got the same ask, so nobody has to answer.
export const mayLeave = (state, asked) =>
  state.asks.some((other) => (other.due || other.left) && other.code === asked.code && other.seat !== asked.seat);

// One card, entered by one tap on it.
const asInRow = ({ kind, most, ranks, cards }) =>
  kind === 'cards' && most === 1 && (ranks || (cards !== null && new Set(cards.map((card) => card.slice(0, 2))).size <= 32));

// A player's own cards, where this phone knows all of them.
const ofHand = ({ kind, code, seat: asks, least, most, cards }, { held }) =>
  kind === 'cards' && String(asks) === seat() && ['discard', 'play'].includes(code) && least === most
  && cards?.every((card) => held.includes(card));

// Bids are in pages: the number of a page's bids below the lowest possible one. The others keep their places until
// the next page.
const PAGE = GRID - 1;
const paged = ({ least, scale }) => Math.floor(least / scale) % PAGE;

// The lower bids of this page, which nobody may make now. They come before the others.
const surpassed = (asked) => Array.from({ length: paged(asked) }, (_, n) => String(asked.least - (paged(asked) - n) * asked.scale));

// The choices of a grid: melds with the cheapest first, because those are the most frequent; all numbers if they are
// few; one page of bids.
function options(asked) {
  if (asked.kind === 'choice') {
    return [...asked.choices].sort((one, other) => (one.points ?? 0) - (other.points ?? 0));
  }
  if (asked.kind !== 'number') return [];
  const { least, most, scale, barred } = asked;
  const count = Math.floor((most - least) / scale) + 1;
  if (count > FEW && least === 0) return [];
  return Array.from({ length: count <= FEW ? count : Math.min(count, PAGE - paged(asked)) }, (_, n) => least + n * scale)
    .filter((number) => !barred.includes(number))
    .map((number) => ({ line: line(asked, String(number)), text: String(number), cards: [] }));
}

// Draws the expected entries into `place`; `choose` is called with the tapped one.
export function drawDue(place, state, choose) {
  place.classList.toggle('counts', Boolean(state.counted));
  if (state.counted) {
    const { counted: moves, next } = state;
    // The second tap of two quick ones was meant for the button that was here before.
    const act = ({ detail }) => { if (detail < 2) choose(next ? { next: next.asked } : { seen: true }); };
    put(place, ...(moves[0].cut ? drawCut({ state, act }) : drawCounted({ moves, next, state, act })));
    return;
  }
  const { shown } = arrange(state);
  const first = shown[0];
  const later = first !== undefined && offered(first.asked, state); // points are pegged first, so nothing is asked yet
  // A row of cards answers the heading; what else may be done has its own words on its buttons. So does a single answer
  // that names its player, beside choices that need their question.
  const alone = first && isAlone(first, state) ? shown.find(({ as }) => as === 'grid') : undefined;
  const headed = later ? undefined : shown.find(({ as }) => as === 'row') ?? alone ?? first;
  place.classList.toggle('over', state.over);
  place.classList.toggle('short', state.telling === 'points'); // no cards are asked for
  const row = shown.find(({ as }) => as === 'row')?.asked;
  const own = ownCards(state, shown, row, (line) => choose({ line }));
  const tonight = () => button(say('tonight'), () => choose({ tonight: true }), '', 'tonight');
  const against = () => button(say('against'), () => choose({ against: true }), '', 'against');
  const title = headed && headed.asked.kind !== 'confirm' ? headed.asked.text : '';
  const grids = (parts) => parts.filter(({ as }) => as === 'grid').map((part) => grid(part.asked, part === headed, choose, state));
  const cards = own?.row ?? (row ? cardRow(state.game, row, (line) => choose({ line, ask: row })) : null);
  if (cards && !own?.row) cards.dataset.asks = row.code;
  place.classList.toggle('packed', Boolean(row && !own?.row && cards.querySelectorAll('.suit').length > 3));
  const buttons = (parts) => parts.filter(({ as }) => ['choices', 'button'].includes(as))
    .flatMap((part) => drawn(part, part === first && !later && !state.again && headed !== alone, part === headed, named(part, state), choose, alike(shown, part)));
  const due = shown.filter((part) => part === headed || later);
  const rest = shown.filter((part) => !due.includes(part));
  const answers = [own?.done, ...buttons(due)];
  const others = [
    ...buttons(rest.filter(({ as }) => as === 'button')),
    state.may ? button(state.may.text, () => choose({ stand: true }), state.may.first ? 'first' : '', 'stand') : null,
    state.unfinished ? button(say('go-on-with', { scores: state.unfinished }), () => choose({ left: true }), '', 'left') : null,
    state.over && state.hints.some(Boolean) ? el('p', { class: 'hint whole' }, helped(state)) : null,
    state.over ? el('a', { class: 'act', href: `history.html?lang=${language}#newest`, 'data-focus': 'look' }, say('look-at-it')) : null,
    state.tonight && state.over ? tonight() : null,
    state.free && state.over ? against() : null,
    // Last, next to the question: they stay when a button above them disappears.
    ...buttons(rest.filter(({ as }) => as === 'choices')),
    ...grids(rest),
  ].filter(Boolean);
  const leave = first && (first === headed || alone) && mayLeave(state, headed.asked)
    ? button(say(known(`leave-${headed.asked.code}`) ? `leave-${headed.asked.code}` : 'leave'), () => choose({ leave: headed.asked }), '', 'leave')
    : null;
  // Below cards one button fits: for the alternatives, if no answer to the question is there.
  const asked = others.findIndex((made) => made.matches('.hint')); // its answers stay below it
  const free = asked < 0 ? others : others.slice(0, asked);
  const one = cards && !leave && !answers.some(Boolean) ? free.find((made) => made.matches('.act')) : null;
  // next to the go of one player
  const below = others.filter((made) => made === one || (cards && made.dataset.focus === TOGETHER));
  const of = inDeal(state, headed?.asked.head);
  const otherwise = inPlaces(of, others.filter((made) => !below.includes(made)));
  const also = otherwise.length > 0 ? asks('else', ...otherwise) : null;
  const tap = cards && !leave && below.length === 0 ? own?.tap : null;
  // The order from top to bottom: the question, its answers, the alternatives. Cards, which are tapped repeatedly,
  // stay at the bottom, with the alternatives above them.
  put(
    place,
    state.tonight && !state.begun && !state.over && !state.sides.some(({ won }) => won > 0)
      ? asks('welcome', tonight(), state.offersGame ? against() : null)
      : null,
    el('h2', { class: title ? '' : 'unseen', tabindex: '-1' }, title || say('due')),
    title ? state.help ?? null : null, // a single answer needs no hint
    standing(state),
    first && !later ? null : nothing(state, choose),
    first?.asked.hand ? openHand(first.asked.hand, state.starter) : null,
    cards ? also : null,
    ...grids(due),
    cards,
    ...(cards ? [asks('below', ...answers, leave, ...below, tap)] : [asks('answers', ...answers), asks('', leave), also]),
  );
  // A removed element leaves no gap that would push others out of sight.
  if (place.scrollHeight > place.clientHeight) {
    for (const made of forget()) made.remove();
  }
}

const asks = (kind, ...inside) => el('div', { class: `asks ${kind}` }, ...inside);

// The cards in the hand of this phone's player, and the button that submits the chosen ones. They are shown even if
// they are not asked for, unless other cards, or the melds from them, are. Their places are kept until the next deal.
const handLies = new Places();
function ownCards(state, shown, row, play) {
  const asked = row && ofHand(row, state) ? row : null;
  const others = shown.some((part) => (part.as === 'row' && !asked) || (part.as === 'grid' && options(part.asked).some(({ cards }) => cards.length > 0)));
  const dealt = state.moves.filter(({ verb, seat: whose }) => verb === 'deal' || (verb === 'hand' && String(whose) === seat())).map(({ place }) => place);
  const hand = handLies.lay([state.session, state.game, seat(), ...dealt].join(), state.held, true);
  return hand.length === 0 || state.over || (others && !asked) ? null : handRow(hand, asked, play);
}

// The question, by a name that no other deal has.
const inDeal = ({ session, moves }, what) => [session, moves[0]?.place, what].join();

// The alternatives keep their places while the same question is asked: a removed one leaves a gap.
let lasting = { of: '', all: [] };
function inPlaces(of, all) {
  const name = (made) => made.dataset.focus ?? made.getAttribute('aria-label') ?? made.textContent;
  const now = (old) => all.find((made) => name(made) === name(old));
  const before = lasting.of === of ? lasting.all : [];
  for (const gone of before.filter((old) => !now(old))) {
    gone.classList.add('gone');
    for (const made of [gone, ...gone.querySelectorAll('button')]) made.disabled = true;
  }
  lasting = { of, all: [...before.map((old) => now(old) ?? old), ...all.filter((made) => !before.some((old) => name(old) === name(made)))] };
  return lasting.all;
}

// Removes the gaps of elements that are gone, when their room is no longer kept.
function forget() {
  const gone = lasting.all.filter((made) => made.matches('.gone'));
  lasting.all = lasting.all.filter((made) => !gone.includes(made));
  return gone;
}

// A choice's kind without its cards, and one of each kind: the one with the most different cards.
const kind = ({ text, cards }) => (cards.length > 0 ? text.replace(/ \(.*\)$/, '') : text);
function kinds(all) {
  const found = new Map();
  for (const choice of all) {
    const other = found.get(kind(choice));
    if (!other || new Set(choice.cards).size > new Set(other.cards).size) found.set(kind(choice), choice);
  }
  return [...found.values()];
}

// Bids with suits vary from round to round. Bids without one are below them, "Pass" first, so that it keeps its
// place.
const mayPass = ({ kind: of, choices }) => of === 'choice' && choices.some(passes);
const passes = ({ line: said }) => said.endsWith(' pass');
const atFoot = (asked) => (mayPass(asked)
  ? asked.choices.filter(({ line: said }) => !/ [SHDC]$/.test(said)).sort((one, other) => passes(other) - passes(one)) : []);

// The width of a text in letters; Chinese and Japanese ones count twice.
const wide = (text) => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1), 0);

// Choices to tap, with their cards; the rest is behind "Other", or omitted in a separate sheet. The choices of a deal
// keep their places while others are taken (`state`: of the table).
const choicesLie = new Places();
export function grid(asked, headed, choose, state = null) {
  const whole = state === null;
  const foot = atFoot(asked);
  const all = options(asked).filter((choice) => !foot.includes(choice));
  const bids = asked.kind === 'number' && (asked.most - asked.least) / asked.scale >= FEW;
  const more = !whole && (bids || (asked.kind !== 'number' && all.length > GRID));
  const choiceOf = (choice) => {
    const made = el('button', { type: 'button', class: 'choice', 'data-focus': choice.line },
      el('span', {}, ...withSuits(kind(choice))),
      choice.cards.length > 0 ? el('span', { class: 'little' }, ...choice.cards.map((card) => cardChip(card))) : null);
    made.addEventListener('click', () => choose({ line: choice.line }));
    return made;
  };
  const named = (choice) => (all.filter(({ text }) => text === choice.text).length > 1 ? choice.line : choice.text);
  const made = new Map((more ? kinds(all).slice(0, GRID - 1) : all).map((choice) => [named(choice), choiceOf(choice)]));
  const other = el('button', { type: 'button', class: 'choice other', 'data-focus': 'other' }, say('other'));
  other.addEventListener('click', () => choose({ ask: asked }));
  const of = whole ? '' : inDeal(state, asked.code);
  const laid = whole ? [...made.values()]
    : bids ? [...surpassed(asked).map((text) => el('button', { type: 'button', class: 'choice', disabled: '' }, el('span', {}, text))), ...made.values()]
    : choicesLie.lay(of, [...made.keys()]).map(({ one, here }) => (here ? made.get(one) : gap()));
  const letters = Math.max(0, ...all.map(({ text }) => wide(text)));
  const few = asked.kind === 'choice' && !more && all.length <= 4 ? 'few' : '';
  const bare = few || (laid.length % FIVES === 0 ? 'fives' : 'fours'); // rows of equal length
  const size = all.some(({ cards }) => cards.length > 0) ? 'wide' : letters > LETTERS ? 'words long' : letters > 4 ? 'words' : bare;
  return el('div', { class: 'grid', role: 'group', 'aria-label': asked.text },
    headed ? null : el('p', { class: 'hint' }, asked.text),
    all.length > 0 ? el('div', { class: `choices ${size}` }, ...laid, more ? other : null) : null,
    foot.length > 0 ? el('div', { class: 'choices foot' }, ...foot.map(choiceOf)) : null);
}

// The number of hints that each player got in the finished game.
const helped = ({ hints, seats }) =>
  say('hints-given', { hints: hints.map((many, n) => (many ? `${seats[n]} ${many}` : '')).filter(Boolean).join(', ') });

// The facts of the deal besides the scores: the count with its cards, and the starter; or trumps, the contract and
// the values of melds; for a finished game, its value.
const CONTRACT = ['trump', 'no-trump', 'all-trump', 'maker', 'taker', 'bidder', 'melds'];
function standing({ count, left, laid, starter, telling, readouts, worth, over }) {
  if (count !== null) {
    if (telling !== 'cards' && count === 0) return null;
    return el('p', { class: 'running' },
      el('span', { class: `laid ${count > 0 ? '' : 'down'}` },
        el('b', {}, say('running', { count })), ' ', count > 0 ? el('span', {}, say('left', { left })) : null,
        el('span', { class: 'cards' }, ...laid.map((card) => cardChip(card)))),
      starter === null ? null : el('span', { class: 'turned', title: say('starter') },
        el('span', { class: 'unseen' }, say('starter')), cardChip(starter, 'lit')));
  }
  if (worth) return el('p', { class: 'running' }, el('span', {}, worth));
  const told = readouts.filter(({ code }) => CONTRACT.includes(code));
  return over || told.length === 0 ? null : el('p', { class: 'running' },
    el('span', {}, ...withSuits(told.map(({ text }) => text).join(' · '))));
}

// Next to another question, answers that name their player need no question.
const named = ({ asked: { seat: asks, choices = [] } }, { seats }) => choices.every(({ text }) => text.includes(seats[asks - 1]));
const isAlone = ({ as, asked }, state) => as === 'choices' && asked.choices.length === 1 && named({ asked }, state);

// Whether another player is asked the same: their buttons need names of their own.
const alike = (shown, part) => shown.some(({ asked }) => asked !== part.asked && asked.code === part.asked.code);

function drawn({ asked, as }, first, headed, named, choose, isAlike) {
  const kind = first ? 'first' : '';
  if (as === 'choices') {
    return [
      headed || named ? null : el('p', { class: 'hint whole' }, asked.text),
      ...asked.choices.map((choice, n) => {
        const made = button(choice.text, () => choose({ line: choice.line }), n === 0 ? kind : '', choice.line);
        made.classList.toggle('half', !headed && wide(choice.text) > LETTERS);
        return made;
      }),
    ];
  }
  const tap = asked.kind === 'confirm' ? { line: line(asked), ask: asked } : { ask: asked };
  const text = headed && asked.kind !== 'confirm' ? say(`tell-${asked.kind}`) : asked.button;
  return [button(text, () => choose(tap), kind, `first${asked.code}${isAlike ? asked.seat : ''}`)];
}

// Whether the hand to be counted is impossible with any cards, or lacks a starter: it is pegged by its points, or by
// none.
export const noHandFits = ({ phase, telling, pegs, turn, asks: all }) =>
  phase === 'show' && telling !== 'points' && pegs.includes(turn) && !all.some(({ due }) => due);

function byPoints(state, choose) {
  const side = state.sides.find(({ seats }) => seats.includes(state.turn));
  return asks('answers',
    el('p', { class: 'hint' }, say(state.starter ? 'no-hand-fits' : 'no-starter')),
    button(say('points-for', { name: state.seats[state.turn - 1] }), () => choose({ points: side }), 'first', 'hand-points'));
}

// No ask is expected: points are pegged from the players' own buttons, or the evening is over.
function nothing(state, choose) {
  if (!state.game) {
    return el(
      'div',
      { class: 'asks' },
      el('p', {}, say('asleep')),
      button(say('wake'), () => choose({ wake: true }), 'first', 'wake'),
    );
  }
  if (state.looks || state.unsure) return null;
  if (state.cutting) return el('p', { class: 'hint' }, say('cutting'));
  const awaited = [...state.asks.map((asked) => decides(asked, state)), state.dealer].find((one) => state.away?.includes(one));
  if (awaited) return el('p', { class: 'hint' }, say('player-thinks', { name: state.seats[awaited - 1] }));
  if (noHandFits(state)) return byPoints(state, choose);
  if (state.seats.length === 0) return el('p', { class: 'hint' }, say('who-plays'));
  return state.pegs.length > 0 ? el('p', { class: 'hint' }, say('only-points')) : null;
}

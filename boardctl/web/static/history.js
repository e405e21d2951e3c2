// The history: evenings and their games, each of which can be replayed hole by hole, and the statistics.

import { gifts, newestGame } from './after.js';
import { analysisRoom, season } from './analysis.js';
import { get, turns } from './ask.js';
import { Board } from './board.js';
import { columns, figures, scoreLines, stackedBars } from './charts.js';
import { button, el, focusOn } from './dom.js';
import { combinations } from './picker.js';
import { learn, locale, patiently, say, withCards } from './words.js';

const SOURCES = ['play', 'hand', 'crib', 'other'];
const PACE = 700; // ms per move when a game is replayed
const at = (id) => document.getElementById(id);
const day = (time) =>
  new Date(time).toLocaleDateString(locale(), { day: 'numeric', month: 'short', year: 'numeric' });
const AGAIN = 2000; // ms between two checks of games that are still being read
const LATER = 10000; // ms before an unreadable history is requested again
let layout = null;
let overview = { games: [], players: [], earlier: false, reading: null };

function drawEvenings({ games, earlier: more, reading }) {
  const items = [...grouped(games).values()].reverse().map((evening) =>
    el(
      'section',
      { class: 'evening' },
      el('h3', {}, day(evening[0].began)),
      el('ol', { class: 'games-list' }, ...[...evening].reverse().map((game) => el('li', {}, row(game)))),
    ),
  );
  at('evenings').replaceChildren(
    el('h2', {}, say('evenings')),
    ...(reading ? [el('p', { role: 'status', class: 'reading' }, say('reading-games', {
      percent: Math.floor((100 * reading.done) / reading.of),
    }))] : []),
    ...(items.length || reading ? items : [el('p', {}, say('no-games'))]),
    ...(more && !reading ? [earlier(games[0].number)] : []),
  );
}

// A button for the page of games before the shown ones.
function earlier(first) {
  const more = button(say('earlier-games'), async () => {
    more.disabled = true;
    const page = await get('history', { before: first });
    if (page.error) {
      more.replaceWith(el('p', { class: 'refused', role: 'alert' }, page.error.message));
      return;
    }
    overview.games = [...page.games, ...overview.games];
    overview.earlier = page.earlier;
    draw();
    /** @type {any} */ (document.querySelector(`[data-game="${page.games.at(-1)?.number}"]`))?.focus();
  }, 'small', 'earlier');
  return more;
}

function grouped(games) {
  const found = new Map();
  for (const game of games) found.set(game.evening, [...(found.get(game.evening) ?? []), game]);
  return found;
}

function row(game) {
  const made = el(
    'button',
    { type: 'button', class: 'move', 'data-game': game.number },
    el('span', { class: 'what' }, ...game.sides.flatMap((name, side) => [
      el('b', { class: `side${side + 1}` }, `${name} ${game.scores[side] ?? 0}`), ' ',
    ])),
    el('span', { class: 'why' }, `${game.title} · ${ending(game)}`),
  );
  made.addEventListener('click', () => show(game.number));
  return made;
}

function ending(game) {
  if (game.state !== 'won') return say(game.state);
  const won = say('won-by', { name: game.sides[game.winner - 1] });
  return game.margin === 'game' ? won : `${won} · ${say(`margin-${game.margin}`)}`;
}

function drawPlayers({ games, players: all }) {
  const place = at('players');
  const players = all.filter((player) => player.games > 0);
  place.hidden = players.length === 0;
  const mean = (value) => (value === null ? '–' : value.toFixed(1));
  const luck = (value) => (value === null ? '–' : `${value > 0 ? '+' : ''}${value.toFixed(2)}`);
  const head = ['games-played', 'games-of', 'streak', 'skunks', 'best-hand', 'mean-hand', 'mean-crib', 'mean-luck'];
  const rows = players.map((p) => [
    p.name, p.games, p.won, p.streak, p.skunks, p.hand === null ? '–' : p.best_hand, mean(p.hand), mean(p.crib), luck(p.luck),
  ]);
  const pieces = SOURCES.map((key) => ({ key, name: say(`source-${key}`) }));
  place.replaceChildren(
    el('h2', {}, say('players')),
    figures(say('players'), head.map((code) => say(code)), rows),
    el('p', { class: 'hint' }, say('luck-why')),
    el('h3', {}, say('points-by-source')),
    stackedBars(say('points-by-source'), players, pieces),
    el('h3', {}, say('by-evening')),
    byEvening(games, players.map(({ name }) => name)),
    ...(games.some(({ won }) => won.some((many) => many > 1)) ? [el('p', { class: 'hint' }, say('won-double'))] : []),
    ...season(games),
  );
}

function byEvening(games, names) {
  const groups = [...grouped(games).values()].map((evening) => ({
    name: new Date(evening[0].began).toLocaleDateString(locale(), { day: 'numeric', month: 'numeric' }),
    values: names.map((name) =>
      evening.reduce((sum, game) => {
        const side = game.teams.findIndex((mates) => mates.includes(name));
        return sum + (side < 0 ? 0 : (game.won[side] ?? 0));
      }, 0),
    ),
  }));
  return columns(say('by-evening'), groups, names);
}

function drawFiles() {
  const links = [['export/games.csv', 'all-csv'], ['export/games.json', 'all-json']];
  at('files').replaceChildren(
    el('h2', {}, say('download')),
    el('p', { class: 'asks' }, ...links.map(([href, code]) => el('a', { class: 'act', href, download: '' }, say(code)))),
  );
}

// One game, hole by hole: the one tapped last.
const showing = turns();
let opened = false; // whether a game has been opened
async function show(number) {
  opened = true;
  const place = at('game');
  place.hidden = false;
  place.replaceChildren(el('p', { role: 'status' }, say('reading')));
  stepTo = null;
  const newest = showing();
  const game = await get(`history/${number}`);
  if (!newest()) return;
  if (game.error) {
    refuse(place, game.error.message);
    return;
  }
  const frame = el('div', { class: 'board' });
  const chart = scoreLines(say('score-chart'), game.sides, game.steps.map((step) => step.scores));
  const slider = el('input', {
    type: 'range', min: 0, max: game.steps.length - 1, value: game.steps.length - 1, 'aria-label': say('replay'),
  });
  const news = el('div', { class: 'told', role: 'status', tabindex: '-1' });
  const run = button(say('play'), () => toggle());
  const back = stepper('back', 'viewer-back', () => go(Number(slider.value) - 1));
  const on = stepper('on', 'viewer-on', () => go(Number(slider.value) + 1));
  const first = game.steps.findIndex(({ line }) => line.startsWith('game '));
  const errors = new Map(); // by step, the sentence of an error
  place.hidden = false;
  place.replaceChildren(
    el('header', {}, el('h2', {}, `${game.sides.join(' – ')}, ${day(game.began)}`)),
    gifts(number, game.sides.join(' – '),
      el('a', { class: 'act', href: `export/${number}.txt`, download: '' }, say('as-notation'))),
    frame,
    el('div', { class: 'player' }, back, on, slider, run),
    el('p', { class: 'hint keys' }, say('viewer-keys')),
    news,
    ...(game.judged || game.weighed ? [analysisRoom(number, jump, found)] : []),
    el('h3', {}, say('score-chart')),
    chart,
  );
  const board = new Board(frame);
  const drawn = game.board ?? layout; // another one if this board has too few tracks
  board.draw(drawn);
  const places = new Map(drawn.lamps.map(({ name, index }) => [name, index]));
  let timer = 0;

  function look(step) {
    const now = game.steps[step];
    const leds = new Uint8Array(3 * drawn.leds);
    for (const [name, colour] of Object.entries(now.lit)) leds.set(colour, 3 * places.get(name));
    board.show(leds);
    board.write([now.text, now.scores.join(' – ')]);
    chart.mark(step);
    slider.value = step;
    slider.setAttribute('aria-valuetext', now.text);
    back.setAttribute('aria-disabled', String(step === 0));
    on.setAttribute('aria-disabled', String(step === game.steps.length - 1));
    news.replaceChildren(
      el('p', {}, el('b', {}, ...withCards(now.text)), ` · ${say('step', { step: step + 1, steps: game.steps.length })}`),
      ...(errors.has(step) ? [el('p', { class: 'nudge' }, ...errors.get(step))] : []),
      combinations(now.awards, ofSeveral(now.awards, game.seats)),
    );
  }

  // Goes to a step, by the player's own tap or key.
  function go(step) {
    stop();
    look(Math.max(0, Math.min(game.steps.length - 1, step)));
  }

  // The errors known so far, each with its sentence.
  function found(some) {
    for (const [move, sentence] of some) errors.set(first + move, sentence);
  }

  // Goes to the move of an error in the list.
  function jump(move) {
    go(first + move);
    place.scrollIntoView({ behavior: 'auto', block: 'start' });
    focusOn(news);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    run.textContent = say('play');
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    if (Number(slider.value) >= game.steps.length - 1) look(0);
    run.textContent = say('pause');
    timer = setInterval(() => {
      if (Number(slider.value) >= game.steps.length - 1 || !frame.isConnected) stop();
      else look(Number(slider.value) + 1);
    }, PACE);
  }

  stepTo = (to) => go(to({ now: Number(slider.value), last: game.steps.length - 1 }));
  slider.addEventListener('input', () => go(Number(slider.value)));
  look(game.steps.length - 1);
  place.scrollIntoView({ behavior: 'auto', block: 'start' });
}

// A button that steps through the game; at its ends it does nothing, and keeps the focus.
function stepper(way, code, act) {
  const made = button('', () => made.getAttribute('aria-disabled') !== 'true' && act(), `step ${way}`, code);
  made.append(el('span', {}, '▲'));
  made.setAttribute('aria-label', say(code));
  return made;
}

// Arrow keys, Home and End step through the shown game, unless a field uses them.
const KEYS = {
  ArrowLeft: ({ now }) => now - 1, ArrowRight: ({ now }) => now + 1, Home: () => 0, End: ({ last }) => last,
};
let stepTo = null; // goes to a step of the shown game
addEventListener('keydown', (event) => {
  const to = KEYS[event.key];
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
  const isElsewhere = event.target instanceof Element && event.target.matches('input, select, textarea, .wide');
  if (!to || !stepTo || !plain || isElsewhere) return;
  event.preventDefault();
  stepTo(to);
});

// If a move earned points for several players, the points with their names.
const ofSeveral = (awards, seats) => awards.every(({ seat }) => seat === awards[0].seat)
  ? []
  : awards.map(({ seat, text }) => `${text} (${seats[seat - 1]})`);

// The reason why something cannot be shown, in its place.
function refuse(place, message) {
  place.hidden = false;
  place.replaceChildren(el('p', { class: 'refused', role: 'alert' }, message));
}

async function begin() {
  [layout] = await Promise.all([patiently('layout'), learn()]);
  document.title = `${say('history')} · boardctl`;
  at('evenings').replaceChildren(el('h2', {}, say('evenings')), el('p', { role: 'status' }, say('reading')));
  // From the table, on which a game has just ended.
  if (location.hash === '#newest') newestGame(() => !opened).then((game) => { if (game && !game.error && !opened) show(game.number); });
  await refresh();
}

// The newest games and everybody's statistics; repeated while the games are being read.
async function refresh() {
  const now = await get('history');
  if (now.error) {
    refuse(at('evenings'), now.error.message);
    setTimeout(refresh, LATER);
    return;
  }
  overview = now;
  draw();
  if (now.reading) setTimeout(refresh, AGAIN);
}

function draw() {
  drawEvenings(overview);
  drawPlayers(overview);
  drawFiles();
}

begin();

// The page: joins the link to the board with what is drawn of it.

import { pair, play } from './ask.js';
import { Board } from './board.js';
import { Display } from './display.js';
import { drawDue } from './due.js';
import { Keypad } from './keypad.js';
import { Link } from './link.js';
import { Amend, drawMoves } from './moves.js';
import { Picker } from './picker.js';
import { drawSides } from './sides.js';
import { Voice } from './voice.js';
import { language, learn, say } from './words.js';

const at = (id) => document.getElementById(id);

const link = new Link(() => `?lang=${language}`);
const board = new Board(at('board'));
const display = new Display(at('display'), at('said'));
const voice = new Voice(at('voice'));
const picker = new Picker(submit);
const amend = new Amend(submit);
const keypad = new Keypad(at('keypad'), (key, down) => {
  link.key(key, down);
  board.press(key, down);
});
let title = '';
let state = null;

// A line for the table as it was when it was tapped; "saved" is said when it is.
async function submit(line) {
  tell(say('saving'));
  const { refused, error } = await play(line, state.number);
  if (refused || error) tell((refused ?? error).message, 'bad');
  else tell(say('saved'), 'good');
}

function tell(text, kind = '') {
  const news = at('news');
  news.textContent = text;
  news.dataset.kind = kind;
}

function draw(next) {
  // What was being answered was asked at another table.
  if (state && state.number !== next.number && (picker.open || amend.open)) {
    picker.close();
    amend.close();
    tell(say('moved-on'), 'bad');
  }
  if (state && next.number > state.number) voice.speak(next.spoken);
  state = next;
  drawSides(at('sides'), state);
  drawDue(at('due'), state, (tap) => (tap.line ? submit(tap.line) : picker.show(tap.ask)));
  drawMoves(at('moves'), state, { amend: (move) => amend.show(move), play: submit });
  const scores = state.sides.map((side) => `${side.names.join(' & ')} ${side.score}`);
  board.describe([title, ...scores].join(', '));
}

function linked(open, reason = '') {
  document.body.dataset.link = open ? 'open' : 'closed';
  at('link').textContent = open ? say('live') : reason ? say('not-linked', { reason }) : say('linking');
}

// A guest looks on, and may be paired.
function admit(player) {
  document.body.dataset.role = player ? 'player' : 'guest';
  for (const id of ['due', 'keypad', 'moves']) at(id).toggleAttribute('inert', !player);
  at('pair').hidden = player;
}

at('pair').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { refused, error } = await pair(at('pin').value.trim());
  at('pin').value = '';
  if (refused || error) tell((refused ?? error).message, 'bad');
  else link.again();
});

link.addEventListener('player', ({ detail }) => admit(detail));
link.addEventListener('frame', ({ detail }) => board.show(detail));
link.addEventListener('display', ({ detail }) => {
  display.show(detail);
  board.write(detail);
});
link.addEventListener('state', ({ detail }) => draw(detail));
link.addEventListener('open', () => linked(true));
link.addEventListener('closed', ({ detail }) => {
  keypad.releaseAll();
  linked(false, detail.reason);
});
addEventListener('online', () => link.wake());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) link.wake();
});

async function begin() {
  const [layout] = await Promise.all([fetch('layout').then((answer) => answer.json()), learn()]);
  title = layout.title;
  keypad.label();
  voice.label();
  board.draw(layout);
  link.open();
}

begin();

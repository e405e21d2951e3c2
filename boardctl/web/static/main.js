// The page: joins the link to the board with what is drawn of it.

import { Board } from './board.js';
import { Display } from './display.js';
import { Keypad } from './keypad.js';
import { Link } from './link.js';
import { drawSides } from './sides.js';

const at = (id) => document.getElementById(id);

const link = new Link();
const board = new Board(at('board'));
const display = new Display(at('display'), at('said'));
const keypad = new Keypad(at('keypad'), (key, down) => {
  link.key(key, down);
  board.press(key, down);
});
let title = '';

link.addEventListener('frame', ({ detail }) => board.show(detail));
link.addEventListener('display', ({ detail }) => {
  display.show(detail);
  board.write(detail);
});
link.addEventListener('state', ({ detail: state }) => {
  drawSides(at('sides'), state);
  const scores = state.sides.map((side) => `${side.names.join(' and ')} ${side.score}`);
  board.describe([title, ...scores].join(', '));
});
link.addEventListener('open', () => {
  document.body.dataset.link = 'open';
  at('link').textContent = 'Live';
});
link.addEventListener('closed', ({ detail }) => {
  document.body.dataset.link = 'closed';
  keypad.releaseAll();
  at('link').textContent = detail.reason ? `Not connected: ${detail.reason}` : 'Looking for the board …';
});
addEventListener('online', () => link.wake());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) link.wake();
});

async function begin() {
  const layout = await (await fetch('layout')).json();
  title = layout.title;
  board.draw(layout);
  link.open();
}

begin();

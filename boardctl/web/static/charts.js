// Charts of games, drawn from figures: lines, stacked bars and columns, each with its words, so colours need not be
// distinguished.

import { el, svg } from './dom.js';

// As wide as the available space, so that its letters are as large as the page's: at most 640, as on a screen.
export const WIDTH = Math.max(300, Math.min(640, innerWidth - 50));

// A table of figures: a heading for each column, and rows that begin with their name. If it is too wide for the
// screen, each row is separate and each figure is under its own heading.
export function figures(title, head, rows) {
  const cells = (values) => values.map((value, n) => el('td', { 'data-of': head[n] }, String(value)));
  return el('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': title },
    el('table', {},
      el('thead', {}, el('tr', {}, el('td', {}), ...head.map((name) => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, ...rows.map(([name, ...values]) =>
        el('tr', {}, el('th', { scope: 'row' }, name), ...cells(values))))));
}

const text = (x, y, content, kind = '') =>
  Object.assign(svg('text', { x, y, class: kind }), { textContent: content });

// The approximate width of a text in px, and a name shortened to a width.
const wide = (content) => [...content].reduce((sum, letter) => sum + (letter > '\u2e80' ? 15 : 8), 0);
const cut = (name, room) => {
  if (wide(name) <= room) return name;
  let short = [...name];
  while (short.length > 1 && wide(short.join('')) + 12 > room) short = short.slice(0, -1);
  return `${short.join('').trimEnd()}…`;
};

// The legend of the colours, in as many rows as the names need; `kind` is the class before their number, from `first`
// on. Returns it with its lower edge.
function legend(top, names, kind, first) {
  const made = [];
  let x = 0;
  let y = top;
  names.forEach((name, n) => {
    const shown = cut(name, WIDTH - 40);
    const room = wide(shown) + 36;
    if (x > 0 && x + room > WIDTH) {
      x = 0;
      y += 24;
    }
    made.push(svg('rect', { x, y: y - 11, width: 13, height: 13, rx: 3, class: `piece ${kind}${n + first}` }));
    made.push(text(x + 19, y, shown, 'of'));
    x += room;
  });
  return { made, ends: y + 12 };
}

function frame(height, title, ...inside) {
  const heading = Object.assign(svg('title'), { textContent: title });
  return svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, class: 'chart', role: 'img', 'aria-label': title }, heading, ...inside);
}

const LETTER = 16; // px of a line of text

// The score of each side after each move; `mark` is the move being looked at.
export function scoreLines(title, sides, scores) {
  const [left, top, height] = [38, 14, 260];
  const bottom = height - 24;
  const last = sides.map((_, side) => ` ${scores.at(-1)?.[side] ?? 0}`);
  const names = sides.map((name, side) => cut(name, 0.36 * WIDTH - wide(last[side])) + last[side]);
  const right = Math.max(84, ...names.map((label) => wide(label) + 14));
  const most = Math.max(30, ...scores.flat());
  const least = Math.min(0, ...scores.flat()); // a failed bid may lead to less than nothing
  const pace = [30, 100, 300, 1000].find((one) => most - least < 8 * one) ?? 3000;
  const x = (move) => left + ((WIDTH - left - right) * move) / Math.max(1, scores.length - 1);
  const y = (score) => bottom - ((bottom - top) * (score - least)) / (most - least);
  const made = [];
  for (let score = Math.ceil(least / pace) * pace; score <= most; score += pace) {
    made.push(svg('line', { x1: left, x2: WIDTH - right, y1: y(score), y2: y(score), class: 'grid' }));
    made.push(text(left - 6, y(score) + 4, String(score), 'end'));
  }
  const ends = [];
  sides.forEach((_, side) => {
    const points = scores.map((now, move) => [x(move), y(now[side] ?? 0)]);
    const d = points.map(([px, py], n) => (n ? `L${px} ${points[n - 1][1]}L${px} ${py}` : `M${px} ${py}`)).join('');
    const [ex, ey] = points.at(-1) ?? [left, bottom];
    made.push(svg('path', { d, class: `line side${side + 1}` }));
    made.push(svg('circle', { cx: ex, cy: ey, r: 4, class: `dot side${side + 1}` }));
    ends.push({ side, x: ex + 9, y: ey + 4 });
  });
  let above = -Infinity; // no names overlap
  for (const end of ends.sort((one, other) => one.y - other.y)) {
    above = Math.max(end.y, above + LETTER);
    made.push(text(end.x, above, names[end.side], `name side${end.side + 1}`));
  }
  const mark = svg('line', { y1: top, y2: bottom, x1: left, x2: left, class: 'mark' });
  const chart = frame(height, title, ...made, mark);
  chart.mark = (move) => {
    mark.setAttribute('x1', x(move));
    mark.setAttribute('x2', x(move));
  };
  return chart;
}

// One bar per player, in named pieces.
export function stackedBars(title, rows, pieces) {
  const most = Math.max(1, ...rows.map((row) => pieces.reduce((sum, { key }) => sum + Math.max(0, row.points[key]), 0)));
  const [left, step] = [96, 40];
  const scale = (WIDTH - left - 60) / most;
  const made = [];
  rows.forEach((row, n) => {
    const y = 8 + n * step;
    let x = left;
    made.push(text(left - 10, y + 19, cut(row.name, left - 10), 'end strong'));
    pieces.forEach(({ key, name }, p) => {
      const points = Math.max(0, row.points[key]);
      const width = points * scale;
      if (points === 0) return;
      const bar = svg('rect', { x, y, width: Math.max(0, width - 2), height: 28, rx: 3, class: `piece piece${p}` });
      bar.append(Object.assign(svg('title'), { textContent: `${name} ${points}` }));
      made.push(bar);
      if (width > 34) made.push(text(x + 7, y + 18, String(points), `in piece${p}`));
      x += width;
    });
    made.push(text(x + 6, y + 19, String(Math.round((x - left) / scale)), 'strong'));
  });
  const names = legend(8 + rows.length * step + 14, pieces.map(({ name }) => name), 'piece', 0);
  return frame(names.ends, title, ...made, ...names.made);
}

const COLUMN = 9; // px of a column and its gap: narrower ones could not be distinguished

// Columns side by side: each player's games won in each evening, for the last evenings that fit.
export function columns(title, all, players) {
  const [left, top, bottom] = [38, 20, 188];
  const groups = all.slice(-Math.max(1, Math.floor((0.72 * (WIDTH - left)) / (COLUMN * Math.max(1, players.length)))));
  const most = Math.max(2, ...groups.flatMap(({ values }) => values));
  const room = (WIDTH - left) / Math.max(1, groups.length);
  const wide = Math.min(26, (room * 0.72) / Math.max(1, players.length));
  const y = (value) => bottom - ((bottom - top) * value) / most;
  const made = [];
  for (let value = 0; value <= most; value += Math.max(1, Math.ceil(most / 4))) {
    made.push(svg('line', { x1: left, x2: WIDTH, y1: y(value), y2: y(value), class: 'grid' }));
    made.push(text(left - 6, y(value) + 4, String(value), 'end'));
  }
  groups.forEach(({ name, values }, g) => {
    const start = left + room * g + (room - wide * players.length) / 2;
    values.forEach((value, p) => {
      const bar = svg('rect', {
        x: start + p * wide + 1, y: y(value), width: Math.max(2, wide - 3), height: bottom - y(value), rx: 3,
        class: `piece side${p + 1}`,
      });
      bar.append(Object.assign(svg('title'), { textContent: `${players[p]} ${value}` }));
      made.push(bar);
      if (value) made.push(text(start + p * wide + wide / 2, y(value) - 4, String(value), 'middle'));
    });
    if (g % Math.ceil((groups.length * 56) / WIDTH) === 0) {
      made.push(text(left + room * (g + 0.5), bottom + 17, name, 'middle'));
    }
  });
  const names = legend(bottom + 42, players, 'side', 1);
  return frame(names.ends, title, ...made, ...names.made);
}

// The wooden board, drawn from its layout in millimetres, and its light. The wood is a picture at the bottom, holes
// and letters are SVG, and the glow of the LEDs is a canvas on top: only changed parts are redrawn.

import { el, svg } from './dom.js';
import { LEGEND } from './keypad.js';

const BLOOM = 15; // mm, how far a lit LED glows
const CALM = 600; // ms between frames if reduced motion is preferred

// LED values are amounts of light; a screen's values are their 2.2nd root, like the eye's. A light that is dim on the
// wire is not so dim to see. The hue is kept.
function seen(r, g, b) {
  const most = Math.max(r, g, b);
  const lift = (most / 255) ** (1 / 2.2) * (255 / most);
  return [r, g, b].map((value) => Math.round(value * lift));
}

export class Board {
  #lamps = [];
  #lit = new Uint8Array(0);
  #canvas = el('canvas', { class: 'glow', 'aria-hidden': 'true' });
  #sprites = new Map();
  #layout = null;
  #svg = null;
  #words = [];
  #room = 0; // mm, for a line of the display
  #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #due = 0;
  #last = 0;
  // what another layout shows too
  #frame = null;
  #lines = [];

  // If `keypad` is given, the keys drawn on the board press it too.
  constructor(place, keypad = null) {
    this.place = place;
    this.keypad = keypad;
    new ResizeObserver(() => this.#resize()).observe(place);
  }

  draw(layout) {
    this.#layout = layout;
    this.place.style.setProperty('--ratio', `${layout.width} / ${layout.height}`);
    this.place.style.setProperty('--wide', layout.width / layout.height);
    this.#svg = svg('svg', {
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: 'img',
      'aria-label': layout.title,
      class: 'holes',
    });
    const glass = layout.display;
    this.#words = [0.42, 0.8].map((at) =>
      svg('text', {
        x: glass.x + glass.width / 2,
        y: glass.y + glass.height * at,
        'font-size': Math.min(glass.height * 0.3, glass.width * 0.092),
        class: 'words',
        lengthAdjust: 'spacingAndGlyphs',
      }),
    );
    this.#room = 0.94 * glass.width;
    document.fonts.load('16px "Boardctl Mono"').then(() => this.#fit()); // it may arrive after the first words
    this.#svg.append(
      ...fixedParts(layout),
      svg('rect', { ...glass, rx: 2, class: 'glass' }),
      ...this.#words,
      ...keys(layout.keypad),
    );
    for (const key of this.#svg.querySelectorAll('[data-cap]')) this.keypad?.listen(key, key.dataset.cap);
    this.#lamps = [];
    for (const { index, x, y, name } of layout.lamps) {
      const r = layout.hole / 2;
      const lamp = svg('circle', { cx: x, cy: y, r, class: 'lamp', 'data-lamp': name });
      this.#svg.append(svg('circle', { cx: x, cy: y, r: r + 0.45, class: rim({ name }) }), lamp);
      this.#lamps[index] = { x, y, lamp };
    }
    this.#lit = new Uint8Array(3 * layout.leds);
    this.place.replaceChildren(el('div', { class: 'wood' }), this.#svg, this.#canvas);
    this.#resize();
    this.write(this.#lines);
    if (this.#frame) this.show(this.#frame);
  }

  // Shows text on the display drawn on the board.
  write(lines) {
    this.#lines = lines;
    this.#words.forEach((node, row) => {
      node.textContent = (lines[row] ?? '').padEnd(16).replaceAll(' ', '\u00a0');
    });
    this.#fit();
  }

  // A line longer than the glass is drawn narrower.
  #fit() {
    for (const node of this.#words) {
      node.removeAttribute('textLength');
      if (node.getComputedTextLength() > this.#room) node.setAttribute('textLength', `${this.#room}`);
    }
  }

  press(key, down) {
    this.#svg?.querySelector(`[data-cap="${CSS.escape(key)}"]`)?.classList.toggle('down', down);
  }

  describe(text) {
    this.#svg?.setAttribute('aria-label', text);
  }

  // New LED colours; drawn at the next animation frame, or less often with reduced motion.
  show(leds) {
    this.#frame = leds;
    if (this.#due || !this.#layout) return;
    const draw = () => {
      this.#due = 0;
      this.#last = performance.now();
      this.#light(this.#frame);
    };
    const wait = this.#calm.matches ? Math.max(0, this.#last + CALM - performance.now()) : 0;
    this.#due = wait ? setTimeout(draw, wait) : requestAnimationFrame(draw);
  }

  #light(leds) {
    let changed = false;
    this.#lamps.forEach(({ lamp }, index) => {
      const at = 3 * index;
      const [r, g, b] = leds.subarray(at, at + 3);
      const old = this.#lit.subarray(at, at + 3);
      if (r === undefined || (old[0] === r && old[1] === g && old[2] === b)) return;
      old.set([r, g, b]);
      changed = true;
      lamp.dataset.lit = r | g | b ? `${r},${g},${b}` : '';
      lamp.style.fill = r | g | b ? core(...seen(r, g, b)) : '';
    });
    if (changed) this.#glow();
  }

  #resize() {
    if (!this.#layout) return;
    const { width } = this.place.getBoundingClientRect();
    this.scale = (width * Math.min(2, devicePixelRatio)) / this.#layout.width;
    this.#canvas.width = Math.round(this.scale * this.#layout.width);
    this.#canvas.height = Math.round(this.scale * this.#layout.height);
    this.#sprites.clear();
    this.#glow();
  }

  #glow() {
    const pen = this.#canvas.getContext('2d');
    pen.globalCompositeOperation = 'source-over';
    pen.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    pen.globalCompositeOperation = 'lighter';
    this.#lamps.forEach(({ x, y }, index) => {
      const [r, g, b] = this.#lit.subarray(3 * index, 3 * index + 3);
      if (!(r | g | b)) return;
      const sprite = this.#sprite(...seen(r, g, b));
      pen.drawImage(sprite, x * this.scale - sprite.width / 2, y * this.scale - sprite.height / 2);
    });
  }

  // A soft disc of light, cached per colour: a bright core, a halo, and a wide faint glow.
  #sprite(r, g, b) {
    const name = `${r},${g},${b}`;
    const known = this.#sprites.get(name);
    if (known) return known;
    if (this.#sprites.size > 300) this.#sprites.clear();
    const size = Math.max(8, Math.ceil(2 * BLOOM * this.scale));
    const sprite = el('canvas', { width: size, height: size });
    const pen = sprite.getContext('2d');
    const half = size / 2;
    const shade = pen.createRadialGradient(half, half, 0, half, half, half);
    const strength = Math.max(r, g, b) / 255;
    for (const [stop, alpha] of [
      [0, 0.85], [0.12, 0.62], [0.2, 0.34], [0.36, 0.15], [0.6, 0.05], [1, 0],
    ]) {
      shade.addColorStop(stop, `rgba(${name},${alpha * strength})`);
    }
    pen.fillStyle = shade;
    pen.fillRect(0, 0, size, size);
    this.#sprites.set(name, sprite);
    return sprite;
  }
}

// The LED itself looks nearly white at full brightness.
function core(r, g, b) {
  const white = 0.45 * (Math.max(r, g, b) / 255) ** 3;
  const mix = (value) => Math.round(value + (255 - value) * white);
  return `rgb(${mix(r)} ${mix(g)} ${mix(b)})`;
}

function rim({ name }) {
  const [group, at] = name.split('.');
  if (!group.startsWith('track')) return 'rim small';
  return at.startsWith('start') || at === '121' ? 'rim brass' : 'rim';
}

// Everything in the wood before a lamp is lit.
function fixedParts(layout) {
  const made = [];
  const add = (name, attributes, text) => {
    const node = svg(name, attributes);
    if (text !== undefined) node.textContent = text;
    made.push(node);
  };
  layout.lanes.forEach((d, index) => {
    for (const layer of ['edge', 'band']) add('path', { d, class: `lane ${layer} side${index + 1}` });
  });
  for (const { x, y, diameter } of layout.fixings) {
    add('circle', { cx: x, cy: y, r: diameter, class: 'screw' });
    add('line', { x1: x - diameter * 0.7, y1: y - diameter * 0.4, x2: x + diameter * 0.7, y2: y + diameter * 0.4, class: 'slot' });
  }
  for (const { x1, y1, x2, y2 } of layout.lines) add('line', { x1, y1, x2, y2, class: 'across' });
  for (const { x, y, size, text } of layout.numbers) {
    add('text', { x, y: y + size * 0.36, 'font-size': size * 1.25, class: 'number' }, text);
  }
  for (const { x, y, size, text } of layout.texts) {
    add('text', { x, y: y + size * 0.36, 'font-size': size * 0.92, class: 'caption' }, text);
  }
  return made;
}

// The keypad in the board: its keys can be pressed here too, and go down together with the others.
function keys({ x, y, width, height }) {
  const made = [svg('rect', { x, y, width, height, rx: 3, class: 'plate' })];
  const [w, h] = [width / 4, height / 4];
  [...LEGEND.join('')].forEach((key, place) => {
    const [left, top] = [x + w * (place % 4), y + h * Math.floor(place / 4)];
    const text = svg('text', { x: left + w / 2, y: top + h * 0.66, 'font-size': h * 0.46, class: 'cap' });
    text.textContent = key;
    made.push(svg('g', { class: `button ${'ABCD'.includes(key) ? 'seat' : ''}`, 'data-cap': key },
      svg('rect', { x: left + 1, y: top + 1, width: w - 2, height: h - 2, rx: 1.6 }), text));
  });
  return made;
}

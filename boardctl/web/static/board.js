// The wooden board, drawn from its layout in millimetres, and its light.
//
// Wood is a picture below, holes and letters are SVG, and the glow of the LEDs is a canvas on top:
// only what changes is drawn again.

import { el, svg } from './dom.js';

const HOLE = 2.35; // mm, the radius of a hole
const BLOOM = 15; // mm, how far a lit LED glows
const JUMP = 40; // mm
const CALM = 600; // ms between pictures where less motion is asked for

// An LED's figures are amounts of light, a screen's are their 2.2nd root, as the eye's are: what
// is dim on the wire is not so dim to see. The hue is kept.
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
  #calm = matchMedia('(prefers-reduced-motion: reduce)');
  #due = 0;
  #last = 0;

  constructor(place) {
    this.place = place;
    new ResizeObserver(() => this.#resize()).observe(place);
  }

  draw(layout) {
    this.#layout = layout;
    this.place.style.setProperty('--ratio', `${layout.width} / ${layout.height}`);
    this.#svg = svg('svg', {
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      role: 'img',
      'aria-label': layout.title,
      class: 'holes',
    });
    this.#svg.append(...inlays(layout), ...marks(layout));
    this.#lamps = [];
    for (const [index, x, y, name] of layout.lamps) {
      const lamp = svg('circle', { cx: x, cy: y, r: HOLE, class: 'lamp', 'data-lamp': name });
      this.#svg.append(svg('circle', { cx: x, cy: y, r: HOLE + 0.7, class: rim(name) }), lamp);
      this.#lamps[index] = { x, y, lamp };
    }
    this.#lit = new Uint8Array(3 * layout.leds);
    this.place.replaceChildren(el('div', { class: 'wood' }), this.#svg, this.#canvas);
    this.#resize();
  }

  describe(text) {
    this.#svg?.setAttribute('aria-label', text);
  }

  // New light; drawn at the next picture of the screen, or more calmly where that is asked for.
  show(leds) {
    this.next = leds;
    if (this.#due || !this.#layout) return;
    const draw = () => {
      this.#due = 0;
      this.#last = performance.now();
      this.#light(this.next);
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

  // A soft disc of light, made once a colour: a bright heart, a halo, and a wide faint wash.
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
      shade.addColorStop(stop, `rgba(${name},${alpha * strength ** 1.6})`);
    }
    pen.fillStyle = shade;
    pen.fillRect(0, 0, size, size);
    this.#sprites.set(name, sprite);
    return sprite;
  }
}

// The LED itself looks nearly white where it is bright.
function core(r, g, b) {
  const white = 0.45 * (Math.max(r, g, b) / 255) ** 3;
  const mix = (value) => Math.round(value + (255 - value) * white);
  return `rgb(${mix(r)} ${mix(g)} ${mix(b)})`;
}

const split = (name) => {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)];
};

function rim(name) {
  const [group, at] = split(name);
  if (!group.startsWith('track')) return 'rim small';
  const special = at.startsWith('start') || at === '121' || at % 30 === 0;
  return special ? 'rim brass' : 'rim';
}

// Each track's holes, in playing order.
function tracks(layout) {
  const found = new Map();
  for (const [, x, y, name] of layout.lamps) {
    const [group, at] = split(name);
    if (!group.startsWith('track')) continue;
    const order = at.startsWith('start') ? Number(at.slice(5)) - 2 : Number(at);
    if (!found.has(group)) found.set(group, []);
    found.get(group).push({ x, y, order });
  }
  for (const holes of found.values()) holes.sort((one, other) => one.order - other.order);
  return found;
}

// A strip of lighter wood under each track, edged in the colour of its side.
function inlays(layout) {
  const bands = [];
  for (const [group, holes] of tracks(layout)) {
    const side = group.slice(5);
    for (const layer of ['edge', 'band']) {
      bands.push(svg('path', { d: way(holes), class: `inlay ${layer} side${side}` }));
    }
  }
  return bands;
}

// The way through the holes; where the next is far off, the pegs are carried over the wood.
function way(holes) {
  let d = '';
  let before = null;
  for (const { x, y } of holes) {
    const jump = !before || Math.hypot(before.x - x, before.y - y) > JUMP;
    d += `${jump ? 'M' : 'L'}${x} ${y}`;
    before = { x, y };
  }
  return d;
}

// Every fifth hole is numbered beside its track; lamps that are no holes are named below.
function marks(layout) {
  const written = [];
  const write = (x, y, text, kind) =>
    written.push(Object.assign(svg('text', { x, y, class: kind }), { textContent: text }));
  for (const holes of tracks(layout).values()) {
    holes.forEach(({ x, y, order }, place) => {
      const before = holes[place - 1] ?? holes[place + 1];
      const across = Math.abs(before.x - x) >= Math.abs(before.y - y);
      if (order > 0 && order <= 120 && order % 5 === 0) {
        if (across) write(x, y - HOLE - 2.2, order, 'number');
        else write(x + HOLE + 2.2, y + 1, order, 'number beside');
      }
      // The skunk lines: a bar between holes 90 and 91, and 60 and 61.
      const next = holes[place + 1];
      if ((order === 90 || order === 60) && next) {
        const near = Math.hypot(next.x - x, next.y - y) < 26;
        const [mx, my] = near ? [(x + next.x) / 2, (y + next.y) / 2] : [x, y];
        written.push(svg('circle', { cx: mx, cy: my, r: 0.9, class: 'stud' }));
      }
    });
  }
  const first = new Map();
  for (const [, x, y, name] of layout.lamps) {
    const [group] = split(name);
    if (group.startsWith('track')) continue;
    const seen = first.get(group) ?? { from: x, to: x, y };
    first.set(group, { from: Math.min(seen.from, x), to: Math.max(seen.to, x), y: Math.max(seen.y, y) });
  }
  for (const [group, { from, to, y }] of first) {
    const caption = CAPTIONS[group.replace(/\d+$/, '')];
    if (caption) write((from + to) / 2, y + HOLE + 5.2, caption, 'caption');
  }
  return written;
}

const CAPTIONS = {
  won: 'games won', skunk: 'skunk', 'double-skunk': 'double', dealer: 'dealer', turn: 'turn',
};

// Elements without markup: text is only ever set as text.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const el = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// Resolves after this many milliseconds.
export const pause = (time) => new Promise((done) => setTimeout(done, time));

// A button; `focus` names it, so that it keeps the focus when its place is redrawn.
export function button(text, act, kind = '', focus = text) {
  const made = el('button', { type: 'button', class: `act ${kind}`, 'data-focus': focus }, text);
  made.addEventListener('click', act);
  return made;
}

// A button that is pressed while something is on; `turn` is told whether it is to be on or off.
export function toggle(text, isOn, turn, kind = '', focus = text) {
  const mark = () => made.setAttribute('aria-pressed', String(isOn()));
  const made = button(text, () => {
    turn(!isOn());
    mark();
  }, kind, focus);
  mark();
  return made;
}

// Marks whether the content of a room that scrolls continues above or below. It fades out there, so nobody takes a cut
// row for the end.
export function fades(room) {
  const mark = () => {
    const below = room.scrollHeight - room.scrollTop - room.clientHeight;
    room.dataset.rolls = [room.scrollTop >= 1 ? 'above' : '', below >= 1 ? 'below' : ''].join(' ').trim();
  };
  room.addEventListener('scroll', mark, { passive: true });
  new ResizeObserver(mark).observe(room);
  new MutationObserver(mark).observe(room, { childList: true, subtree: true });
}

// Replaces the children. If the focus was inside, it moves to the element with the same name, otherwise to the first
// button, otherwise to the heading.
export function put(node, ...children) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const name = active instanceof HTMLElement ? active.dataset.focus : '';
  node.replaceChildren(...children.filter(Boolean));
  if (!active || node.contains(document.activeElement)) return;
  const same = name && node.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
  focusOn(same || node);
}

// Focuses an element, or the first one inside it that can have the focus; returns whether there is one.
export function focusOn(node) {
  const first = node.matches('button, input, select, a')
    ? node
    : [...node.querySelectorAll('button, input, select, summary, [tabindex]')].find(canHaveFocus);
  first?.focus({ preventScroll: false });
  return Boolean(first);
}

const canHaveFocus = (node) =>
  node.isConnected && !node.disabled && node.getClientRects().length > 0 && !node.closest('[inert]');

// If the focused element is disabled, hidden or removed, the focus moves to the nearest element around it, otherwise
// to the expected entries.
let around = []; // the last focused element, and its parents
addEventListener('focusin', ({ target }) => {
  around = [];
  for (let node = target; node instanceof Element && !node.matches('main, body'); node = node.parentElement) around.push(node);
});
addEventListener('pointerdown', () => (around = [])); // it may leave nothing focused
new MutationObserver(() => {
  if (document.activeElement !== document.body || around.length === 0 || canHaveFocus(around[0])) return;
  [...around.slice(1), document.getElementById('due') ?? document.body].some(focusOn);
}).observe(document, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden', 'inert', 'open'] });

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

// A button; `focus` names it, so that it keeps the focus when its place is drawn anew.
export function button(text, act, kind = '', focus = text) {
  const made = el('button', { type: 'button', class: `act ${kind}`, 'data-focus': focus }, text);
  made.addEventListener('click', act);
  return made;
}

// New children for old ones. Where the focus was inside it stays: on what bears the same name, else
// on the first thing to press, else on the heading.
export function put(node, ...children) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const name = active instanceof HTMLElement ? active.dataset.focus : '';
  node.replaceChildren(...children.filter(Boolean));
  if (!active || node.contains(document.activeElement)) return;
  const same = name && node.querySelector(`[data-focus="${CSS.escape(name)}"]:not(:disabled)`);
  focusOn(same || node);
}

// The focus on a thing, or on the first in it that can have it.
export function focusOn(node) {
  const first = node.matches('button, input, select, a')
    ? node
    : node.querySelector('button:not(:disabled), input, select, [tabindex]');
  first?.focus({ preventScroll: false });
}

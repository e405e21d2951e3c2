// The board as a strip for a small screen: a lane for each side with both of its pegs, and the skunk lines.

import { el, put } from './dom.js';

const MARKS = 4; // parts between the numbers below the lanes

// Draws the strip; it is hidden if a game has no goal.
export function drawStrip(place, { sides, goal, lines }) {
  place.hidden = sides.length === 0 || !goal;
  if (place.hidden) return;
  const at = (score, kind, text = '') => {
    const made = el('span', { class: kind }, text);
    made.style.left = `${100 * Math.min(1, Math.max(0, score / goal))}%`; // an attribute would violate the page's policy
    return made;
  };
  const lanes = sides.map((side, index) => el('span', { class: `strip-lane side${index + 1}` },
    ...lines.map(({ score }) => at(score, 'strip-line')), at(side.before, 'strip-peg rear'), at(side.score, 'strip-peg')));
  const step = goal > 200 ? goal / MARKS : 30;
  const numbers = Array.from({ length: Math.ceil(goal / step) }, (_, n) => Math.round(n * step)).filter((number) => number <= goal * 0.93);
  put(place, ...lanes, el('span', { class: 'strip-numbers', 'aria-hidden': 'true' },
    ...[...numbers, goal].map((number) => at(number, '', String(number)))));
}

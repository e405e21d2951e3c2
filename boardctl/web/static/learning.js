// For learners: who counts their own hands first. On the table sheet.

import { post } from './ask.js';
import { button, el } from './dom.js';
import { language, say } from './words.js';

// The section of the table sheet; `people` are the seats of people at this board, and `refused` is
// called with a sentence.
export function learning(state, people, refused) {
  const each = people.map((number) => {
    const n = number - 1;
    const name = state.seats[n];
    const made = button(name, async () => {
      const on = made.getAttribute('aria-pressed') !== 'true';
      const answer = await post('learners', { name, counts: on });
      const problem = answer.refused ?? answer.error;
      if (problem) refused(problem.message);
      else made.setAttribute('aria-pressed', String(on));
    }, '', `counts${n + 1}`);
    made.setAttribute('aria-pressed', String(state.counts?.[n] === true));
    return made;
  });
  return el('section', { class: 'group' }, el('h3', {}, say('learning')),
    el('div', { class: 'asks' }, el('a', { class: 'act small', href: `lesson.html?lang=${language}${state.game ? `&lesson=${state.game}` : ''}`, 'data-focus': 'learn' }, say('learn')),
      el('a', { class: 'act small', href: `position.html?lang=${language}`, 'data-focus': 'position' }, say('position')),
      el('a', { class: 'act small', href: `drill.html?lang=${language}`, 'data-focus': 'drills' }, say('drills'))),
    el('h3', {}, say('who-counts')),
    el('div', { class: 'switch many', role: 'group', 'aria-label': say('who-counts') }, ...each),
    el('p', { class: 'hint' }, say('counts-first')));
}

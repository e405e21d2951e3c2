// The set-up of a board in a browser: its games as a file, saved or opened.

import { language, say } from './say.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));

document.documentElement.lang = language;
document.title = say('copies');
for (const made of document.querySelectorAll('[data-word]')) made.textContent = say(made.dataset.word);
at('back').search = `?lang=${language}`;

at('reach').addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await fetch('tab/broker', { method: 'POST', body: at('broker').value });
  const { refused } = await answer.json();
  at('reached').textContent = refused || say('broker-kept');
});

at('file').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  const answer = await fetch('tab/copy', { method: 'POST', body: file });
  const { refused } = await answer.json();
  target.value = '';
  if (refused) at('said').textContent = say('refused', refused);
  else parent.location.replace('../');
});

at('broker').value = (await (await fetch('tab/broker')).json()).broker;

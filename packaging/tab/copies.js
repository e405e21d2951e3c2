// The setup page of a board in a browser: its games as a file, saved or opened.

import { language, say } from './say.js';

const at = (id) => /** @type {any} */ (document.getElementById(id));

document.documentElement.lang = language;
document.title = say('setup');
for (const made of document.querySelectorAll('[data-word]')) made.textContent = say(made.dataset.word);
at('back').search = `?lang=${language}`;

at('reach').addEventListener('submit', async (event) => {
  event.preventDefault();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ broker: at('broker').value });
  const answer = await (await fetch('far/broker', { method: 'POST', headers, body })).json();
  const refused = answer.refused ?? answer.error;
  at('reached').textContent = refused ? refused.message : say('broker-kept', answer.broker);
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

const { broker } = await (await fetch('far')).json();
if (broker) at('reached').textContent = say('broker-kept', broker);

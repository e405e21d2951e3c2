// What the page says to the board over HTTP: a line to play, or a line only to be looked at.

import { say } from './words.js';

async function post(path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    return { error: { code: 'no-answer', message: say('no-answer') } };
  }
  return answer.json();
}

// Played when the answer has come, and then it is on disk; refused where the table has moved on.
export const play = (line, expect) => post('lines', { line, expect });
export const preview = (line) => post('preview', { line });
export const pair = (pin) => post('pair', { pin });

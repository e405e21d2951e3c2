// The page's requests to the board over HTTP: a line to play, or only a preview of a line.

import { pause } from './dom.js';
import { language, say, seat } from './words.js';

// A proxy, or a board that is stopping, may answer with something other than JSON.
async function answered(asking) {
  try {
    return await (await asking).json();
  } catch {
    return { error: { code: 'no-answer', message: say('no-answer') } };
  }
}

const query = (more = {}) => new URLSearchParams({ lang: language, ...(seat() ? { seat: seat() } : {}), ...more });

// The requests that are on their way. The same request is not sent again before it is answered: both askers get the
// one answer. Listeners of the document's `sending` are told how many requests change something.
const waiting = new Map();
const tell = () => document.dispatchEvent(new CustomEvent('sending', { detail: [...waiting.keys()].filter((name) => !name.startsWith('preview ')).length }));

export function post(path, body) {
  const text = JSON.stringify(body);
  const name = `${path} ${text}`;
  if (!waiting.has(name)) {
    const headers = { 'content-type': 'application/json' };
    waiting.set(name, answered(fetch(`${path}?${query()}`, { method: 'POST', headers, body: text })).finally(() => {
      waiting.delete(name);
      tell();
    }));
    tell();
  }
  return waiting.get(name);
}

// Sends a photo of cards; the board returns the cards that it reads.
export const photo = (file, most, known) =>
  answered(fetch(`photo?${query({ most, known: known.join(' ') })}`, { method: 'POST', body: file }));
// Saves a misread photo on the board, with its right cards.
export const reportPhoto = (file, right) => answered(fetch(`photo/report?${query({ right: right.join(' ') })}`, { method: 'POST', body: file }));
// Sends a photo of one suit to teach a pack, or forgets a pack.
export const teach = (name, suit, ranks, file) => answered(fetch(`packs/${encodeURIComponent(name)}/${suit}?${query({ ranks })}`, { method: 'POST', body: file }));
export const forgetPack = (name) => answered(fetch(`packs/${encodeURIComponent(name)}?${query()}`, { method: 'DELETE' }));
// The player's own six cards: they are entered at the table, and nothing about them is returned.
export const playerPhoto = (file) => answered(fetch(`player/photo?${query()}`, { method: 'POST', body: file }));
export const get = (path, more) => answered(fetch(`${path}?${query(more)}`));

// The refusal in an answer, if any.
export const refusal = (answer) => answer.then(({ refused, error }) => refused ?? error ?? null);

// Plays a line. The answer comes once it is on disk; the board refuses it if the table has changed.
export const play = (line, expect) => post('lines', { line, expect });
// Takes back or restores the last entry; the board knows the line for that.
export const undo = (expect) => post('undo', { expect });
export const redo = (expect) => post('redo', { expect });
// Continues last evening's unfinished game.
export const goOn = (expect) => post('evening', { expect });
// Begins a game of one person against the board: without `game`, the one that the board deals.
export const against = (name, level, expect, game = undefined) => post('player/game', { name, level, expect, game });
// `quiet`: the board itself does not show it.
export const preview = (line, quiet = false) => post('preview', quiet ? { line, quiet } : { line });
export const withdraw = (line) => post('withdraw', { line });
export const begin = (game, players, options, expect) => post('table', { game, players, options, expect });
export const rename = (game, players, expect) => post('table', { game, players, expect, rename: true });
export const command = (what, value) => post('commands', { what, value });
export const phone = () => post('phones', {});
export const pair = (pin) => post('pair', { pin });
export const askToPlay = () => post('pair/ask', {});

// If a place waits for several answers, only the newest question's answer counts. `turns()` returns a function that
// begins a turn; its result says whether no other turn has begun since.
export function turns() {
  let newest = 0;
  return () => {
    const turn = ++newest;
    return () => turn === newest;
  };
}

const AGAIN = 1500; // ms before a request that waits for somebody at the board is repeated
const WAITS = new Set(['needs-consent', 'not-granted', 'needs-phone', 'needs-phone-or-board']);

// Repeats a request that somebody at the board has to allow, until it is done, refused, or nobody came, as reported
// by the board. Meanwhile `show` is called with a sentence and the number to type there; once it returns false, the
// waiting ends.
export async function allowed(path, body, show) {
  for (;;) {
    const answer = await post(path, body);
    if (!WAITS.has(answer.refused?.code)) return answer;
    if (show(answer.refused.message, answer.refused.number) === false) return answer;
    await pause(AGAIN);
  }
}

// What the page says to the board over HTTP: a line to play, or a line only to be looked at.

import { pause } from './dom.js';
import { language, say, seat } from './words.js';

// A proxy, or a board that is going down, may answer with something else than JSON.
async function answered(asking) {
  try {
    return await (await asking).json();
  } catch {
    return { error: { code: 'no-answer', message: say('no-answer') } };
  }
}

const query = (more = {}) => new URLSearchParams({ lang: language, ...(seat() ? { seat: seat() } : {}), ...more });

export const post = (path, body) =>
  answered(
    fetch(`${path}?${query()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

// A photo of cards; what the board reads in it.
export const photo = (file, most, known) =>
  answered(fetch(`photo?${query({ most, known: known.join(' ') })}`, { method: 'POST', body: file }));
// A photo of one suit of a pack that is taught, and a pack that is forgotten.
export const teach = (name, suit, ranks, file) => answered(fetch(`packs/${encodeURIComponent(name)}/${suit}?${query({ ranks })}`, { method: 'POST', body: file }));
export const forgetPack = (name) => answered(fetch(`packs/${encodeURIComponent(name)}?${query()}`, { method: 'DELETE' }));
// The player's own six cards: entered at the table, and nothing of them comes back.
export const playerPhoto = (file) => answered(fetch(`player/photo?${query()}`, { method: 'POST', body: file }));
export const get = (path, more) => answered(fetch(`${path}?${query(more)}`));

// The refusal in an answer, if any.
export const refusal = (answer) => answer.then(({ refused, error }) => refused ?? error ?? null);

// Played when the answer has come, and then it is on disk; refused where the table has moved on.
export const play = (line, expect) => post('lines', { line, expect });
// What was said last taken back, or restored; the board knows which line does it.
export const undo = (expect) => post('undo', { expect });
export const redo = (expect) => post('redo', { expect });
// Last evening's unfinished game is played on.
export const goOn = (expect) => post('evening', { expect });
// A game of one person against the board.
export const against = (name, level, expect) => post('player/game', { name, level, expect });
// `quiet`: the board itself does not show it.
export const preview = (line, quiet = false) => post('preview', quiet ? { line, quiet } : { line });
export const withdraw = (line) => post('withdraw', { line });
export const begin = (game, players, options, expect) => post('table', { game, players, options, expect });
export const rename = (game, players, expect) => post('table', { game, players, expect, rename: true });
export const command = (what, value) => post('commands', { what, value });
export const phone = () => post('phones', {});
export const pair = (pin) => post('pair', { pin });
export const askToPlay = () => post('pair/ask', {});

// Where a place waits for several answers, only the newest question's counts. `turns()` gives a
// function that begins a turn; what that gives back says whether no other has begun since.
export function turns() {
  let newest = 0;
  return () => {
    const turn = ++newest;
    return () => turn === newest;
  };
}

const AGAIN = 1500; // ms until what waits for somebody at the board is asked again
const WAITS = new Set(['needs-consent', 'not-granted', 'needs-phone', 'needs-phone-or-board']);

// Asks for what somebody at the board has to allow, until it is done, refused, or nobody came: the
// board says when. Meanwhile `show` is called with a sentence and the number to type there; once it
// gives back false, nobody waits any more.
export async function allowed(path, body, show) {
  for (;;) {
    const answer = await post(path, body);
    if (!WAITS.has(answer.refused?.code)) return answer;
    if (show(answer.refused.message, answer.refused.number) === false) return answer;
    await pause(AGAIN);
  }
}

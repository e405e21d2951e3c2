// A finished game: its highlights in words, a picture to share, the whole game to send. The board creates everything;
// a phone that cannot share saves the file.

import { get } from './ask.js';
import { button, el, pause } from './dom.js';
import { language, say, withCards } from './words.js';

const AGAIN = 1000; // ms before the page looks again for a game whose last move is being saved; then twice as long
const RARELY = 16000; // ms at most: a board with a long history reads it for minutes
const TIMES = 8; // then a history that was read has no such game
const PASSING = new Set(['no-answer', 'busy', 'no-such-game']); // problems that end by themselves
const EVEN = 0.03; // share of a game: less than this is no luck worth mentioning

export class After {
  #shown = 0; // the line after which a game was over

  constructor(place) {
    this.place = place;
  }

  // Shown while the last game is over.
  follow({ over, winner, drawn, number, judged }) {
    const shown = over && (winner || drawn) ? number : 0;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.place.hidden = !shown;
    this.place.classList.toggle('judged', judged);
    this.place.replaceChildren();
    if (shown) this.#draw(shown);
  }

  async #draw(shown) {
    const list = el('ul', { class: 'highlights', 'aria-live': 'polite' });
    const given = el('div', { class: 'given' }); // above the sentences, where nothing hides it
    this.place.replaceChildren(el('h2', {}, say('after')), given, list);
    fill(list, [say('reading')]);
    const game = await newestGame(() => shown === this.#shown);
    if (shown !== this.#shown) return;
    fill(list, game?.error ? [game.error.message] : []);
    if (!game || game.error) return;
    const { best, turning } = game.told;
    fill(list, [best, turning]);
    given.append(gifts(game.number, game.sides.join(' – ')));
    if (!game.judged) return;
    const judged = await get(`analysis/${game.number}`);
    if (judged.judged && shown === this.#shown) fill(list, [best, chance(judged) ?? turning, luck(judged)]);
  }
}

const fill = (list, texts) =>
  list.replaceChildren(...texts.filter(Boolean).map((text) => el('li', {}, ...withCards(text))));

// The game that was just played, once its last move is saved and the board has read it; or the reason why it cannot
// be read. Null if there is none, or it is no longer wanted.
export async function newestGame(wanted) {
  let left = TIMES;
  for (let time = AGAIN; left && wanted(); time = Math.min(2 * time, RARELY)) {
    if (!document.hidden) {
      const game = await get('highlights/0');
      if (game.error ? !PASSING.has(game.error.code) : game.state !== 'unfinished') return game;
      if (!game.error || game.error.code === 'no-such-game') left -= 1;
    }
    await pause(time);
  }
  return null;
}

// The deal in which the winner's chance rose most.
function chance({ curve, players, winner }) {
  if (!winner) return null;
  const rises = curve.slice(1).map((after, n) => ({
    deal: curve[n].deal, before: curve[n].chances[winner - 1], after: after.chances[winner - 1],
  }));
  const most = rises.sort((one, other) => other.after - other.before - (one.after - one.before))[0];
  if (!most || most.after <= most.before) return null;
  const percent = (share) => Math.round(100 * share);
  return say('turning', {
    deal: most.deal, name: players[winner - 1], before: percent(most.before), after: percent(most.after),
  });
}

// With two players, one player's luck is the other's misfortune. If somebody's decisions are unknown, they cannot be
// separated from luck.
function luck({ totals }) {
  if (totals.some(({ decisions }) => decisions === 0)) return null;
  const [most] = [...totals].sort((one, other) => other.luck - one.luck);
  if (most.luck < EVEN) return say('luck-even');
  return say('luck-to', { name: most.player, share: Math.round(100 * most.luck) });
}

// Buttons that share or save a picture of a game, and the game itself, with other buttons beside them.
export function gifts(number, title, ...others) {
  const said = el('p', { class: 'refused', role: 'alert', hidden: '' });
  const shares = Boolean(navigator.canShare?.({ files: [new File([''], 'game.png', { type: 'image/png' })] }));
  const give = (code, make) => {
    let file = null; // kept, because a phone may need a second tap
    const made = button(say(code), async () => {
      made.disabled = true;
      said.hidden = true;
      file ??= await make(number).catch(() => null);
      made.disabled = false;
      if (file) await hand(file, title);
      else {
        said.textContent = say('no-answer');
        said.hidden = false;
      }
    }, '', code);
    return made;
  };
  return el('div', { class: 'gifts' },
    el('div', { class: 'asks' },
      give(shares ? 'share-picture' : 'save-picture', picture),
      give(shares ? 'send-game' : 'save-game', replay), ...others),
    said);
}

// Share with another app. If there is none, or it was not allowed, save a file.
async function hand(file, title) {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title });
      return;
    } catch (error) {
      if (error.name === 'AbortError') return; // the user cancelled
    }
  }
  const link = el('a', { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), AGAIN);
}

async function replay(number) {
  const answer = await fetch(`export/${number}.html?lang=${language}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return new File([await answer.blob()], `game-${number}.html`, { type: 'text/html' });
}

// The board's drawing as a bitmap, which every app accepts.
async function picture(number) {
  const image = new Image();
  image.src = `export/${number}.svg?lang=${language}`;
  await image.decode();
  const canvas = el('canvas', { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext('2d').drawImage(image, 0, 0);
  const dots = await new Promise((done) => canvas.toBlob(done, 'image/png'));
  return new File([dots], `game-${number}.png`, { type: 'image/png' });
}

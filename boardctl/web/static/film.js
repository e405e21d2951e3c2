// Frames from this device's own camera, read until the hand is sure. Browsers allow it only over HTTPS, or on the
// board itself.

import { photo } from './ask.js';
import { el } from './dom.js';
import { say } from './words.js';

const SIDE = 1600; // px of the longer side of a frame
const FRAMES = 6; // frames of one hand before the rest is asked
const AGAIN = 700; // ms before the next frame while the board is busy
const BUSY = 'busy';

export const films = () => Boolean(navigator.mediaDevices?.getUserMedia);

// The camera, shown in `node` while it runs. Each camera of a page runs at most once.
export class Film {
  node = el('video', { class: 'film', playsinline: '', 'aria-hidden': 'true', hidden: '' });
  #stream = null;
  #turn = 0;

  constructor() {
    this.node.muted = true;
  }

  get on() {
    return this.#stream !== null;
  }

  stop() {
    this.#turn += 1;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
    this.node.srcObject = null;
    this.node.hidden = true;
  }

  // Reads frames and gives each answer to `seen`, until that returns true or the camera is stopped. Returns a
  // sentence if there is no camera, or none may be used.
  async run(most, known, seen) {
    this.stop();
    const turn = this.#turn;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: SIDE } } });
      if (turn !== this.#turn) {
        for (const track of stream.getTracks()) track.stop();
        return '';
      }
      this.#stream = this.node.srcObject = stream;
      this.node.hidden = false;
      await this.node.play();
    } catch {
      if (turn === this.#turn) this.stop();
      return say('no-film');
    }
    while (turn === this.#turn && this.node.isConnected && !document.hidden) {
      const answer = await photo(await this.#frame(), most, known);
      if (turn !== this.#turn) return '';
      const busy = answer.error?.code === BUSY;
      if (!busy && seen(answer)) break;
      if (busy) await new Promise((next) => setTimeout(next, AGAIN));
    }
    if (turn === this.#turn) this.stop();
    return '';
  }

  #frame() {
    const { videoWidth: width, videoHeight: height } = this.node;
    const scale = Math.min(1, SIDE / Math.max(width, height));
    const made = el('canvas', { width: Math.round(width * scale), height: Math.round(height * scale) });
    made.getContext('2d').drawImage(this.node, 0, 0, made.width, made.height);
    return new Promise((done) => made.toBlob(done, 'image/jpeg', .9));
  }
}

// The cards of a hand from several frames, each a list of readings. A card is sure if two frames are sure of it. The
// hand is `settled` if `most` cards are sure and no frame was sure of another one; it also is in a single frame that
// leaves nothing in doubt. After the last frame, all cards that were seen are asked about, unless they are sure.
export function fused(frames, most) {
  const count = new Map();
  for (const cards of frames) {
    for (const card of new Set(cards.filter(({ sure }) => sure).map((each) => each.card))) count.set(card, (count.get(card) ?? 0) + 1);
  }
  const last = frames.at(-1) ?? [];
  const others = (own) => [...count.keys()].some((card) => !own.includes(card));
  const whole = last.filter(({ sure }) => sure).map(({ card }) => card);
  if (last.length === most && whole.length === most && !others(whole)) return { sure: whole, asked: [], settled: true };
  const sure = [...count].filter(([, times]) => times > 1).map(([card]) => card);
  if (sure.length === most && !others(sure)) return { sure, asked: [], settled: true };
  const kept = sure.length <= most ? sure : [];
  const seen = [...new Set([...count.keys(), ...last.map(({ card }) => card)])];
  return { sure: kept, asked: seen.filter((card) => !kept.includes(card)), settled: frames.length >= FRAMES };
}

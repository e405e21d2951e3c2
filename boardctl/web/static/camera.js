// Cards read from a photo: sure cards are entered at once, and the page asks about the others, each with its part of
// the picture. Hidden if the board cannot read photos.

import { get, photo, reportPhoto, turns } from './ask.js';
import { button, el } from './dom.js';
import { Film, films, fused } from './film.js';
import { cardChip, cardName, say } from './words.js';

const CROP = 64; // px, the height of a card's picture beside its question

let reads = null; // whether the board can read photos, asked once

export class Camera {
  #said = el('span', { role: 'status' });
  #newest = turns();
  #film = new Film();
  #report;
  #right = []; // the entered cards, if all of them are known
  #misread = null; // the last photo, and the cards read from it
  #about;

  // `asks()` returns the maximum number of wanted cards, the cards visible elsewhere, and whether the question still
  // stands when the answer has arrived. `sees(cards)` takes the sure cards, `yes(card)` one that was asked about.
  // `real` is false if there are no cards on the table. `follow` must be called with the entered cards: if the photo
  // was misread, it can be saved with them.
  constructor(about) {
    this.#about = about;
    const input = el('input', { type: 'file', accept: 'image/*', capture: 'environment', 'aria-label': say('photo'), 'data-focus': 'photo' });
    const label = el('label', { class: 'act' }, say('photo'), input);
    this.#report = button(say('photo-report'), () => this.#save(), '', 'photo-report');
    this.#report.hidden = true;
    this.node = el('div', { class: 'photo', hidden: '' }, label, films() ? button(say('film'), () => this.#watch(), '', 'film') : null, this.#film.node, this.#said, this.#report);
    reads ??= get('photo').then((answer) => answer.available === true);
    reads.then((available) => { this.node.hidden = !available || about.real === false; });
    input.addEventListener('change', () => {
      const [file] = input.files;
      if (file) this.#read(file).finally(() => { input.value = ''; });
    });
  }

  // Drops the questions, and a photo that is still being read.
  clear() {
    this.#newest();
    this.#film.stop();
    this.#said.replaceChildren();
    this.#misread = null;
    this.#report.hidden = true;
  }

  // Called with the entered cards; `whole` is whether they are all.
  follow(cards, whole) {
    const known = whole && cards.every((card) => card?.length > 1);
    this.#right = known ? cards : [];
    const read = this.#misread?.read ?? [];
    const missed = (card) => !read.some((each) => each.card === card);
    const wrong = ({ card, sure }) => sure && !this.#right.includes(card);
    this.#report.hidden = !this.#misread || !known || !(this.#right.some(missed) || read.some(wrong));
  }

  async #save() {
    const [{ file }, newest] = [this.#misread, this.#newest()];
    this.#misread = null;
    this.#report.hidden = true;
    const { error } = await reportPhoto(file, this.#right);
    if (newest()) this.#said.textContent = error?.message ?? say('photo-reported');
  }

  // Reads frames of the camera until the hand is sure; pressed again, it stops and asks about the others.
  async #watch() {
    if (this.#film.on) {
      this.#film.stop();
      return;
    }
    const newest = this.#newest();
    const { most, elsewhere, stands } = this.#about.asks();
    const frames = [];
    this.#said.textContent = say('photo-reading');
    const problem = await this.#film.run(most, elsewhere, ({ cards }) => {
      if (!newest() || !stands()) return true;
      if (cards) frames.push(cards);
      return fused(frames, most).settled;
    });
    if (!newest() || !stands()) return;
    const { sure, asked } = fused(frames, most);
    this.#said.replaceChildren(problem);
    if (frames.length === 0) return;
    this.#about.sees(sure);
    this.#said.replaceChildren(...asked.map((card) => this.#question({ card }, null)));
  }

  async #read(file) {
    const newest = this.#newest();
    const { most, elsewhere, stands } = this.#about.asks();
    this.#said.textContent = say('photo-reading');
    const answer = await photo(file, most, elsewhere);
    const picture = answer.cards?.some(({ sure }) => !sure) ? await createImageBitmap(file).catch(() => null) : null;
    if (!newest() || !stands()) return;
    this.#misread = { file, read: answer.cards ?? [] };
    if (answer.error) {
      this.#said.textContent = answer.error.message;
      return;
    }
    this.#about.sees(answer.cards.filter(({ sure }) => sure).map(({ card }) => card));
    this.#said.replaceChildren(...answer.cards.filter(({ sure }) => !sure).map((each) => this.#question(each, picture)));
  }

  #question({ card, box = null }, picture) {
    const made = button('', () => {
      this.#about.yes(card);
      made.remove();
    }, '', `asked${card}`);
    made.replaceChildren(...[picture && cropped(picture, box), cardChip(card), '?'].filter(Boolean));
    made.setAttribute('aria-label', say('photo-asked', { card: cardName(card) }));
    return made;
  }
}

// The part of a photo that a question is about; it never leaves the phone again.
function cropped(picture, box) {
  const [xs, ys] = [0, 1].map((axis) => box.map((corner) => corner[axis]));
  const [left, top] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
  const width = Math.max(1, Math.min(picture.width, Math.max(...xs)) - left);
  const height = Math.max(1, Math.min(picture.height, Math.max(...ys)) - top);
  const scale = CROP / Math.max(width, height);
  const made = el('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale), 'aria-hidden': 'true' });
  made.getContext('2d').drawImage(picture, left, top, width, height, 0, 0, made.width, made.height);
  return made;
}

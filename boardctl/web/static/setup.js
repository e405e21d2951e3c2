// Setting the board up: the wizard's questions, the self-test, copies of the games, the card.

import { get, allowed as patiently, post } from './ask.js';
import { Board } from './board.js';
import { Dialog } from './dialog.js';
import { button, el, pause, put } from './dom.js';
import { LEGEND } from './keypad.js';
import { Link } from './link.js';
import { language, learn, locale, say } from './words.js';

/** @returns {any} */
const at = (id) => document.getElementById(id);
const PIECE = 1 << 19; // bytes per chunk of a file
const LOOK = 250; // ms between two polls of the self-test
const AWAY = 1500; // ms until a restarting board is polled
const FLASHED = 80; // polls until a firmware must have been written

const dialog = new Dialog('setup-sure');
const answers = new Map();
let seen = 0;

function announce(text, kind = '') {
  at('told').hidden = !text;
  at('told').textContent = text;
  at('told').className = `panel told ${kind}`;
  at('told').scrollIntoView({ block: 'nearest' });
}

// Shows the fault of an answer; returns whether there is none.
function well({ refused, error }) {
  if (refused || error) announce((refused ?? error).message, 'bad');
  return !refused && !error;
}

// Sends a request that the people at the board have to allow.
const allowed = (path, body) => patiently(path, body, (message) => announce(message));

const pairs = () => [...answers].map(([name, value]) => [name, value]);

// The questions that follow from the answers so far. One request at a time, each with the current answers: an older
// result never overwrites a newer one.
let asked = Promise.resolve();
function questions() {
  const next = asked.then(() => post('setup/questions', { answers: pairs() }));
  asked = next;
  return next;
}

// The current content of the form, including unfinished text; `empty`: also fields that were left empty.
function keep(empty = false) {
  for (const node of at('questions').querySelectorAll('[name]')) {
    if (node.value !== node.dataset.usual || answers.has(node.name) || (empty && !node.value)) answers.set(node.name, node.value);
  }
}

async function drawQuestions() {
  const answer = await questions();
  if (well(answer)) drawForm(answer);
}

function drawForm(answer) {
  keep();
  const form = el('form', {}, ...answer.questions.map(field),
    el('button', { class: 'act first', 'data-focus': 'save' }, say('setup-save')));
  form.noValidate = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    keep(true);
    if (!(await check())) form.querySelector('[aria-invalid="true"]').focus();
    else if (well(await allowed('setup/config', { answers: pairs() }))) await anew(say('setup-saved'));
  });
  put(at('questions'), el('h2', {}, say('setup-questions')), form);
}

// Shows the reason at each question whose answer is refused; returns whether all are accepted.
async function check() {
  const answer = await questions();
  if (!well(answer)) return true; // the board reports it when it saves
  return mark(answer);
}

function mark(answer) {
  for (const question of answer.questions) object(question);
  return answer.questions.every(({ refused }) => !refused);
}

// After a typed answer: the reason if it is refused, or other questions if it has led to others.
async function checkTyped() {
  const answer = await questions();
  if (!well(answer)) return;
  const drawn = [...at('questions').querySelectorAll('[name]')].map(({ name }) => name);
  if (drawn.join() === answer.questions.map(({ name }) => name).join()) mark(answer);
  else drawForm(answer);
}

function object({ name, refused }) {
  const node = at('questions').querySelector(`[name="${CSS.escape(name)}"]`);
  if (!node) return;
  node.setAttribute('aria-invalid', String(Boolean(refused)));
  at(`refused-${name}`).textContent = refused ?? '';
}

function field({ name, text, usual, choices, secret, refused }) {
  const value = answers.get(name) ?? usual;
  const own = { name, 'data-usual': usual, 'data-focus': name, 'aria-describedby': `refused-${name}`, 'aria-invalid': String(Boolean(refused)) };
  const made = choices
    ? el('select', own, ...choices.map((choice) =>
        el('option', { value: choice.value, selected: choice.value === value ? '' : null }, choice.text)))
    : el('input', { ...own, type: secret ? 'password' : 'text', value, maxlength: 200, autocomplete: 'off' });
  made.addEventListener('change', () => {
    keep();
    if (choices) drawQuestions(); // another answer has other questions, or the same with other choices
    else checkTyped();
  });
  return el('div', { class: 'field-of' },
    el('label', {}, el('span', {}, text), made),
    el('p', { id: `refused-${name}`, class: 'refused', role: 'alert' }, refused ?? ''));
}

// The board restarts and is away for a moment.
async function anew(text) {
  announce(text);
  await pause(AWAY);
  for (;;) {
    const answer = await get('setup');
    if (answer.error?.code !== 'no-answer') break;
    await pause(AWAY);
  }
  location.reload();
}

function drawKeys() {
  at('test-keys').replaceChildren(...[...LEGEND.join('')].map((key) => el('span', { 'data-key': key }, key)));
}

function drawTest(testing) {
  put(at('test-acts'), testing
    ? button(say('setup-test-end'), () => test(0), 'small', 'test')
    : button(say('setup-test-begin'), () => test(1), '', 'test'));
}

async function test(begin) {
  seen = 0;
  drawKeys();
  at('step').textContent = '';
  if (well(await allowed('setup/test', { begin })) && begin) await follow();
  else drawTest(false);
}

async function follow() {
  for (;;) {
    const answer = await get('setup/test', { after: seen });
    if (answer.error) break;
    seen = answer.count;
    for (const step of answer.steps) show(step);
    drawTest(answer.testing);
    if (!answer.testing) break;
    await pause(LOOK);
  }
}

function show(step) {
  const key = (name) => at('test-keys').querySelector(`[data-key="${CSS.escape(name)}"]`);
  const asked = at('test-keys').querySelector('.asked');
  if (['press', 'done'].includes(step.code)) asked?.classList.replace('asked', 'came');
  if (step.code === 'press') key(step.key)?.classList.add('asked');
  if (step.code === 'missing') {
    for (const name of step.keys.split(' ')) key(name)?.classList.replace('came', 'missing');
  }
  at('step').textContent = step.code === 'missing' ? `${at('step').textContent} ${step.text}` : step.text;
}

function sure(question, act, todo) {
  dialog.fill(question, el('div', { class: 'asks' },
    button(act, () => {
      dialog.close();
      todo();
    }, 'first'),
    button(say('no-leave'), () => dialog.close(), 'small')));
}

// Sends a file in pieces; returns whether all of it has arrived.
async function send(what, file, bar) {
  bar.hidden = false;
  bar.max = file.size;
  for (let sent = 0; sent < file.size;) {
    const path = `setup/upload/${what}?${new URLSearchParams({ at: String(sent), lang: language })}`;
    const body = file.slice(sent, sent + PIECE);
    let answer;
    try {
      answer = await (await fetch(path, { method: 'POST', body })).json();
    } catch {
      answer = { error: { message: say('no-answer') } };
    }
    if (!well(answer)) return false;
    if (answer.size <= sent) {
      announce(say('no-answer'), 'bad');
      return false;
    }
    sent = bar.value = answer.size;
  }
  return true;
}

function sender(what, use) {
  const bar = el('progress', { value: 0, max: 1, hidden: '', 'aria-label': say(`setup-${what}`) });
  const input = el('input', { type: 'file', 'data-focus': what });
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (file && (await send(what, file, bar))) use();
    bar.hidden = true;
    input.value = '';
  });
  return el('div', { class: 'asks' }, el('label', { class: 'act small file' }, say(`setup-${what}`), input), bar);
}

async function drawGames() {
  const { houses } = await get('far');
  put(at('games'),
    el('h2', {}, say('setup-games')),
    el('div', { class: 'asks' },
      el('a', { class: 'act small', href: 'setup/backup', download: '' }, say('setup-backup'))),
    houses?.length > 0 ? el('p', { class: 'hint' }, say('far-backup')) : null,
    sender('restore', async () => {
      const { present, coming } = await get('setup/restore');
      sure(say('setup-restore-sure', { present: summed(present), coming: summed(coming) }), say('setup-restore-do'), () => restore());
    }),
    await broughtBack());
}

// The content of a journal: its evenings, and the days of the first and the last.
function summed(found) {
  if (!found) return say('setup-unknown-games');
  const day = (at) => (at ? new Date(1000 * at).toLocaleDateString(locale(), { day: 'numeric', month: 'short', year: 'numeric' }) : '?');
  const { evenings, lines, first, last } = found;
  if (!lines) return say('setup-no-games');
  return say(evenings === 1 ? 'setup-one-evening' : 'setup-evenings', { evenings, first: day(first), last: day(last) });
}

// The games replaced by the last restore, and how to restore them.
async function broughtBack() {
  const { earlier, present } = await get('setup/restore');
  if (!earlier) return null;
  const fields = { earlier: summed(earlier), present: summed(present) };
  return el('div', { class: 'group' }, el('p', { class: 'hint' }, say('setup-earlier', fields)),
    el('div', { class: 'asks' }, button(say('setup-earlier-do'),
      () => sure(say('setup-earlier-sure', fields), say('setup-restore-do'), () => restore({ earlier: true })), 'small', 'earlier')));
}

// Restores the games, and shows how much of the file was read.
async function restore(what = {}) {
  let reads = true;
  const reading = allowed('setup/restore', what).then((found) => {
    reads = false;
    return found;
  });
  while (reads) {
    await Promise.race([reading, pause(AWAY)]);
    const { restoring } = reads ? await get('setup') : {};
    if (reads && Number.isInteger(restoring)) announce(say('reading-games', { percent: restoring }));
  }
  const answer = await reading;
  if (well(answer)) await anew(say('setup-restored', { lines: answer.lines }));
}

// The firmware of a microcontroller attached to the card's machine.
function flashing({ boards = [], flashed }) {
  if (!boards.length && typeof flashed !== 'string') return null;
  const write = (chip) => sure(say('setup-flash-sure'), say(`setup-flash-${chip}`), async () => {
    if (!well(await allowed('setup/flash', { chip }))) return;
    announce(say('setup-flash-writing'));
    for (let looked = 0; looked < FLASHED; looked++) { // the board stops, and comes back afterwards
      await pause(AWAY);
      if (typeof (await get('setup')).card?.flashed === 'string') break;
    }
    location.reload();
  });
  const how = flashed ? say('setup-flash-failed', { reason: flashed }) : say('setup-flash-done');
  return el('div', { class: 'group' },
    el('p', { class: 'hint' }, say('setup-flash-hint')),
    typeof flashed === 'string' ? el('p', { class: 'hint', id: 'flashed' }, how) : null,
    el('div', { class: 'asks' },
      ...boards.map((chip) => button(say(`setup-flash-${chip}`), () => write(chip), 'small', chip))));
}

function drawCard(card) {
  at('card').hidden = !card;
  if (!card) return;
  const fact = (name, value) => [el('dt', {}, say(`setup-card-${name}`)), el('dd', {}, value)];
  const restart = () => sure(say('setup-restart-sure'), say('setup-restart'), async () => {
    if (well(await allowed('setup/restart', { what: 'machine' }))) await anew(say('setup-restarting'));
  });
  const reset = (games) => sure(say(`setup-reset-${games}-sure`), say(`setup-reset-${games}`), async () => {
    if (well(await allowed('setup/reset', { games }))) announce(say('setup-restarting'));
  });
  put(at('card'),
    el('h2', {}, say('setup-card')),
    el('dl', {},
      ...fact('version', card.version ?? '?'),
      ...fact('network', say(`setup-network-${card.network}`)),
      ...fact('room', `${card.free_mib} MiB`)),
    card.unused?.length
      ? el('p', { class: 'hint' }, say('setup-unused', {
        settings: card.unused.map(([name, reason]) => `${name} (${reason})`).join(', '),
      }))
      : null,
    card.other_failed ? el('p', { class: 'hint' }, say('setup-update-failed')) : null,
    card.on_trial ? el('p', { class: 'hint' }, say('setup-update-trial')) : null,
    card.next !== card.system
      ? el('div', { class: 'group' }, el('p', {}, say('setup-update-ready')),
          button(say('setup-restart'), restart, 'first', 'restart'))
      : null,
    el('div', { class: 'group' }, el('p', { class: 'hint' }, say('setup-update-hint')),
      sender('update', async () => {
        announce(say('setup-update-writing'));
        if (!well(await allowed('setup/update', {}))) return;
        announce(say('setup-update-ready'));
        await drawState();
      })),
    flashing(card),
    el('div', { class: 'asks' },
      button(say('setup-reset-keep'), () => reset('keep'), 'small', 'keep'),
      button(say('setup-reset-forget'), () => reset('forget'), 'small', 'forget'),
      button(say('setup-restart'), restart, 'small', 'again')));
}

async function drawState() {
  const answer = await get('setup');
  if (well(answer)) drawFound(answer);
}

function drawFound({ card, testing }) {
  drawCard(card);
  drawTest(testing);
  if (testing) follow();
}

async function begin() {
  const [layout] = await Promise.all([get('layout'), learn()]);
  if (layout.error) {
    setTimeout(begin, 2000); // the board is offline or still starting
    return;
  }
  const board = new Board(at('board'));
  board.draw(layout);
  const link = new Link(() => `?lang=${language}`);
  link.hear('open', () => (document.body.dataset.link = 'open'));
  link.hear('closed', () => (document.body.dataset.link = 'closed'));
  link.hear('frame', (leds) => board.show(leds));
  link.open();
  drawKeys();
  drawGames();
  const found = await get('setup');
  if (!well(found)) return;
  await drawQuestions(); // first, because they push everything below down
  drawFound(found);
}

begin();

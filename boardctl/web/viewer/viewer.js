// A game, move by move. This file contains all of its data.

'use strict';

(() => {
  const PACE = 700; // ms a move while it runs
  const DARK = '#1d120a';
  const SUITS = /((?:10|[2-9AJQK])[♠♥♦♣])/u;
  const at = (id) => document.getElementById(id);
  const game = JSON.parse(at('game').textContent);
  const lamps = new Map([...document.querySelectorAll('[data-name]')].map((lamp) => [lamp.dataset.name, lamp]));
  const last = game.steps.length - 1;
  let language = game.language;
  let now = Math.max(0, last);
  let timer = 0;

  const say = (code, fields = {}) =>
    game.words[language][code].replace(/\{(\w+)\}/g, (_, name) => String(fields[name] ?? ''));

  function el(name, text, kind = '') {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(text);
    return made;
  }

  // A text with its cards as small pictures.
  const withCards = (text) => text.split(SUITS).map((part) =>
    SUITS.test(part) ? el('span', part, /[♥♦]/u.test(part) ? 'card red' : 'card') : part);

  function look(step) {
    now = Math.max(0, Math.min(last, step));
    const shown = game.steps[now];
    for (const [name, lamp] of lamps) lamp.style.fill = shown.lit[name] ?? DARK;
    const scores = game.sides[language].map((name, side) => `${name} ${shown.scores[side] ?? 0}`);
    document.querySelector('#board svg').setAttribute('aria-label', scores.join(', '));
    at('scores').replaceChildren(...game.sides[language].map((name, side) => {
      const made = el('li', el('span', name), `side${side + 1}`);
      made.append(el('b', String(shown.scores[side] ?? 0)));
      return made;
    }));
    at('text').replaceChildren(...withCards(shown.text[language]));
    at('place').textContent = say('step', { step: now + 1, steps: last + 1 });
    at('awards').replaceChildren(...shown.awards.map((award, n) => {
      const made = el('li', el('b', String(award.points)));
      const again = shown.awards[n + 1]?.seat === award.seat; // the owner follows the last of them
      made.append(award.text[language] + (again ? '' : ` (${game.seats[language][award.seat - 1]})`));
      return made;
    }));
    at('at').value = String(now);
    at('at').setAttribute('aria-valuetext', shown.text[language]);
    at('first').disabled = at('back').disabled = now === 0;
    at('on').disabled = at('last').disabled = now === last;
    for (const [n, row] of [...at('moves').querySelectorAll('button')].entries()) {
      if (n === now) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    }
    document.body.dataset.step = String(now);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    at('run').textContent = say('play');
  }

  function go(step) {
    stop();
    look(step);
  }

  function run() {
    if (timer) return stop();
    if (now === last) look(0);
    at('run').textContent = say('pause');
    timer = setInterval(() => (now === last ? stop() : look(now + 1)), PACE);
  }

  function tell() {
    document.documentElement.lang = language;
    const day = new Date(game.began).toLocaleDateString(language, { day: 'numeric', month: 'long', year: 'numeric' });
    at('title').textContent = `${game.title[language]}: ${game.sides[language].join(' – ')}, ${day}`;
    document.title = `${game.sides[language].map((name, side) => `${name} ${game.scores[side] ?? ''}`.trim()).join(' – ')} · boardctl`;
    at('tongue').textContent = say('other-language');
    at('tongue').lang = language === 'ja' ? 'en' : 'ja';
    for (const id of ['first', 'back', 'on', 'last']) at(id).setAttribute('aria-label', say(`viewer-${id}`));
    at('at').setAttribute('aria-label', say('viewer-moves'));
    at('keys').setAttribute('aria-label', say('viewer-moves'));
    at('scores').setAttribute('aria-label', say('score'));
    at('hint').textContent = say('viewer-keys');
    at('moves-name').textContent = say('viewer-moves');
    at('highlights').replaceChildren(...game.highlights[language].map((said, n) => {
      const made = el('li', '', n === 0 ? 'result' : '');
      made.append(...withCards(said));
      return made;
    }));
    at('moves').replaceChildren(...game.steps.map((step, n) => {
      const row = el('button', el('span', step.text[language]), step.verb === 'deal' ? 'deal' : '');
      row.type = 'button';
      row.append(el('span', step.scores.join(' – ')));
      row.addEventListener('click', () => go(n));
      const made = el('li', '');
      made.append(row);
      return made;
    }));
    stop();
    look(now);
  }

  at('at').max = String(Math.max(0, last));
  at('at').addEventListener('input', () => go(Number(at('at').value)));
  at('first').addEventListener('click', () => go(0));
  at('back').addEventListener('click', () => go(now - 1));
  at('on').addEventListener('click', () => go(now + 1));
  at('last').addEventListener('click', () => go(last));
  at('run').addEventListener('click', run);
  at('tongue').addEventListener('click', () => {
    language = at('tongue').lang;
    tell();
  });
  addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === at('at')) return;
    const steps = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    go(steps[event.key]);
  });
  // A swipe across the board.
  let from = null;
  at('board').addEventListener('pointerdown', (event) => { from = event.clientX; });
  at('board').addEventListener('pointerup', (event) => {
    if (from !== null && Math.abs(event.clientX - from) > 40) go(now + (event.clientX < from ? 1 : -1));
    from = null;
  });
  tell();
})();

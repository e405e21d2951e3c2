// The shell: the first screen, the workers of the board and its player, and the frame with the page.

import { build } from './build.js';
import { say } from './say.js';

const ROOT = new URL('../', import.meta.url);
const PAGE = new URL(build.page, ROOT);
const VISITED = 'boardctl-visited';
// Only scripts of this address become workers.
const trusted = window.trustedTypes?.createPolicy('boardctl', {
  createScriptURL: (url) => {
    if (!new URL(url).href.startsWith(ROOT.href)) throw new TypeError(`not a script of this board: ${url}`);
    return url;
  },
}) ?? { createScriptURL: (url) => url };
const script = (url) => /** @type {any} */ (trusted.createScriptURL(new URL(url, ROOT).href));
const at = (id) => /** @type {any} */ (document.getElementById(id));

let board; // its worker
let player; // the second worker
let isReady = false;
let isWanted = false; // whether somebody has tapped the button, or has played here before
let isAsked = false; // whether the browser was asked to keep the games

function show(text) {
  at('said').textContent = text;
}

function warn(text) {
  at('warning').hidden = false;
  at('warned').textContent = text;
}

function fail(reason) {
  at('first').hidden = false;
  at('loaded').hidden = true;
  at('play').textContent = say('again');
  at('play').onclick = () => location.reload();
  show(say('failed', reason));
}

// A page of the board by its address in the shell's own: `#history.html?lang=en`, or the invitation of another
// house: `#far=…`.
function asked() {
  const isInvited = location.hash.startsWith('#far=');
  const path = isInvited ? `index.html${location.search}${location.hash}` : location.hash.slice(1) || `index.html${location.search}`;
  const page = new URL(path, PAGE);
  return page.href.startsWith(PAGE.href) ? page.href : new URL('index.html', PAGE).href;
}

// The page loads while Python starts; its requests wait for the board.
function openFrame() {
  if (!board || !isWanted || at('page')) return;
  const frame = document.createElement('iframe');
  frame.id = 'page';
  frame.title = 'boardctl';
  frame.addEventListener('load', () => {
    const { contentDocument: page, contentWindow: its } = frame;
    const path = its.location.href.slice(PAGE.href.length);
    history.replaceState(null, '', path === 'index.html' || path === '' ? './' : path.startsWith('index.html?') ? `./${path.slice(10)}` : `#${path}`);
    const named = () => (document.title = page.title);
    named();
    document.documentElement.lang = page.documentElement.lang;
    new MutationObserver(named).observe(page.head, { childList: true, characterData: true, subtree: true });
  });
  frame.inert = true;
  frame.src = asked();
  document.body.append(frame);
  showFrame();
}

// In place of the first screen, as soon as the board answers.
function showFrame() {
  const frame = at('page');
  if (!isReady || !frame) return;
  frame.inert = false;
  at('first').hidden = true;
  frame.focus();
}

// A port of the board for one document in the frame.
Object.assign(window, {
  boardPort: () => {
    const { port1, port2 } = new MessageChannel();
    board.postMessage({ port: port2 }, [port2]);
    return port1;
  },
});

function startPlayer() {
  if (player) return;
  player = new Worker(script(`${build.shell}player.js`), { type: 'module' });
  const { port1, port2 } = new MessageChannel();
  player.postMessage({ port: port1 }, [port1]);
  board.postMessage({ player: port2 }, [port2]);
  player.onmessage = ({ data }) => data.failed && warn(say('no-player', data.failed));
  player.onerror = ({ message }) => warn(say('no-player', message));
}

async function persist() {
  if (isAsked) return;
  isAsked = true;
  const stays = await navigator.storage?.persist?.();
  if (!stays) warn(say('not-persisted'));
}

function startBoard() {
  const all = build.python.reduce((sum, [, size]) => sum + size, 0);
  let came = 0;
  board = new Worker(script(`${build.shell}board.js`), { type: 'module' });
  board.onerror = ({ message }) => !isReady && fail(message ?? '');
  board.onmessage = ({ data }) => {
    if (data.came) {
      came += data.came;
      at('loaded').value = 0.7 * came / all;
      show(came < all ? say('loading', Math.round(100 * came / all)) : say('starting'));
    } else if (data.step) {
      at('loaded').value = 0.85;
      show(say(data.step));
    } else if (data.failed) {
      fail(data.failed);
    } else if (data.full) {
      warn(say('full'));
    } else if (data.needs) {
      startPlayer();
    } else if (data.ready) {
      isReady = true;
      at('loaded').value = 1;
      show(say('ready'));
      performance.mark('board-ready', { detail: { isResumed: data.isResumed } });
      localStorage.setItem(VISITED, build.version);
      if (!data.keeps) warn(say('not-kept'));
      showFrame();
    } else if (data.filesKept) {
      navigator.serviceWorker?.register(script('sw.js'));
    }
  };
  const language = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  board.postMessage({ start: { language, place: ROOT.pathname, address: ROOT.href } });
  openFrame();
}

// The code of the sentence why the board cannot start in this browser; null if it can.
function lacking() {
  if (!window.isSecureContext) return 'insecure'; // has none of the interfaces below
  if (!navigator.locks || !window.WebAssembly) return 'old';
  try {
    localStorage.getItem(VISITED);
  } catch {
    return 'blocked';
  }
  return null;
}

// Only one tab at a time has the board: two would write the same files.
async function begin() {
  at('tale').textContent = say('tale');
  at('play').textContent = say('play');
  at('understood').textContent = say('understood');
  at('understood').onclick = () => (at('warning').hidden = true);
  const lacks = lacking();
  if (lacks) {
    fail(say(lacks));
    return;
  }
  isWanted = localStorage.getItem(VISITED) !== null;
  at('play').onclick = () => {
    isWanted = true;
    persist();
    openFrame();
    if (!isReady) at('play').disabled = true;
  };
  at('play').hidden = isWanted;
  const lock = `boardctl ${ROOT.pathname}`;
  const isFree = await navigator.locks.request(lock, { ifAvailable: true }, (had) => {
    if (!had) return false;
    startBoard();
    return new Promise(() => {}); // until this tab is closed
  });
  if (isFree === false) {
    at('loaded').hidden = true;
    at('play').hidden = true;
    show(say('elsewhere'));
    await navigator.locks.request(lock, () => {
      location.reload();
      return new Promise(() => {});
    });
  }
}

begin();

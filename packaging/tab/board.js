// The worker of the board: Python with the board and its page. The shell sends `start`, and a port for each document
// of the page. A port receives requests and WebSockets, and answers them.

import { build } from './build.js';
import { open } from './kept.js';
import { keepFiles, load, resume } from './python.js';
import { confirm, forget, isWanted, keep, note, reject } from './snapshot.js';
import { open as openSodium } from './sodium.js';

const DATA = '/data';
const NO_ROOM = 51; // ENOSPC of WASI
const ALL = build.python.reduce((sum, [, size]) => sum + size, 0);
let python;
let board;
let kept;
let isResumed; // from the memory of an earlier start
let isMisfit = false; // whether that memory failed
const early = []; // requests for the second worker before it exists
let toPlayer = (what) => void early.push(what);
const asked = new Map();
let last = 0;

const tell = (what) => self.postMessage(what);
const reason = (error) => String(error?.message ?? error).trim().split('\n').at(-1);

// The board's folder as it is now; `lock` belongs to a process, and there is only one.
function folder() {
  const files = new Map();
  const add = (within) => {
    for (const name of python.FS.readdir(`${DATA}/${within}`)) {
      const path = `${DATA}/${within}${name}`;
      if (['.', '..', 'lock'].includes(name)) continue;
      if (python.FS.isDir(python.FS.stat(path).mode)) add(`${within}${name}/`);
      else files.set(`${within}${name}`, python.FS.readFile(path));
    }
  };
  add('');
  return files;
}

function putBack(name, bytes) {
  const path = `${DATA}/${name}`;
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  python.FS.writeFile(path, bytes);
}

// libsodium, for games with other houses.
let sodium = null;
function withSodium() {
  sodium ??= openSodium().then((call) => python.registerJsModule('boardctl_sodium', { call }));
  return sodium;
}

// A file of the folder is on disk when its sync returns, as on a real disk; the same applies to the folder's names.
function keepOnSync() {
  const { FS } = python;
  const sync = (stream) => {
    if (!FS.getPath(stream.node).startsWith(DATA)) return 0;
    try {
      kept.keep(folder());
    } catch (error) {
      tell({ full: reason(error) });
      forget(); // games need the room more, and the board tries again
      throw new FS.ErrnoError(NO_ROOM);
    }
    return 0;
  };
  FS.writeFile(`${DATA}/lock`, '');
  for (const path of [DATA, `${DATA}/lock`]) {
    const { node } = FS.lookupPath(path);
    node.stream_ops.fsync = sync; // one object for every folder, and one for every file
  }
}

// The second worker does slow work; it starts when it is first needed.
function ask(program, words, given) {
  const bytes = given.toJs();
  const list = words.toJs();
  last += 1;
  const id = last;
  tell({ needs: 'player' });
  const done = new Promise((yes, no) => asked.set(id, { yes, no }));
  toPlayer({ id, program, words: list, given: bytes });
  return done.then(([status, output]) => python.toPy([status, output]));
}

function usePlayer(port) {
  port.onmessage = ({ data: { id, answer, error } }) => {
    const { yes, no } = asked.get(id);
    asked.delete(id);
    if (error) no(new Error(error));
    else yes(answer);
  };
  toPlayer = (what) => port.postMessage(what);
  for (const what of early.splice(0)) toPlayer(what);
}

async function openBoard(loaded, { language, address }) {
  ({ python } = loaded);
  python.FS.mkdir(DATA);
  sodium = null;
  if (kept) {
    for (const [name, bytes] of kept.files) putBack(name, bytes);
    keepOnSync();
  }
  if (kept?.files.has('far.json')) await withSodium();
  const { opened } = python.pyimport('boardctl.app.tab');
  board = await opened(DATA, language, ask, address);
}

// The board, from the memory that an earlier start has kept; null if that does not fit.
async function again(options) {
  try {
    const loaded = await resume();
    if (!loaded) return null;
    tell({ came: ALL });
    await openBoard(loaded, options);
    confirm();
    return loaded;
  } catch (error) {
    note(`The board starts from its files, because Python's memory of an earlier start does not fit: ${reason(error)}`);
    isMisfit = true;
    return null;
  }
}

async function start(options) {
  kept = await open(options.place);
  let loaded = await again(options);
  isResumed = loaded !== null;
  if (!loaded) {
    loaded = await load({ progress: (bytes) => tell({ came: bytes }), hasImage: kept !== null && await isWanted() });
    tell({ step: 'opening' });
    await openBoard(loaded, options);
    if (isMisfit) await reject(); // the memory was at fault: the files do start
  }
  return loaded;
}

async function answer(port, { id, method, path, headers, body }) {
  const content = new Uint8Array(body ?? 0);
  if (method === 'POST' && path.startsWith('/far/')) await withSodium();
  const said = path === '/tab/copy'
    ? copy(method, content)
    : await board.request(id, method, path, python.toPy(headers), python.toPy(content));
  const [status, named, bytes] = said.toJs ? said.toJs() : said;
  said.destroy?.();
  port.postMessage({ id, status, headers: JSON.parse(named), body: [204, 304].includes(status) ? null : bytes });
}

// The games as one file, saved or loaded.
function copy(method, content) {
  const plain = JSON.stringify([['content-type', 'application/octet-stream'], ['content-disposition', 'attachment; filename="games.sqlite3"']]);
  if (method === 'GET') {
    const made = board.save();
    const bytes = made.toJs();
    made.destroy();
    return [200, plain, bytes];
  }
  const given = python.toPy(content);
  const refused = board.restore(given);
  given.destroy();
  return [200, JSON.stringify([['content-type', 'application/json']]), new TextEncoder().encode(JSON.stringify({ refused }))];
}

function serve(port) {
  const sockets = new Map();
  const deeds = {
    http: (data) => answer(port, data),
    gone: ({ id }) => board.leave(id),
    ws: ({ id, path, headers }) => {
      const tells = (what, value) => {
        const plain = value?.toJs ? value.toJs() : value;
        value?.destroy?.();
        port.postMessage({ ws: id, what, value: plain });
      };
      sockets.set(id, board.connect(path, python.toPy(headers), tells));
    },
    say: ({ id, text }) => sockets.get(id)?.say(text),
    close: ({ id }) => {
      sockets.get(id)?.close();
      sockets.delete(id);
    },
    bye: () => {
      for (const socket of sockets.values()) socket.close();
      sockets.clear();
    },
    player: () => tell({ needs: 'player' }),
    memory: ({ id }) => port.postMessage({ id, status: 200, headers: [], body: JSON.stringify({ python: python._module.HEAPU8.length, kept: kept?.size ?? 0 }) }),
  };
  port.onmessage = async ({ data }) => {
    try {
      await ready;
      await deeds[data.kind](data);
    } catch (error) {
      if (data.kind === 'http') port.postMessage({ id: data.id, status: 500, headers: [], body: reason(error) });
      else throw error;
    }
  };
}

let begin;
const begun = new Promise((yes) => (begin = yes));
const ready = begun.then(start);
self.onmessage = ({ data }) => {
  if (data.start) begin(data.start);
  if (data.port) serve(data.port);
  if (data.player) usePlayer(data.player);
};
ready.then(async ({ files, image }) => {
  tell({ ready: true, keeps: Boolean(kept), isResumed });
  await keepFiles(files);
  tell({ filesKept: true });
  if (image) await keep(image);
}, (error) => tell({ failed: reason(error) }));

// Python's memory after a rehearsed start, kept by the browser with the files of `/app`. A later start copies both
// instead of unpacking and importing, which takes most of a start's time.
//
// The file: three words (mark, unfinished starts, length of a JSON text), that text, Pyodide's own head of its
// snapshot, the files, and the parts of the memory that are not zero. The mark is written last. Memory that does not
// fit is not used again. Memory whose starts do not end, perhaps because the tab was closed, is replaced once.

import { build } from './build.js';
import { withFiles } from './kept.js';

const MARK = 0x70616e73;
const HEAD = 12;
const MOST = 2; // unfinished starts
const REFUSED = 255; // in place of their number: no start of this version keeps memory any more
const TRIES = 5; // while another worker has the file open
const PAGE = 65536;
const NAME = 'start';
const place = new URL('../', import.meta.url).pathname;
// Memory fits only the same files in the same version of the browser.
const VERSION = `${build.version} ${navigator.userAgent}`;

// Says in the console why a start is slower: players need not act.
// biome-ignore lint/suspicious/noConsole: the page has nothing to offer here
export const note = (text) => console.warn(text);

// The file, or null.
const openFile = () => withFiles(place, [NAME], TRIES, ([handle]) => handle);

async function withFile(use) {
  const handle = await openFile();
  try {
    return handle && use(handle);
  } finally {
    handle?.close();
  }
}

const words = (...values) => new Uint8Array(Uint32Array.from(values).buffer);
const mark = (unfinished) => (handle) => handle.write(words(MARK, unfinished), { at: 0 });

function read(handle, at, bytes) {
  if (handle.read(bytes, { at }) !== bytes.length) throw new Error('the kept memory is cut off');
  return bytes;
}

// What a complete file of this version has; null if it is another.
function head(handle) {
  if (handle.getSize() < HEAD) return null;
  const [marked, unfinished, length] = new Uint32Array(read(handle, 0, new Uint8Array(HEAD)).buffer);
  if (marked !== MARK || HEAD + length > handle.getSize()) return null;
  const text = new TextDecoder().decode(read(handle, HEAD, new Uint8Array(length)));
  try {
    const found = JSON.parse(text);
    return found.version === VERSION ? { ...found, unfinished, at: HEAD + length } : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null; // damaged
  }
}

// Whether memory may be kept: there is none of this version, or the starts of the first did not end.
const isFree = (found) => !found || (found.unfinished === MOST && !found.isRenewed);

function refuse(handle) {
  const text = new TextEncoder().encode(JSON.stringify({ version: VERSION }));
  handle.truncate(0);
  try {
    handle.write(words(MARK, REFUSED, text.length), { at: 0 });
    handle.write(text, { at: HEAD });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // no room even for this: the next start tries again
  }
}

// The kept memory, in the open file.
class Kept {
  constructor(handle, { size, config, files, parts, at }) {
    this.handle = handle;
    this.size = size; // bytes of the whole memory
    this.config = read(handle, at, new Uint8Array(config)); // Pyodide's
    this.parts = parts;
    const content = read(handle, at + config, new Uint8Array(files.reduce((sum, [, length]) => sum + length, 0)));
    let end = 0;
    this.files = files.map(([name, length]) => {
      end += length;
      return [name, content.subarray(end - length, end)];
    });
    this.at = at + config + end;
  }

  restore(memory) {
    let end = 0;
    for (const [from, to] of this.parts) {
      memory.fill(0, end, from);
      read(this.handle, this.at, memory.subarray(from, to));
      this.at += to - from;
      end = to;
    }
    memory.fill(0, end);
  }

  close() {
    this.handle.close();
  }
}

// Begins a start with the kept memory; null if there is none that fits.
export async function take() {
  const handle = await openFile();
  try {
    const found = handle && head(handle);
    if (found && found.unfinished < MOST) {
      mark(found.unfinished + 1)(handle);
      return new Kept(handle, found);
    }
  } catch (error) {
    handle.close();
    throw error;
  }
  handle?.close();
  return null;
}

// Whether the browser stores files, and a start should make memory for `keep`.
export const isWanted = () => withFile((handle) => isFree(head(handle)));

// The start has succeeded, or its memory does not fit.
export const confirm = () => withFile(mark(0));
export const reject = () => withFile(refuse);

// The parts that are not zero, each from a byte to a byte.
function filled(memory) {
  const found = [];
  for (let from = 0; from < memory.length; from += PAGE) {
    const to = Math.min(from + PAGE, memory.length);
    if (new Uint32Array(memory.buffer, memory.byteOffset + from, (to - from) / 4).every((word) => word === 0)) continue;
    const last = found.at(-1);
    if (last?.[1] === from) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

// Keeps memory for the next start, if the browser has room for it: Pyodide's snapshot, and the files by name.
export async function keep({ snapshot, files }) {
  const config = snapshot.slice(0, new Uint32Array(snapshot.buffer, 0, 2)[1]);
  const memory = snapshot.subarray(config.length);
  const parts = filled(memory);
  const isKept = await withFile((handle) => {
    const found = head(handle);
    if (!isFree(found)) return true;
    const text = new TextEncoder().encode(JSON.stringify({
      version: VERSION, isRenewed: found !== null, size: memory.length, config: config.length, parts,
      files: files.map(([name, { length }]) => [name, length]),
    }));
    const all = [words(0, 0, text.length), text, config, ...files.map(([, content]) => content), ...parts.map((part) => memory.subarray(...part))];
    let at = 0;
    handle.truncate(0);
    try {
      for (const bytes of all) at += handle.write(bytes, { at });
      handle.flush();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
    if (at === all.reduce((sum, { length }) => sum + length, 0)) return mark(0)(handle);
    refuse(handle);
    return false;
  });
  if (isKept === false) note('The next start will be slower, because the browser has no room for Python’s memory.');
}

// Makes room.
export const forget = () => withFile((handle) => handle.truncate(0));

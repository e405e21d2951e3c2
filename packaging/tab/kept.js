// The board's files, kept by the browser: a log of what changed, in two files that are used in turn. A sync
// of the board (man 2 fsync) appends the blocks that changed and returns when the browser has them on disk.
//
// A record: five words of 32 bits (mark, bytes, CRC-32 of these, number, generation), then the length of a
// JSON text, that text, and the blocks that it names. Record 0 of a generation has every file; a record that
// was cut off fails its checksum and ends the log.

const BLOCK = 4096;
const HEAD = 20;
const MARK = 0x6c6b6362;
const AGAIN = 100; // ms until a file that another worker has is opened again
const TRIES = 100;
const LARGE = 4 << 20; // bytes of a log that is rewritten when most of them are outdated

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit += 1) word = word & 1 ? (word >>> 1) ^ 0xedb88320 : word >>> 1;
  return word;
});

function checksum(bytes) {
  let word = 0xffffffff;
  for (const byte of bytes) word = (word >>> 8) ^ TABLE[(word ^ byte) & 255];
  return (word ^ 0xffffffff) >>> 0;
}

function same(one, other, from, to) {
  for (let at = from; at < to; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

// The changes from the files of `old` to those of `now`: names, sizes and blocks; the size -1 marks a removed file.
function changes(old, now) {
  const named = [];
  const blocks = [];
  for (const [name, bytes] of now) {
    const before = old.get(name);
    const changed = [];
    for (let at = 0; at < bytes.length; at += BLOCK) {
      const end = Math.min(at + BLOCK, bytes.length);
      if (before && end <= before.length && same(before, bytes, at, end)) continue;
      changed.push(at / BLOCK);
      blocks.push(bytes.subarray(at, end));
    }
    if (changed.length > 0 || before?.length !== bytes.length) named.push([name, bytes.length, changed]);
  }
  for (const name of old.keys()) if (!now.has(name)) named.push([name, -1, []]);
  return { named, blocks };
}

function record({ named, blocks }, number, generation) {
  const text = new TextEncoder().encode(JSON.stringify(named));
  const length = 4 + text.length + blocks.reduce((sum, block) => sum + block.length, 0);
  const made = new Uint8Array(HEAD + length);
  const words = new DataView(made.buffer);
  words.setUint32(HEAD, text.length, true);
  let at = HEAD + 4;
  for (const part of [text, ...blocks]) {
    made.set(part, at);
    at += part.length;
  }
  const head = [MARK, length, checksum(made.subarray(HEAD)), number, generation];
  for (const [n, word] of head.entries()) words.setUint32(4 * n, word, true);
  return made;
}

function apply(files, payload) {
  const size = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
  let at = 4 + size;
  for (const [name, length, changed] of JSON.parse(new TextDecoder().decode(payload.subarray(4, at)))) {
    if (length < 0) {
      files.delete(name);
      continue;
    }
    const bytes = new Uint8Array(length);
    bytes.set((files.get(name) ?? bytes).subarray(0, length));
    for (const block of changed) {
      const end = Math.min((block + 1) * BLOCK, length);
      bytes.set(payload.subarray(at, at + end - block * BLOCK), block * BLOCK);
      at += end - block * BLOCK;
    }
    files.set(name, bytes);
  }
}

// The content of one file of the log, and the end of its last complete record; null if it has none.
function replay(handle) {
  const log = new Uint8Array(handle.getSize());
  handle.read(log, { at: 0 });
  const words = new DataView(log.buffer);
  const files = new Map();
  let [at, number, generation] = [0, 0, 0];
  while (at + HEAD <= log.length) {
    const [mark, length, sum, counted, of] = [0, 4, 8, 12, 16].map((place) => words.getUint32(at + place, true));
    const payload = log.subarray(at + HEAD, at + HEAD + length);
    if (mark !== MARK || payload.length !== length || counted !== number || (number > 0 && of !== generation)) break;
    if (checksum(payload) !== sum) break;
    apply(files, payload);
    generation = of;
    at += HEAD + length;
    number += 1;
  }
  return number > 0 ? { handle, files, end: at, number, generation } : null;
}

export class Kept {
  #now;
  #spare;

  // `handles`: two files with the interface of `FileSystemSyncAccessHandle`.
  constructor(handles) {
    const found = handles.map(replay).filter(Boolean).sort((one, other) => other.generation - one.generation);
    this.#now = found[0] ?? { handle: handles[0], files: new Map(), end: 0, number: 0, generation: 1 };
    this.#spare = handles.find((handle) => handle !== this.#now.handle);
  }

  // The files by name.
  get files() {
    return this.#now.files;
  }

  get size() {
    return this.#now.end;
  }

  // Keeps the files as they are now; the caller must not change the bytes. Throws if the browser has no room, and
  // then keeps the previous files.
  keep(files) {
    const now = this.#now;
    const made = changes(now.files, files);
    if (made.named.length === 0) return;
    const live = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    if (now.end > LARGE && now.end > 4 * live) {
      this.#renew(files);
      return;
    }
    const bytes = record(made, now.number, now.generation);
    write(now.handle, bytes, now.end);
    this.#now = { ...now, files, end: now.end + bytes.length, number: now.number + 1 };
  }

  // Begins the other file of the log with every file.
  #renew(files) {
    const handle = this.#spare;
    const generation = this.#now.generation + 1;
    const bytes = record(changes(new Map(), files), 0, generation);
    handle.truncate(0);
    write(handle, bytes, 0);
    this.#spare = this.#now.handle;
    this.#now = { handle, files, end: bytes.length, number: 1, generation };
    this.#spare.truncate(0);
  }
}

function write(handle, bytes, at) {
  try {
    if (handle.write(bytes, { at }) !== bytes.length) throw new Error('the browser has no room');
    handle.flush();
  } catch (error) {
    handle.truncate(at);
    throw error;
  }
}

// Opens a file. Another worker may still have it: that of a tab that has just been closed.
export async function opened(file, tries, pause = AGAIN) {
  try {
    return await file.createSyncAccessHandle();
  } catch (error) {
    if (error.name !== 'NoModificationAllowedError' || tries <= 1) throw error;
  }
  await new Promise((yes) => setTimeout(yes, pause));
  return opened(file, tries - 1, pause);
}

// Opens files of the board at this address, and returns what `use` makes of them; null if the browser stores no files
// (a private window), or another worker keeps one open.
export async function withFiles(place, names, tries, use) {
  const handles = [];
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(`boardctl${encodeURIComponent(place)}`, { create: true });
    for (const name of names) handles.push(await opened(await folder.getFileHandle(name, { create: true }), tries));
    return use(handles);
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    for (const handle of handles) handle.close();
    return null;
  }
}

// The log of the board at this address, or null.
export const open = (place) => withFiles(place, ['log-0', 'log-1'], TRIES, (handles) => new Kept(handles));

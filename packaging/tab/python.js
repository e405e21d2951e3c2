// Python in a worker: Pyodide, boardctl and the packages that it needs, only from files of this address.

import { build } from './build.js';
import { note, take } from './snapshot.js';

const ROOT = new URL('../', import.meta.url);
const HOME = new URL(build.home, ROOT).href;
const CODE = `${HOME}pyodide.asm.wasm`;
const APP = '/app';
const TYPES = { wasm: 'application/wasm', zip: 'application/zip', json: 'application/json', mjs: 'text/javascript' };
const type = (name) => TYPES[name.split('.').at(-1)];
const over = self.fetch.bind(self);
const script = import(`${HOME}pyodide.asm.mjs`);
const loader = import(`${HOME}pyodide.mjs`);

// The files of Python, kept by an earlier visit or downloaded, with `progress(bytes)` for each received piece.
async function download(names, progress = () => {}) {
  const cache = await self.caches?.open(build.cache).catch(() => null); // a browser that keeps nothing
  const loaded = await Promise.all(names.map(async ([name, size]) => {
    const { href } = new URL(name, ROOT);
    const had = await cache?.match(href); // without the service worker between
    const kept = had ? new Uint8Array(await had.arrayBuffer()) : null;
    if (kept?.length === size) {
      progress(size);
      return [href, kept];
    }
    const answer = await over(href);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const bytes = new Uint8Array(size);
    const reader = answer.body.getReader();
    let at = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes.set(piece.value, at);
      at += piece.value.length;
      progress(piece.value.length);
    }
    if (at !== size) throw new Error(`${name}: ${at} bytes of ${size}`);
    return [href, bytes];
  }));
  return new Map(loaded);
}

const answered = (url, bytes) => new Response(bytes, { headers: { 'content-type': type(url) } });

// Python's code as a module. The browser keeps compiled code for answers of its own cache only.
async function compile(bytes) {
  try {
    return await WebAssembly.compileStreaming(over(CODE, { cache: 'only-if-cached', mode: 'same-origin' }));
  } catch {
    const had = bytes ?? (await download(build.python.filter(([name]) => name.endsWith('.wasm')))).get(CODE);
    return WebAssembly.compileStreaming(answered(CODE, had));
  }
}

// Pyodide itself fetches its files, but they are already here.
async function pyodide(files, options) {
  const compiled = compile(files.get(CODE));
  self.fetch = (asked, init) => {
    const url = new URL(asked instanceof Request ? asked.url : asked, ROOT).href;
    if (url === CODE) return Promise.resolve(answered(url, null));
    const bytes = files.get(url);
    return bytes ? Promise.resolve(answered(url, bytes)) : over(asked, init);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return (await loader).loadPyodide({ indexURL: HOME, ...options });
}

// Python, ready to import boardctl, and its files; its image for `keep`, if asked for.
export async function load({ progress = () => {}, hasImage = false } = {}) {
  const files = await download(build.python, progress);
  const python = await pyodide(files, { _makeSnapshot: hasImage });
  for (const zip of build.zips) {
    const bytes = files.get(new URL(zip, ROOT).href);
    python.unpackArchive(bytes, 'zip', { extractDir: APP });
  }
  python.runPython(`import sys; sys.path.insert(0, '${APP}')`);
  return { python, files, image: hasImage ? await image(python) : null };
}

// The memory of Python after a rehearsed start, and the files that it has unpacked.
async function image(python) {
  try {
    const { rehearse } = python.pyimport('boardctl.app.tab');
    await rehearse();
    rehearse.destroy();
    await new Promise((yes) => setTimeout(yes)); // then Python has no promise of the rehearsal any more
    return { snapshot: python.makeMemorySnapshot(), files: unpacked(python.FS) };
  } catch (error) {
    note(`The next start will be slower, because Python’s memory cannot be kept: ${error.message}`);
    return null;
  }
}

function unpacked(FS) {
  const files = [];
  const add = (folder) => {
    for (const name of FS.readdir(folder)) {
      const path = `${folder}/${name}`;
      if (['.', '..'].includes(name)) continue;
      if (FS.isDir(FS.stat(path).mode)) add(path);
      else files.push([path, FS.readFile(path)]);
    }
  };
  add(APP);
  return files;
}

// Python as `load` returns it, from the memory that an earlier start has kept; null if there is none.
export async function resume() {
  const kept = await take();
  if (!kept) return null;
  try {
    const files = await download(build.python.filter(([name]) => name.startsWith(build.home) && !name.endsWith('.wasm')));
    const fsInit = (FS) => {
      for (const [path, bytes] of kept.files) {
        FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
        FS.writeFile(path, bytes, { canOwn: true });
      }
    };
    const createPyodideModule = async (settings) => {
      const made = await (await script).default(settings);
      if (made.HEAP8.length < kept.size) made.growMemory(kept.size);
      kept.restore(made.HEAPU8);
      return made;
    };
    const python = await pyodide(files, { _loadSnapshot: kept.config, createPyodideModule, fsInit });
    const { renew } = python.pyimport('boardctl.app.tab');
    renew();
    renew.destroy();
    return { python, files, image: null };
  } finally {
    kept.close();
  }
}

// Stores the files for the service worker, so that they are fetched only once.
export async function keepFiles(files) {
  if (!self.caches) return;
  const cache = await caches.open(build.cache);
  for (const [url, bytes] of files) if (!(await cache.match(url))) await cache.put(url, answered(url, bytes));
}

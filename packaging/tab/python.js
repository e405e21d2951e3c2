// Python in a worker: Pyodide, boardctl and the packages that it needs, only from files of this address.

import { build } from './build.js';

const ROOT = new URL('../', import.meta.url);
const TYPES = { wasm: 'application/wasm', zip: 'application/zip', json: 'application/json', mjs: 'text/javascript' };
const type = (name) => TYPES[name.split('.').at(-1)];
const over = self.fetch.bind(self);

// The files of Python, kept by an earlier visit or downloaded, with `progress(bytes)` for each received piece.
async function download(progress) {
  const cache = await self.caches?.open(build.cache).catch(() => null); // a browser that keeps nothing
  const loaded = await Promise.all(build.python.map(async ([name, size]) => {
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

// Python, ready to import boardctl, and its files.
export async function load({ files = null, progress = () => {} }) {
  const had = files ?? await download(progress);
  // Pyodide itself fetches its files, but they are already here.
  self.fetch = (asked, init) => {
    const url = new URL(asked instanceof Request ? asked.url : asked, ROOT).href;
    const bytes = had.get(url);
    return bytes ? Promise.resolve(answered(url, bytes)) : over(asked, init);
  };
  const home = new URL(build.home, ROOT).href;
  const { loadPyodide } = await import(`${home}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: home });
  for (const zip of build.zips) {
    const bytes = had.get(new URL(zip, ROOT).href);
    python.unpackArchive(bytes, 'zip', { extractDir: '/app' });
  }
  python.runPython("import sys; sys.path.insert(0, '/app')");
  return { python, files: had };
}

// Stores the files for the service worker, so that they are fetched only once.
export async function keepFiles(files) {
  if (!self.caches) return;
  const cache = await caches.open(build.cache);
  for (const [url, bytes] of files) if (!(await cache.match(url))) await cache.put(url, answered(url, bytes));
}

// The service worker: it answers with the files of one version only. A new version waits until every tab of the old
// one is closed, so that no page gets files of both.

/** @type {any} */
const build = '{build}';
const ROOT = new URL('./', self.location);
const COMPILED = /\.(mjs|wasm)$/;
const INDEX = new URL(`index.html?${build.version}`, ROOT).href;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(build.cache);
    const index = await fetch(new URL('index.html', ROOT), { cache: 'no-cache' });
    // Already another version: the browser will find its service worker.
    if (!(await index.clone().text()).includes(build.shell)) throw new Error('another version');
    await cache.put(INDEX, index);
    for (const name of build.files) {
      const url = new URL(name, ROOT).href;
      if (!(await cache.match(url))) await cache.add(url);
    }
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(build.cache);
    const now = new Set([INDEX, ...build.files.map((name) => new URL(name, ROOT).href)]);
    for (const { url } of await cache.keys()) if (!now.has(url)) await cache.delete(url);
  })());
});

// A file server sends no policy; this service worker does, for workers too. Only the board's worker may reach
// brokers.
function guarded(answer, url) {
  const headers = new Headers(answer.headers);
  headers.set('content-security-policy', build.policies[url.slice(ROOT.href.length)] ?? build.policy);
  headers.set('x-content-type-options', 'nosniff');
  return new Response(answer.body, { status: answer.status, headers });
}

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(ROOT.href) || event.request.cache === 'only-if-cached') return;
  const { origin, pathname } = new URL(url);
  const isIndex = [ROOT.pathname, `${ROOT.pathname}index.html`].includes(pathname);
  const wanted = isIndex ? INDEX : origin + pathname;
  event.respondWith(caches.open(build.cache).then(async (cache) => {
    const had = await cache.match(wanted);
    if (!had) return fetch(event.request);
    // The browser keeps the compiled code of answers as they were kept.
    return COMPILED.test(pathname) ? had : guarded(had, wanted);
  }));
});

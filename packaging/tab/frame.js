// Before the modules of a page: its requests to the board go to the shell's worker, not to a server.

(() => {
  if (parent === window || !parent.boardPort) {
    const page = location.pathname.split('/').at(-1);
    location.replace(`../#${page}${location.search}${location.hash}`);
    return;
  }
  const port = parent.boardPort();
  const base = new URL('./', location.href);
  const FILES = /^\/([\w-]+\.(js|css|svg|png|woff2|webmanifest|html)|drills\.json|OFL-1\.1\.txt)?$/;
  const waits = new Map();
  const sockets = new Map();
  let last = 0;
  const named = () => (last += 1);
  const spoken = () => ['accept-language', navigator.languages.join(',')];

  port.onmessage = ({ data }) => {
    if (data.ws) sockets.get(data.ws)?.hear(data.what, data.value);
    else waits.get(data.id)?.(data);
  };
  addEventListener('pagehide', () => port.postMessage({ kind: 'bye' }));
  // A page restored from the browser's own cache had left.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());

  // The path for the board, null for a file.
  function ours(url) {
    const asked = new URL(url, location.href);
    if (asked.origin !== base.origin) return null;
    const path = asked.pathname.startsWith(base.pathname) ? asked.pathname.slice(base.pathname.length - 1) : asked.pathname;
    return FILES.test(path) ? null : path + asked.search;
  }

  const over = window.fetch.bind(window);
  window.fetch = async (asked, init = {}) => {
    const request = new Request(asked instanceof Request ? asked : new URL(asked, location.href), init);
    const path = ours(request.url);
    if (request.method === 'HEAD') return new Response(null); // is the board still there?
    if (path === null) return over(asked, init);
    const body = request.method === 'GET' ? null : await request.arrayBuffer();
    const id = named();
    const answer = await new Promise((yes, no) => {
      waits.set(id, yes);
      request.signal.addEventListener('abort', () => {
        port.postMessage({ kind: 'gone', id });
        no(request.signal.reason);
      });
      port.postMessage({ kind: 'http', id, method: request.method, path, headers: [...request.headers, spoken()], body });
    });
    waits.delete(id);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  };

  navigator.sendBeacon = (url, data) => {
    window.fetch(url, { method: 'POST', body: data }).catch(() => {});
    return true;
  };

  // A file of the board that a link saves or shows.
  async function save(link) {
    const answer = await window.fetch(link.href);
    const [, name] = /filename="?([^";]+)/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
    const made = document.createElement('a');
    made.href = URL.createObjectURL(await answer.blob());
    made.download = name ?? link.pathname.split('/').at(-1);
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 60000);
  }

  addEventListener('click', (event) => {
    const at = event.target instanceof Element ? event.target : null;
    if (at?.closest('[data-focus="against"]')) port.postMessage({ kind: 'player' });
    const link = at?.closest('a[href]');
    if (!link) return;
    if (link.origin !== base.origin) link.target = '_blank'; // the shell's frame shows only the board's pages
    else if (!link.target && ours(link.href) !== null) {
      event.preventDefault();
      save(link);
    }
  }, true);

  class BoardSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSING = 2;
    static CLOSED = 3;
    binaryType = 'blob';
    readyState = 0;
    #id = named();

    constructor(url) {
      super();
      this.url = String(url);
      sockets.set(this.#id, this);
      port.postMessage({ kind: 'ws', id: this.#id, path: `/ws${new URL(url).search}`, headers: [spoken()] });
    }

    hear(what, value) {
      if (what === 'accept') {
        this.readyState = BoardSocket.OPEN;
        this.#emit(new Event('open'));
      } else if (what === 'message') {
        const data = typeof value === 'string' ? value : value.slice().buffer;
        this.#emit(new MessageEvent('message', { data }));
      } else {
        const [code, reason] = JSON.parse(value);
        this.#end(code, reason);
      }
    }

    send(text) {
      port.postMessage({ kind: 'say', id: this.#id, text });
    }

    close() {
      port.postMessage({ kind: 'close', id: this.#id });
      this.#end(1000, '');
    }

    #end(code, reason) {
      if (this.readyState === BoardSocket.CLOSED) return;
      this.readyState = BoardSocket.CLOSED;
      sockets.delete(this.#id);
      setTimeout(() => this.#emit(new CloseEvent('close', { code, reason })));
    }

    #emit(event) {
      this[`on${event.type}`]?.(event);
      this.dispatchEvent(event);
    }
  }
  window.WebSocket = BoardSocket;
})();

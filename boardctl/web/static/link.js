// The socket to the board: passes its messages on as events, and sends keys. It reconnects automatically after a
// phone slept or a board was restarted.

const SOONEST = 300;
const LATEST = 8000;
const ASK = 5000; // ms between checks whether the board is still there
const ANSWER = 10000; // ms before it counts as lost: a small board may be busy
const SLEPT = 20000; // ms between two ticks that show that this computer slept

export class Link extends EventTarget {
  #socket = null;
  #wait = SOONEST;
  #timer = 0;
  #asks = false;
  #asked = Date.now();
  #leds = new Uint8Array(0);

  constructor(query) {
    super();
    this.query = query;
    setInterval(() => this.#watch(), ASK);
  }

  // Calls back with the board's messages of a name.
  hear(name, act) {
    this.addEventListener(name, (event) => act(event instanceof CustomEvent ? event.detail : null));
  }

  open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws${this.query()}`);
    socket.binaryType = 'arraybuffer';
    // An abandoned socket may still report older data or other permissions.
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#wait = SOONEST;
      this.#emit('open');
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      if (typeof data === 'string') {
        for (const [name, detail] of Object.entries(JSON.parse(data))) this.#emit(name, detail);
      } else {
        this.#frame(new Uint8Array(data));
      }
    };
    socket.onclose = ({ code, reason }) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#emit('closed', { code, reason });
      this.#timer = setTimeout(() => this.open(), this.#wait);
      this.#wait = Math.min(LATEST, this.#wait * 2);
    };
    this.#socket = socket;
  }

  // A network that disappears closes no socket, so the board is asked for something small now and then.
  async #watch() {
    const slept = Date.now() - this.#asked > SLEPT;
    this.#asked = Date.now();
    if (document.hidden) return;
    if (slept) this.wake();
    const socket = this.#socket;
    if (this.#asks || !socket || socket.readyState > WebSocket.OPEN) return;
    this.#asks = true;
    const waits = new AbortController();
    const timer = setTimeout(() => waits.abort(), ANSWER);
    try {
      await fetch('icon.svg', { method: 'HEAD', cache: 'no-store', signal: waits.signal });
    } catch {
      if (this.#socket === socket) this.lose();
    }
    clearTimeout(timer);
    this.#asks = false;
  }

  // The network is gone, so do not wait for the socket to report it.
  lose() {
    const socket = this.#socket;
    socket?.onclose?.(new CloseEvent('close'));
    socket?.close();
  }

  // Visible again: reconnect, because a socket that slept may look open although the board has closed it.
  wake() {
    if (this.#socket?.readyState === WebSocket.CONNECTING) return;
    if (this.#socket || this.#timer) this.again();
  }

  // Reconnect with this browser's current permissions.
  again() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.open();
  }

  key(key, down) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ key, down }));
  }

  // A whole frame, or five bytes for each LED that changed.
  #frame(data) {
    if (data[0] === 0) {
      this.#leds = data.slice(1);
    } else {
      for (let at = 1; at < data.length; at += 5) {
        const led = 3 * (data[at] * 256 + data[at + 1]);
        this.#leds.set(data.subarray(at + 2, at + 5), led);
      }
    }
    this.#emit('frame', this.#leds);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

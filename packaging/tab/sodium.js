// libsodium for the board's Python (nacl/bindings.py): loaded when somebody first plays with another house.

import { build } from './build.js';

const LIBRARY = new URL(`../${build.sodium}`, import.meta.url);

// Wraps a function of libsodium. `sizes` are those of its outputs, to which its first arguments point; a
// given text becomes a pointer, a number is passed on. It returns the outputs, nothing on failure.
export async function open() {
  const { default: make } = await import(LIBRARY.href);
  const sodium = await make({ getRandomValue: () => crypto.getRandomValues(new Uint32Array(1))[0] });
  if (sodium._sodium_init() < 0) throw new Error('libsodium has not started');
  return (name, sizes, ...given) => {
    const taken = [];
    const room = (size) => {
      const at = sodium._malloc(size || 1);
      taken.push([at, size]);
      return at;
    };
    const written = sizes.map(room);
    const passed = given.map((one) => {
      if (typeof one === 'number') return one;
      const at = room(one.length);
      sodium.HEAPU8.set(one, at);
      return at;
    });
    try {
      if (sodium[`_${name}`](...written, ...passed) !== 0) return undefined;
      const found = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
      let end = 0;
      for (const [n, at] of written.entries()) {
        found.set(sodium.HEAPU8.subarray(at, at + sizes[n]), end);
        end += sizes[n];
      }
      return found;
    } finally {
      for (const [at, size] of taken) {
        sodium.HEAPU8.fill(0, at, at + size);
        sodium._free(at);
      }
    }
  };
}

// The browser's memory of this page. A browser that blocks storage remembers until the page is closed.

const here = new Map();

const storage = () => {
  try {
    return window.localStorage;
  } catch {
    return null; // blocked by the browser's settings
  }
};

// Returns a remembered text, or null.
export const recall = (name) => here.get(name) ?? storage()?.getItem(name) ?? null;

export function remember(name, text) {
  here.delete(name);
  try {
    const kept = storage();
    if (kept) {
      kept.setItem(name, text);
      return;
    }
  } catch {
    // the storage is full
  }
  here.set(name, text);
}

export function forget(name) {
  here.delete(name);
  storage()?.removeItem(name);
}

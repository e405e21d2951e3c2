// Tests of packaging/tab/kept.js, on two simulated disks that may be full or lose power.
import { Kept, opened } from '../../packaging/tab/kept.js';

class Disk {
  bytes = new Uint8Array(0);
  room = Infinity;
  flushes = 0;
  getSize() { return this.bytes.length; }
  read(into, { at }) { into.set(this.bytes.subarray(at, at + into.length)); }
  write(from, { at }) {
    const fits = from.subarray(0, Math.max(0, this.room - at));
    const whole = new Uint8Array(Math.max(this.bytes.length, at + fits.length));
    whole.set(this.bytes);
    whole.set(fits, at);
    this.bytes = whole;
    return fits.length;
  }
  truncate(size) {
    const whole = new Uint8Array(size);
    whole.set(this.bytes.subarray(0, size));
    this.bytes = whole;
  }
  flush() { this.flushes += 1; }
  copy(size = this.bytes.length) {
    const made = new Disk();
    made.bytes = this.bytes.slice(0, size);
    return made;
  }
}

let seed = Number(process.argv[2]);
const chance = (below) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
};
const plain = (files) => JSON.stringify([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('hex')]).sort());
const check = (fine, what) => {
  if (!fine) throw new Error(`${what} (seed ${process.argv[2]})`);
};

// The changes that a board may make to its files: append, overwrite, truncate, create and remove.
function changed(files) {
  const now = new Map(files);
  const name = `file-${chance(3)}`;
  if (chance(8) === 0) now.delete(name);
  else {
    const old = now.get(name) ?? new Uint8Array(0);
    const bytes = new Uint8Array([old.length, chance(20000), old.length + chance(6000)][chance(3)]);
    bytes.set(old.subarray(0, bytes.length));
    for (let times = chance(4); times > 0 && bytes.length > 0; times -= 1) bytes[chance(bytes.length)] = chance(256);
    now.set(name, bytes);
  }
  return now;
}

const disks = [new Disk(), new Disk()];
let kept = new Kept(disks);
let files = new Map();
const states = [];
for (let step = 0; step < 40; step += 1) {
  files = changed(files);
  const before = disks[0].flushes + disks[1].flushes;
  const had = plain(kept.files);
  if (chance(5) === 0) {
    for (const disk of disks) disk.room = disk.bytes.length + chance(30);
    try {
      kept.keep(files);
    } catch {
      check(plain(kept.files) === had, 'a full disk keeps what it had');
      check(plain(new Kept(disks.map((disk) => disk.copy())).files) === had, 'also after a restart');
    }
    for (const disk of disks) disk.room = Infinity;
  }
  kept.keep(files);
  check(plain(files) === had || disks[0].flushes + disks[1].flushes > before, 'it is on disk');
  if (chance(3) === 0) kept = new Kept(disks);
  check(plain(kept.files) === plain(files), 'the files are those that were kept');
  states.push([disks[0].bytes.length, plain(files)]);
}
// A power cut leaves a beginning of the log: the files as they were at one moment before it.
for (let times = 0; times < 60; times += 1) {
  const size = chance(disks[0].bytes.length + 1);
  const found = plain(new Kept([disks[0].copy(size), new Disk()]).files);
  const last = states.filter(([end]) => end <= size).at(-1)?.[1] ?? '[]';
  check(found === last, `cut off at ${size}`);
  const torn = disks[0].copy(size);
  const again = new Kept([torn, new Disk()]);
  again.keep(files);
  check(plain(new Kept([torn, new Disk()]).files) === plain(files), 'it goes on after a cut');
}
// A log that has grown is rewritten in the other file, and a power cut meanwhile loses nothing.
const large = new Map([['big', new Uint8Array(1 << 20)]]);
for (let step = 0; step < 6; step += 1) {
  const bytes = large.get('big').slice().fill(step + 1);
  large.set('big', bytes);
  const before = disks.map((disk) => disk.copy());
  kept.keep(new Map(large));
  check(plain(new Kept(disks).files) === plain(large), 'it is there after a restart');
  // The other file is on disk before the one that it replaces is emptied.
  const cut = disks.map((disk, n) => (disk.bytes.length < before[n].bytes.length ? before[n] : disk.copy()));
  check(plain(new Kept(cut).files) === plain(large), 'both are there, and the newer one counts');
}
check(disks[0].bytes.length + disks[1].bytes.length < 8 << 20, 'the log does not grow for ever');
// A tab that was just closed may still have the file; any other error is told.
const refusing = (times, name) => {
  let left = times;
  return {
    createSyncAccessHandle: async () => {
      left -= 1;
      if (left >= 0) throw new DOMException('no', name);
      return 'open';
    },
  };
};
const busy = 'NoModificationAllowedError';
const refused = (file, tries) => opened(file, tries, 0).catch((error) => error.name);
check(await refused(refusing(2, busy), 3) === 'open', 'it waits for the file');
check(await refused(refusing(3, busy), 3) === busy, 'it does not wait for ever');
check(await refused(refusing(1, 'NotAllowedError'), 3) === 'NotAllowedError', 'it waits for nothing else');
console.log('kept');

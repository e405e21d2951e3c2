// pico: the firmware's real UF2 on an emulated RP2040 (rp2040js), wired to the world.
//
//   node pico.mjs UF2 NUMBER
//
// NUMBER: the flash chip's serial number, 16 hexadecimal digits; empty if it lacks the instruction that
// reads the number.
//
// Time stands still between commands, which come on standard input, one a line; each is answered with
// one line of JSON, as by main.c, and all times are in its unit, 62.5 ns: six cycles of the RP2040's
// 96 MHz. Bytes on the cable are written in hexadecimal; the rig provides the pty.
//
//   run TIME BYTES        run for this time, or until shortly after the board has sent something,
//                         with these further bytes for the board (- for none)
//   key N CLOSED MICROSECONDS SEED    close or open contact N, which bounces for this time first
//   reset CAUSE TIME      CAUSE: RESET_* of protocol.h, 0 if this chip cannot know; nothing runs for TIME
//   hang                  the program loops where it is, until the next reset
//   unplug, plug          the USB cable; the chip has another power supply
//   control SETUP DATA    a request to endpoint 0: returns the answer or "stall"
//   stats                 the counters
//
// rp2040js leaves some parts to its users, which are implemented here. Its PIO runs whenever JavaScript
// has time; here it runs in step with the processor, with its own divider and delays, so that the
// strip's pin can be read to the cycle. It has no ROM; here the boot code of a Pico's ROM handles a UF2
// and the first 256 bytes of the flash. It maps the flash as memory, without a chip behind the
// controller; here there is a chip that knows the instruction for its serial number. Its USB is that of
// a faultless chip on a quiet bus; here it behaves like stepping B1 behind a hub with other devices
// (errata RP2040-E5 and E15).
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GPIOPinState, RP2040 } from 'rp2040js';

const HERTZ = 96e6;
const UNIT = 6; // cycles in 62.5 ns
const MICROSECOND = 96;
const NANOSECONDS = 125 / 12; // per cycle
const USB_FRAME = 1000 * MICROSECOND;
const PACKET_TIME = 50; // microseconds for a packet of 64 bytes: about 19 per millisecond
const LATCH = 280 * MICROSECOND;
const MAX_LEDS = 600;

const STRIP = 22, ROW = 2, COLUMN = 6, BUTTON = 10;
const MATRIX_KEYS = 16, BUTTON_KEYS = 6;

const STACK = 0x41000, STACK_SIZE = 0x1000, PAINT = 0xa5; // fill pattern of stack that has never been used
const BOOT = 0x41f00;

// ---- the ROM

function flashOf(file) {
  const uf2 = readFileSync(file);
  const flash = new Map();
  if (!uf2.length || uf2.length % 512) throw new Error('a UF2 consists of blocks of 512 bytes');
  for (let at = 0; at < uf2.length; at += 512) {
    const word = (n) => uf2.readUInt32LE(at + n);
    if (word(0) !== 0x0a324655 || word(4) !== 0x9e5d5157 || word(508) !== 0x0ab16f30)
      throw new Error('not a block of a UF2');
    if (word(8) !== 0x2000 || word(28) !== 0xe48bff56 || word(16) !== 256)
      throw new Error('not for an RP2040');
    if (word(20) !== at / 512 || word(24) !== uf2.length / 512) throw new Error('blocks are missing');
    flash.set(word(12) - 0x10000000, uf2.subarray(at + 32, at + 288));
  }
  const boot = flash.get(0);
  let crc = 0xffffffff;
  for (const byte of boot.subarray(0, 252)) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 || crc & 0x80000000 ? 0x04c11db7 : 0);
  }
  if (crc >>> 0 !== boot.readUInt32LE(252)) throw new Error('the ROM would not run this: its CRC is wrong');
  return flash;
}

const ROM_LOOK_UP = 0x100, ROM_USB_BOOT = 0x120;

function fillRom(rom) {
  rom[0x14 >> 2] = 0x0200; // the table of functions, not needed by the look-up here
  rom[0x18 >> 2] = ROM_LOOK_UP | 1;
  rom[ROM_LOOK_UP >> 2] = 0x47704800; // ldr r0, [pc]; bx lr
  rom[(ROM_LOOK_UP >> 2) + 1] = ROM_USB_BOOT | 1;
  rom[ROM_USB_BOOT >> 2] = 0xe7fee7fe; // b .
}

// ---- the flash chip and its controller, for bytes in both directions (RP2040 datasheet, 4.10;
// W25Q16JV datasheet, "Read Unique ID Number")

const CTRLR0 = 0x00, SSIENR = 0x08, SER = 0x10, BAUDR = 0x14, SR = 0x28, DR0 = 0x60, SELECT_CTRL = 0x0c;
const ANSWER_PAD = 0x0c, PULL_UP = 8;
const FIFO = 16, TRANSMIT_READY = 2 | 4, RECEIVED = 8;
const READ_NUMBER = 0x4b, BEFORE_NUMBER = 5;
const FASTEST = 50e6; // hertz, the maximum of the slowest chip that fits

class Flash {
  constructor(number, complain) {
    this.number = number;
    this.complain = complain;
    this.registers = new Map();
    this.select = 0; // the override of the pin
    this.pad = 0; // of the line that carries its answers
    this.instruction = []; // bytes since the chip was selected
    this.received = []; // received bytes, and when each is available
    this.busyUntil = 0;
    this.controller = this.registersOf((offset) => this.read(offset), (offset, value) => this.write(offset, value));
    this.pins = this.registersOf((offset) => (offset === SELECT_CTRL ? this.select : 0),
      (offset, value) => this.drive(offset, value));
    this.pads = this.registersOf((offset) => (offset === ANSWER_PAD ? this.pad : 0),
      (offset, value) => (offset === ANSWER_PAD ? (this.pad = value) : this.complain('flash', 'another pad')));
  }

  registersOf(readUint32, writeUint32) {
    return { readUint32, writeUint32,
      writeUint32Atomic: (offset, value, bits) =>
        (bits ? this.complain('flash', 'a register was changed by bits') : writeUint32(offset, value)) };
  }

  drive(offset, value) {
    if (offset !== SELECT_CTRL) this.complain('flash', `pin register ${offset} was written`);
    this.select = value;
    if (value >> 8 !== 2) this.instruction = [];
  }

  is(register) { return this.registers.get(register) ?? 0; }

  read(offset) {
    const ready = this.received.length && this.received[0].at <= cycle();
    if (offset === SR) return TRANSMIT_READY | (ready ? RECEIVED : 0);
    if (offset !== DR0) return this.is(offset);
    if (!ready) this.complain('flash', 'read before it had answered');
    return this.received.shift()?.byte ?? 0;
  }

  write(offset, value) {
    if (offset === DR0) this.transfer(value);
    else if (offset !== SSIENR && this.is(SSIENR)) this.complain('flash', `register ${offset} was written while on`);
    else this.registers.set(offset, value);
    if (offset === SSIENR && !value) this.received = [];
  }

  transfer(byte) {
    const bits = (this.is(CTRLR0) >> 16 & 31) + 1;
    if (!this.is(SSIENR) || !(this.is(SER) & 1) || bits !== 8 || this.is(CTRLR0) >> 8 & 3 || this.is(CTRLR0) >> 21)
      this.complain('flash', 'a byte for a controller that is not set up for bytes both ways');
    if (!this.is(BAUDR) || this.is(BAUDR) & 1 || HERTZ / this.is(BAUDR) > FASTEST) this.complain('flash', 'too fast');
    if (this.received.length === FIFO) this.complain('flash', 'more was sent than is kept');
    const at = Math.max(this.busyUntil, cycle()) + bits * this.is(BAUDR);
    const isNew = this.select >> 8 !== 2 && this.busyUntil <= cycle(); // nothing was left to send, so the chip was deselected
    if (isNew) this.instruction = [];
    this.busyUntil = at;
    this.instruction.push(byte);
    const n = this.instruction.length - 1 - BEFORE_NUMBER;
    const answers = this.select >> 8 !== 3 && this.instruction[0] === READ_NUMBER && n >= 0 && this.number.length;
    const floats = this.pad & PULL_UP ? 0xff : 37 * this.instruction.length + cycle() & 0xff;
    this.received.push({ at, byte: answers ? this.number[n % this.number.length] : floats });
  }
}

// ---- the strip, as in strip.c

const strip = new Uint8Array(3 * MAX_LEDS).fill(0x55);
let wave, level = 0, refreshes = 0, frames = [], firstByte = 0;

function freshWave() {
  wave = { start: 0, rise: 0, fall: 0, bits: 0, zero: [0, 0], one: [0, 0], bit: [0, 0],
    bytes: new Uint8Array(3 * MAX_LEDS + 3) };
}
freshWave();

function span(value, range) {
  if (!range[0] || value < range[0]) range[0] = value;
  if (value > range[1]) range[1] = value;
}

function latch() {
  if (!wave.bits) return;
  refreshes++;
  const leds = Math.min(wave.bits / 24 | 0, MAX_LEDS);
  for (let n = 0; n < 3 * leds; n += 3) {
    strip[n] = wave.bytes[n + 1];
    strip[n + 1] = wave.bytes[n];
    strip[n + 2] = wave.bytes[n + 2];
  }
  const units = (range) => range.map((value) => value / UNIT);
  frames.push({ first_byte: firstByte / UNIT, start: wave.start / UNIT, latched: (wave.fall + LATCH) / UNIT,
    bits: wave.bits, zero: units(wave.zero), one: units(wave.one), bit: units(wave.bit),
    strip: Buffer.from(strip.subarray(0, 3 * leds)).toString('hex') });
  freshWave();
}

function readStrip(high, now) {
  if (high === level) return;
  level = high;
  if (high) {
    if (wave.bits && now - wave.fall >= LATCH) latch();
    if (wave.bits) span(now - wave.rise, wave.bit);
    else wave.start = now;
    wave.rise = now;
    return;
  }
  const width = now - wave.rise;
  const one = width >= 10 * UNIT;
  span(width, one ? wave.one : wave.zero);
  if (one && wave.bits >> 3 < wave.bytes.length) wave.bytes[wave.bits >> 3] |= 0x80 >> wave.bits % 8;
  wave.bits++;
  wave.fall = now;
}

// ---- the contacts, as in keypad.c

const closed = new Array(MATRIX_KEYS + BUTTON_KEYS).fill(0);
const chatter = new Map(); // by key: the time of the next bounce, of the last one, and the final state
let shorts = 0;

function randomBelow(state, n) {
  state.seed ^= state.seed << 13;
  state.seed ^= state.seed >>> 17;
  state.seed ^= state.seed << 5;
  return (state.seed >>> 0) % n;
}

function settle() {
  const { gpio } = chip;
  let rows = 0, high = 0, columns = 0, before;
  for (let r = 0; r < 4; r++) {
    rows |= (gpio[ROW + r].value === GPIOPinState.Low) << r;
    high |= (gpio[ROW + r].value === GPIOPinState.High) << r;
  }
  do {
    before = rows | columns << 4;
    for (let key = 0; key < MATRIX_KEYS; key++) {
      if (!closed[key]) continue;
      const r = key >> 2, c = key & 3;
      if (rows >> r & 1) columns |= 1 << c;
      if (columns >> c & 1) rows |= 1 << r;
    }
  } while ((rows | columns << 4) !== before);
  if (rows & high) shorts++;
  for (let c = 0; c < 4; c++) gpio[COLUMN + c].setInputValue(!(columns >> c & 1));
  for (let b = 0; b < BUTTON_KEYS; b++) gpio[BUTTON + b].setInputValue(!closed[MATRIX_KEYS + b]);
}

function setKey(key, value, microseconds, seed) {
  chatter.delete(key);
  if (microseconds) {
    chatter.set(key, { next: cycle() + 1, until: cycle() + microseconds * MICROSECOND, seed: seed | 1, value });
  } else {
    closed[key] = value;
    settle();
  }
}

function bounce() {
  for (const [key, state] of chatter) {
    if (cycle() < state.next) continue;
    if (state.next >= state.until) {
      closed[key] = state.value;
      chatter.delete(key);
    } else {
      closed[key] ^= 1;
      state.next += (50 + randomBelow(state, 400)) * MICROSECOND;
    }
    settle();
  }
}

// ---- the USB bus, as seen by stepping B1 behind a hub with other devices

const SOF_RD = 0x48, SIE_STATUS = 0x50, MUXING = 0x74, PHY_DIRECT = 0x7c, PHY_OVERRIDE = 0x80;
const TO_PHY = 1, TO_DIGITAL_PAD = 4, SOFTCON = 8;
const CONNECTED = 1 << 16, DEV_SOF = 1 << 17, AVAILABLE = 1 << 10, LINE_IN = 0x90;
const LOW_BOTH = 0, J = 1, K = 2;
const DP_PIN = 15;
const RESET_TIME = 10 * USB_FRAME; // after the chip has noticed the reset
const IDLE_NEEDED = 800 * MICROSECOND; // until the chip takes part

class Bus {
  constructor(usb, pin, isConnected) {
    this.usb = usb;
    this.pin = pin;
    this.isConnected = isConnected; // called once the chip takes part
    this.phy = { [PHY_DIRECT]: 0, [PHY_OVERRIDE]: 0 };
    this.muxing = 0;
    this.connected = this.waiting = false;
    this.resetEnds = this.jSince = this.began = 0;
    this.nextFrame = Infinity;
    this.packets = this.late = 0; // packets handed over, and how many of them in the last 200 us of a frame
    this.forced = []; // how long J was forced after a reset, counted from its end; and the pin's routing then
    const { readUint32, writeUint32, DPRAMUpdated } = usb;
    usb.readUint32 = (offset) => this.read(offset, readUint32);
    usb.writeUint32 = (offset, value) => this.write(offset, value, writeUint32);
    usb.DPRAMUpdated = (offset, value) => {
      if (offset === LINE_IN && value & AVAILABLE) this.handedOver();
      DPRAMUpdated.call(usb, offset, value);
    };
  }

  reset() {
    this.resetEnds = cycle() + RESET_TIME;
    this.connected = false;
    this.waiting = true;
    this.nextFrame = Infinity;
  }

  isForced() {
    const { ctrl } = this.pin; // function, and the overrides of output and input
    return this.muxing === (TO_DIGITAL_PAD | SOFTCON) && this.phy[PHY_DIRECT] & 2 && this.phy[PHY_OVERRIDE] & 4 &&
      (ctrl & 31) === 8 && (ctrl >> 12 & 3) === 2 && (ctrl >> 16 & 3) === 3;
  }

  line() {
    if (this.isForced()) return J;
    if (cycle() < this.resetEnds) return LOW_BOTH;
    return cycle() >> 3 & 1 ? J : K; // J never lasts long
  }

  read(offset, real) {
    if (offset in this.phy) return this.phy[offset];
    const value = real.call(this.usb, offset);
    if (offset === SOF_RD) {
      this.usb.intRaw &= ~DEV_SOF;
      this.usb.checkInterrupts();
    }
    if (offset !== SIE_STATUS) return value;
    if (this.waiting && this.isForced() && cycle() - this.jSince >= IDLE_NEEDED) this.connected = true;
    return value & ~(CONNECTED | 3 << 2) | this.line() << 2 | (this.connected ? CONNECTED : 0);
  }

  write(offset, value, real) {
    if (offset in this.phy) {
      this.phy[offset] = value;
      return;
    }
    const before = this.isForced();
    real.call(this.usb, offset, value);
    if (offset !== MUXING) return;
    this.muxing = value;
    if (this.isForced()) this.jSince = cycle();
    if (before) this.forced.push([this.jSince - this.resetEnds, cycle() - this.jSince].map((time) => time / UNIT));
    if (this.waiting && this.connected && value === (TO_PHY | SOFTCON)) {
      this.waiting = false;
      this.frame();
      this.isConnected();
    }
  }

  // The host's SOF, once per millisecond.
  frame() {
    this.began = cycle();
    this.nextFrame = this.began + USB_FRAME;
    this.usb.intRaw |= DEV_SOF;
    this.usb.checkInterrupts();
  }

  handedOver() {
    this.packets++;
    const since = cycle() - this.began;
    if (since >= 800 * MICROSECOND && since < 998 * MICROSECOND) this.late++;
  }
}

// ---- the USB host: the requests of Linux to a serial port

const LINE = 2;
let toBoard = Buffer.alloc(0), fromBoard = [], delivered = 0, lastByte = -USB_FRAME, firstReply = 0, speaking = false;
let plugged = true;

const request = (type, code, value, index, length) =>
  Uint8Array.of(type, code, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8);

class Host {
  constructor(usb, pin) {
    this.usb = usb;
    this.bus = new Bus(usb, pin, () => this.enumerate());
    this.ready = false; // the port is open
    this.armed = 0; // bytes for which the board has space
    this.descriptors = [];
    this.running = null;
    usb.readDelayMicroseconds = usb.writeDelayMicroseconds = PACKET_TIME;
    usb.onUSBEnabled = () => plugged && usb.resetDevice();
    usb.onResetReceived = () => this.bus.reset();
    usb.onEndpointWrite = (endpoint, bytes) => this.heard(endpoint, bytes);
    usb.onEndpointRead = (endpoint, size) => this.asked(endpoint, size);
  }

  // Sends a request: setup packet, data for the board if any, and a function called with the answer.
  control(setup, data, done) {
    this.running = { setup, data, done, answer: [], wanted: setup[6] | setup[7] << 8, in: setup[0] & 0x80 };
    this.usb.epStallArm = 0;
    this.usb.sendSetupPacket(setup);
  }

  finish() {
    const { done, answer } = this.running;
    this.running = null;
    done(Uint8Array.from(answer));
  }

  heard(endpoint, bytes) {
    if (endpoint === LINE && plugged) {
      if (!speaking) firstReply = cycle();
      speaking = true;
      fromBoard.push(...bytes);
    } else if (endpoint === 0 && this.running?.in) {
      this.running.answer.push(...bytes);
      this.running.complete = bytes.length < 64 || this.running.answer.length >= this.running.wanted;
      this.status();
    } else if (endpoint === 0 && this.running) {
      this.finish();
    }
  }

  asked(endpoint, size) {
    if (endpoint === LINE) {
      this.armed = size;
      this.feed();
    } else if (endpoint === 0 && this.running && !this.running.in) {
      this.usb.endpointReadDone(0, this.running.data);
    } else if (endpoint === 0 && this.running) {
      this.running.acknowledged = true;
      this.status();
    }
  }

  // The board has sent everything, and learns that the host has received it.
  status() {
    if (!this.running.complete || !this.running.acknowledged) return;
    this.usb.endpointReadDone(0, new Uint8Array(0));
    this.finish();
  }

  feed() {
    if (!this.ready || !this.armed || !toBoard.length) return;
    const bytes = toBoard.subarray(0, Math.min(this.armed, 64));
    toBoard = toBoard.subarray(bytes.length);
    this.armed = 0;
    if (cycle() - lastByte > USB_FRAME) firstByte = cycle();
    lastByte = cycle();
    delivered += bytes.length;
    this.usb.endpointReadDone(LINE, bytes);
  }

  enumerate() {
    this.ready = false;
    this.armed = 0;
    const descriptor = (type, n, length) => [request(0x80, 6, type << 8 | n, 0, length)];
    const steps = [
      descriptor(1, 0, 64),
      [request(0x00, 5, 7, 0, 0)],
      descriptor(1, 0, 18), descriptor(2, 0, 9), descriptor(2, 0, 75),
      descriptor(3, 0, 255),
      [request(0x00, 9, 1, 0, 0)],
      [request(0x21, 0x20, 0, 0, 7), Uint8Array.of(0x20, 0xa1, 0x07, 0, 0, 0, 8)],
      [request(0x21, 0x22, 3, 0, 0)],
    ];
    this.descriptors = [];
    const next = () => {
      const step = steps.shift();
      if (!step) {
        this.ready = true;
        this.feed();
        return;
      }
      this.control(step[0], step[1], (answer) => {
        if (step[0][0] === 0x80) this.descriptors.push(Buffer.from(answer).toString('hex'));
        const [length, kind] = answer;
        const named = length === 18 && kind === 1 && step[0][6] === 18 ? answer.subarray(14, 17).filter(Boolean) : [];
        const strings = steps.findIndex(([setup]) => setup[1] === 9);
        steps.splice(strings, 0, ...Array.from(named, (n) => descriptor(3, n, 255)));
        next();
      });
    };
    next();
  }
}

// ---- the chip

const flash = flashOf(process.argv[2]);
const flashNumber = Buffer.from(process.argv[3], 'hex'); // empty: the chip lacks the instruction
const complaints = new Set();
let chip, clock, core, machine, host, base = 0, local = 0, deafUntil = 0, resets = 0, chipReset = 0, pinTime = 0;
let pioNext, pioStalled, bitten = false, isDrive = false;

const cycle = () => base + local;

function start(reason) {
  base += local;
  local = 0;
  chip = new RP2040();
  clock = chip.clock;
  core = chip.core;
  const complain = (part, what) => complaints.add(`${part}: ${what}`);
  chip.logger = { debug() {}, info() {}, warn: complain, error: complain };
  fillRom(chip.bootrom);
  for (const [at, bytes] of flash) chip.flash.set(bytes, at);
  chip.sram.fill(PAINT, STACK, STACK + STACK_SIZE);
  chip.sram.set(flash.get(0), BOOT);
  const none = () => {};
  const chipOfFlash = new Flash(flashNumber, complain);
  chip.peripherals[0x18000] = chipOfFlash.controller;
  chip.peripherals[0x40018] = chipOfFlash.pins;
  chip.peripherals[0x40020] = chipOfFlash.pads;
  chip.peripherals[0x40064] = { // voltage regulator and chip reset, which rp2040js lacks
    readUint32: (offset) => (offset === 8 ? chipReset : 0), writeUint32: none, writeUint32Atomic: none };
  const watchdog = chip.peripherals[0x40058];
  watchdog.reason = reason;
  watchdog.onWatchdogTrigger = () => {
    bitten = true;
    watchdog.alarm.enable = false; // otherwise it would fire for ever
  };
  for (const pio of chip.pio) pio.run = none;
  machine = chip.pio[0].machines[0];
  pioNext = 0;
  pioStalled = false;
  bitten = false;
  readStrip(0, cycle());
  chip.gpio[STRIP].addListener((state) => readStrip(state === GPIOPinState.High ? 1 : 0, base + pinTime));
  for (let pin = ROW; pin < ROW + 4; pin++) chip.gpio[pin].addListener(settle);
  host = new Host(chip.usbCtrl, chip.gpio[DP_PIN]);
  settle();
  core.PC = 0x20000000 + BOOT;
  core.LR = 0;
}

// Run the state machine until `end`: each instruction, then its delay.
function runPio(end) {
  if (!machine.enabled) {
    pioNext = end;
    return;
  }
  if (pioStalled && !machine.waiting) {
    pioNext = local + (1 + machine.waitDelay) * machine.clockDivInt;
    pioStalled = false;
  }
  while (!pioStalled && pioNext <= end) {
    const before = machine.cycles;
    pinTime = pioNext;
    machine.step();
    chip.pio[0].checkChangedPins();
    pioNext += (machine.cycles - before) * machine.clockDivInt;
    pioStalled = machine.waiting;
  }
}

function advance(cycles) {
  runPio(local + cycles);
  clock.tick(cycles * NANOSECONDS);
  local += cycles;
}

// The number of cycles until the next event.
function pause(most) {
  let until = most;
  if (clock.nextAlarm) until = Math.min(until, Math.ceil((clock.nextAlarm.nanos - clock.nanos) / NANOSECONDS - 1e-6));
  if (machine.enabled && !pioStalled) until = Math.min(until, pioNext - local);
  for (const { next } of chatter.values()) until = Math.min(until, next - cycle());
  until = Math.min(until, host.bus.nextFrame - cycle());
  return Math.max(until, 1);
}

function run(time) {
  const target = cycle() + time;
  while (cycle() < target && !(speaking && cycle() - firstReply >= USB_FRAME)) {
    if (cycle() < deafUntil) {
      base += Math.min(deafUntil, target) - cycle();
      toBoard = Buffer.alloc(0);
      continue;
    }
    if (chatter.size) bounce();
    if (cycle() >= host.bus.nextFrame) host.bus.frame();
    if (core.waiting && core.checkForInterrupts()) core.waiting = false;
    if (core.waiting) {
      advance(pause(target - cycle()));
    } else {
      if (core.PC === ROM_USB_BOOT) isDrive = true;
      advance(core.executeInstruction());
    }
    if (bitten) {
      resets++;
      start(1);
    }
    if (wave.bits && !level && cycle() - wave.fall >= LATCH) latch();
  }
  speaking = false;
}

// Replaces the instruction at the program counter by a branch to itself. The program runs in memory,
// and every start copies it again.
function hang() {
  chip.writeUint16(core.PC, 0xe7fe);
  core.waiting = false;
}

const causes = { 1: 1 << 8, 2: 1 << 16, 4: 1 << 8, 0: 0 };
chipReset = causes[1];
start(0);

function stackLeft() {
  let n = 0;
  while (n < STACK_SIZE && chip.sram[STACK + n] === PAINT) n++;
  return n;
}

function answer(more = {}) {
  const told = { cycle: cycle() / UNIT, spoke: firstReply / UNIT, frames,
    told: Buffer.from(fromBoard).toString('hex'), ...more };
  frames = [];
  fromBoard = [];
  return told;
}

function control(setup, data) {
  let told = null;
  host.control(setup, data, (bytes) => { told = bytes; });
  const end = cycle() + 5 * USB_FRAME;
  while (told === null && cycle() < end) run(USB_FRAME / 10);
  if (told) return Buffer.from(told).toString('hex');
  host.running = null;
  return chip.usbCtrl.epStallArm & 3 ? 'stall' : 'nothing';
}

const commands = {
  run(time, bytes) {
    if (bytes !== '-') toBoard = Buffer.concat([toBoard, Buffer.from(bytes, 'hex')]);
    host.feed();
    run(Math.ceil(time * UNIT - 1e-6 * (time > 1))); // at least one cycle, even for the shortest time
  },
  key(key, value, microseconds, seed) { setKey(+key, +value, +microseconds, +seed); },
  reset(cause, time) {
    resets++;
    chipReset = causes[cause];
    start(0);
    deafUntil = cycle() + Math.round(time * UNIT);
    toBoard = Buffer.alloc(0);
  },
  hang,
  unplug() { plugged = false; toBoard = Buffer.alloc(0); host.ready = false; host.bus.nextFrame = Infinity; },
  plug() { plugged = true; chip.usbCtrl.resetDevice(); },
  control(setup, data) { return { control: control(Buffer.from(setup, 'hex'), Buffer.from(data ?? '', 'hex')) }; },
  stats() {
    return { delivered, refreshes, resets, shorts, lost: 0, stack_left: stackLeft(),
      strip: Buffer.from(strip).toString('hex'), descriptors: host.descriptors, drive: isDrive,
      packets: host.bus.packets, late: host.bus.late, forced: host.bus.forced,
      pin: [chip.gpio[DP_PIN].ctrl, chip.gpio[DP_PIN].padValue], phy: Object.values(host.bus.phy),
      clocks: [chip.clkSys, chip.pllUsb.frequency, chip.clocks.usbCtrl, HERTZ], complaints: [...complaints] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = line.trim().split(' ');
  process.stdout.write(JSON.stringify(answer(commands[name](...words))) + '\n');
}

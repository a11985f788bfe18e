// The dead man's rules of a stick. Pure: it is told what happens and the time, and gives messages to send.
//
// A hold begins with a press and drives once for each tick of the server. It ends once: by a release, by the
// server, or because ticks stay away. What is held then moves nothing until it is let go of and pressed anew.

const silence = 400; // ms without a tick: the server or the way to it is late, and has stopped the robot itself

export class Hold {
  #send;
  #id = null;
  #granted = false;
  #first = true;
  #heard = 0;
  #random;

  /** `send(message)` sends to the server; `random()` gives a fresh number below 2^53. */
  constructor(device, send, random = () => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)) {
    this.device = device;
    this.#send = send;
    this.#random = random;
  }

  get active() { return this.#id !== null; }
  get granted() { return this.#granted; }

  press(now, takeOver = false) {
    if (this.active) return;
    this.#id = String(this.#random());
    this.#granted = false;
    this.#first = true;
    this.#heard = now;
    this.#send({ type: "press", device: this.device, hold: this.#id, take_over: takeOver });
  }

  /** The server says who has the stick. True where this hold lost it. */
  stick(message) {
    if (!this.active || message.device !== this.device) return false;
    if (message.yours && (message.hold ?? this.#id) === this.#id) this.#granted = true;
    else if (this.#granted || (message.holder !== null && !message.yours)) return this.#end();
    return false;
  }

  /** A tick: one drive with the motion of now. `firstId()` gives the id that the first drive of a hold carries. */
  tick(message, now, motion, firstId) {
    if (!this.active || message.device !== this.device) return;
    this.#granted = true;
    this.#heard = now;
    const drive = { type: "drive", device: this.device, hold: this.#id, tick: message.n, ...motion };
    if (this.#first) drive.id = firstId();
    this.#first = false;
    this.#send(drive);
  }

  /** Lets go: one message, then silence. True if there was something to let go of. */
  release() {
    const hold = this.#id;
    if (!this.#end()) return false;
    this.#send({ type: "release", device: this.device, hold });
    return true;
  }

  /** The server ended a hold. True if it was this one. */
  over(message) {
    return message.device === this.device && message.hold === this.#id && this.#end();
  }

  /** True if ticks stayed away for too long: the hold is released. */
  late(now) {
    return this.active && now - this.#heard > (this.#granted ? silence : 4 * silence) && this.release();
  }

  #end() {
    if (!this.active) return false;
    this.#id = null;
    this.#granted = false;
    return true;
  }
}

/** A motion within the cap: a vector longer than 1 is shortened first. Rounded to thousandths. */
export function capped({ x, y, turn }, cap) {
  const length = Math.max(1, Math.hypot(x, y));
  const round = (value) => Math.round(value * 1000) / 1000 || 0;
  return { x: round((x / length) * cap), y: round((y / length) * cap), turn: round(Math.max(-1, Math.min(1, turn)) * cap) };
}

const keys = {
  ArrowUp: "up", KeyW: "up", ArrowDown: "down", KeyS: "down", ArrowLeft: "left", KeyA: "left",
  ArrowRight: "right", KeyD: "right", KeyQ: "counter", KeyE: "clock",
};

/** What a key does, by its place on the keyboard, or undefined. */
export const keyAction = (code) => keys[code];

/** The motion of the keys that are held. */
export function keyMotion(actions) {
  const one = (plus, minus) => Number(actions.has(plus)) - Number(actions.has(minus));
  return { x: one("right", "left"), y: one("up", "down"), turn: one("clock", "counter") };
}

/** A gamepad's motion while its dead man's button (right shoulder) is held, else null. */
export function gamepadMotion(pad) {
  if (!pad?.connected || !pad.buttons[5]?.pressed) return null;
  const axis = (place) => (Math.abs(pad.axes[place] ?? 0) < 0.08 ? 0 : pad.axes[place]);
  return { x: axis(0), y: -axis(1), turn: axis(2) };
}

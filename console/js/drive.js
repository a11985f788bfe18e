// Driving with pointers, keys and a gamepad, each under the dead man's rules of hold.js. It does not depend on how the
// view is drawn.

import { capped, gamepadMotion, Hold, keyAction, keyMotion } from "./hold.js";

/** Events: `change` when the holder or the knobs change, `message` with a `{key}` or a `{code, message}` for the user, `trip`. */
export class Drive extends EventTarget {
  #link;
  #cap;
  #hold = null;
  #stick = { x: 0, y: 0 };
  #turn = 0;
  #keys = new Set();
  #sources = new Set();
  #pad = null;
  #padReady = true;
  #ending = new AbortController();
  /** Who else drives: a user's name, empty without one, or null. */
  holder = null;
  /** Whether this page has the stick. */
  isMine = false;

  /** `cap()` gives the speed limit from 0 to 1. */
  constructor(link, cap) {
    super();
    this.#link = link;
    this.#cap = cap;
    this.#listenToEnds();
    this.#listenToServer();
  }

  #listen(target, type, heard) { target.addEventListener(type, heard, { signal: this.#ending.signal }); }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  get isHeld() { return Boolean(this.#hold?.active); }

  /** What the knobs show, from -1 to 1. */
  get knobs() {
    const keys = keyMotion(this.#keys);
    return { x: this.#stick.x + keys.x, y: -(this.#stick.y + keys.y), turn: this.#turn + keys.turn };
  }

  /** The view was left. */
  end() {
    this.release();
    this.#ending.abort();
  }

  /** The robot that is driven from now on, or null. */
  choose(device) {
    if ((this.#hold?.device ?? null) === device) return;
    this.release();
    this.#hold = device ? new Hold(device, (message) => this.#link.send(message)) : null;
    // Somebody may drive it since before this view was opened.
    const stick = this.#link.sticks.get(device);
    this.holder = stick && !stick.yours ? stick.holder : null;
    this.isMine = stick?.yours ?? false;
    this.#tell("change");
  }

  /** A pad for pointers: a press holds it, and every way of letting go ends that. */
  attachPad(pad, source) {
    const follow = (event) => {
      const box = pad.getBoundingClientRect();
      const part = (value) => Math.max(-1, Math.min(1, value));
      const x = part(((event.clientX - box.left) / box.width) * 2 - 1);
      if (source === "turn") this.#turn = x;
      else this.#stick = { x, y: -part(((event.clientY - box.top) / box.height) * 2 - 1) };
      this.#tell("change");
    };
    this.#listen(pad, "pointerdown", (event) => {
      if (event.button !== 0 || this.#sources.has(source)) return;
      event.preventDefault();
      pad.focus({ preventScroll: true });
      pad.setPointerCapture(event.pointerId);
      follow(event);
      this.#begin(source);
    });
    this.#listen(pad, "pointermove", (event) => this.#sources.has(source) && follow(event));
    this.#listen(pad, "pointerup", () => this.#endSource(source));
    this.#listen(pad, "contextmenu", (event) => event.preventDefault());
    for (const type of ["pointercancel", "lostpointercapture"]) {
      this.#listen(pad, type, () => this.#sources.has(source) && this.release());
    }
  }

  /** The pad whose focus takes keys; `stop()` is called for Space and Escape. */
  attachKeys(pad, stop) {
    this.#listen(pad, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (event.code === "Space" || event.code === "Escape") {
        event.preventDefault();
        if (!event.repeat) stop();
        return;
      }
      const action = keyAction(event.code);
      if (!action) return;
      event.preventDefault();
      // A key that repeats was pressed before: its hold may have ended since.
      if (event.repeat) return;
      this.#keys.add(action);
      this.#tell("change");
      this.#begin("keys");
    });
    this.#listen(pad, "keyup", (event) => {
      this.#keys.delete(keyAction(event.code));
      this.#tell("change");
      if (this.#keys.size === 0) this.#endSource("keys");
    });
    this.#listen(pad, "blur", () => this.#sources.size && this.release());
  }

  #listenToEnds() {
    this.#listen(window, "blur", () => this.release());
    this.#listen(document, "visibilitychange", () => document.hidden && this.release());
    this.#listen(document, "freeze", () => this.release());
    this.#listen(document, "stop-all", () => this.release());
    this.#listen(window, "pagehide", () => {
      if (!this.#hold?.active) return;
      const { device } = this.#hold;
      this.release();
      navigator.sendBeacon("api/stop", JSON.stringify({ device }));
    });
    this.#listen(window, "gamepaddisconnected", () => this.#sources.has("gamepad") && this.release());
    const timer = setInterval(() => {
      this.#readGamepad();
      if (this.#hold?.late(performance.now())) this.#over("late");
    }, 50);
    this.#ending.signal.addEventListener("abort", () => clearInterval(timer));
  }

  #listenToServer() {
    const heard = (type, act) => this.#listen(this.#link, type, ({ detail }) => detail.device === this.#hold?.device && act(detail));
    heard("tick", (message) => this.#hold.tick(message, performance.now(), this.#motion(), () => this.#firstId()));
    heard("stick", (message) => {
      this.holder = message.yours ? null : message.holder;
      this.isMine = message.yours;
      if (this.#hold.stick(message)) this.#over("taken");
      this.#tell("change");
    });
    heard("hold_over", (message) => this.#hold.over(message) && this.#over(message.reason));
    heard("refused", (message) => this.release() && this.#tell("message", message));
    heard("round_trip", ({ ms }) => this.#tell("trip", ms));
    this.#listen(this.#link, "closed", () => {
      if (!this.#hold?.active) return;
      this.#link.stop(this.#hold.device);
      this.release();
      this.#over("connection");
    });
  }

  #firstId() {
    const { id, answer } = this.#link.question(5000);
    answer.then((response) => response.status !== "ok" && this.#tell("message", response));
    return id;
  }

  #motion() {
    const pad = this.#pad;
    const keys = keyMotion(this.#keys);
    return capped({ x: this.#stick.x + keys.x + (pad?.x ?? 0), y: this.#stick.y + keys.y + (pad?.y ?? 0),
      turn: this.#turn + keys.turn + (pad?.turn ?? 0) }, this.#cap());
  }

  #begin(source, takesOver = false) {
    if (!this.#hold) return;
    const isFirst = this.#sources.size === 0;
    // A second finger joins a hold that is active; it does not revive one that is over.
    if (!isFirst && !this.#hold.active) return;
    this.#sources.add(source);
    if (isFirst) {
      this.#tell("message", null);
      this.#hold.press(performance.now(), takesOver);
    }
    this.#tell("change");
  }

  #endSource(source) {
    if (!this.#sources.has(source)) return;
    if (this.#sources.size === 1) {
      this.release();
      return;
    }
    this.#sources.delete(source);
    if (source === "stick") this.#stick = { x: 0, y: 0 };
    if (source === "turn") this.#turn = 0;
    this.#tell("change");
  }

  /** Lets go of everything. True if a hold ended by it. */
  release() {
    const device = this.#hold?.device;
    const ended = this.#hold?.release() ?? false;
    if (ended && !this.#link.open) this.#link.stop(device);
    this.#sources.clear();
    this.#keys.clear();
    this.#stick = { x: 0, y: 0 };
    this.#turn = 0;
    this.#pad = null;
    this.#padReady = false;
    this.#tell("change");
    return ended;
  }

  /** A hold ended without the user: what is still held moves nothing until it is pressed again. */
  #over(reason) {
    this.release();
    this.#tell("message", reason === "released" ? null : { key: `over.${reason}`, code: reason });
  }

  /** Takes the stick with a motionless press; the next press drives. */
  takeOver() {
    this.#begin("take over", true);
    this.release();
  }

  #readGamepad() {
    const pads = [...(navigator.getGamepads?.() ?? [])].filter(Boolean);
    const motion = pads.map(gamepadMotion).find(Boolean) ?? null;
    if (!motion) {
      this.#padReady = true;
      this.#pad = null;
      this.#endSource("gamepad");
    } else if (this.#sources.has("gamepad")) {
      this.#pad = motion;
    } else if (this.#padReady && !document.hidden && document.hasFocus()) {
      this.#padReady = false;
      this.#pad = motion;
      this.#begin("gamepad");
    }
  }
}

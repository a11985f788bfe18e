// What becomes of a stop, and when it is sent again. Pure: it is told what happens and the time.
//
// A stop is confirmed when each bridge that is online has answered it. Until then it is sent again, for at most 10 s, and
// not after somebody drives again. What was not confirmed stays until it is acknowledged.

/** In ms: after what time a stop without an answer counts as not sent, how often and how long it is repeated. */
export const limits = { answer: 1500, pause: 1000, repeat: 10_000 };

export class StopRule {
  #send;
  #id = null;
  #pressed = 0;
  #last = 0;
  /** "idle", "sending", "confirmed" or "failed". */
  state = "idle";
  /** The device that is stopped; null for everything. */
  device = null;
  /** What was learned last: `{status, code?, message?, silent?, failed?, unconfirmed?}`; see `Link.stop`. */
  outcome = null;
  repeating = false;

  /** `send(device, id)` sends a stop, and calls `answered` later. */
  constructor(send) { this.#send = send; }

  /** A press of the button. A device's stop does not take the place of one of everything that is not confirmed. */
  press(now, id, device = null) {
    this.device = this.repeating && this.device === null ? null : device;
    this.#id = id;
    this.#pressed = now;
    this.state = "sending";
    this.outcome = null;
    this.repeating = true;
    this.#attempt(now);
  }

  #attempt(now) {
    this.#last = now;
    this.#send(this.device, this.#id);
  }

  /** An attempt has come to its end. */
  answered(id, outcome) {
    if (id !== this.#id || this.state === "idle" || this.state === "confirmed") return;
    this.outcome = outcome;
    if (outcome.status === "confirmed") {
      this.state = "confirmed";
      this.repeating = false;
      return;
    }
    this.state = "failed";
    if (outcome.status === "driven") this.repeating = false;
  }

  /** Somebody drives again: this stop is not repeated. */
  drives() { this.repeating = false; }

  tick(now) {
    if (this.state === "sending" && now - this.#pressed >= limits.answer) {
      this.outcome = { status: "not_sent", code: "late" };
      this.state = "failed";
    }
    if (this.state !== "failed" || !this.repeating) return;
    if (now - this.#pressed >= limits.repeat) this.repeating = false;
    else if (now - this.#last >= limits.pause) this.#attempt(now);
  }

  /** A stop that failed before the page was loaded again: it still has to be acknowledged. */
  restore({ device, outcome }) {
    Object.assign(this, { device, outcome, state: "failed", repeating: false });
  }

  /** The person has read it: nothing is repeated. */
  acknowledge() {
    this.state = "idle";
    this.repeating = false;
    this.#id = null;
  }
}

/** Notices robots that move again after they stood. */
export class MotionWatch {
  #moving = new Map();

  /** Takes a robot's status. True if it moves, and stood before. */
  take(robot, status) {
    const moving = status?.moving === true;
    const before = this.#moving.get(robot);
    this.#moving.set(robot, moving);
    return moving && before === false;
  }
}

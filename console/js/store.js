// The newest message of each topic, and how fresh that is. Every view draws from it.

import { read } from "./messages.js";

/** Whether an MQTT filter accepts a topic. */
export function matches(filter, topic) {
  const wanted = filter.split("/");
  const levels = topic.split("/");
  for (let place = 0; place < wanted.length; place++) {
    if (wanted[place] === "#") return true;
    if (place >= levels.length || (wanted[place] !== "+" && wanted[place] !== levels[place])) return false;
  }
  return wanted.length === levels.length;
}

export class Store extends EventTarget {
  #topics = new Map();
  #epoch = 0;
  /** The prefix of every topic; topics in the store do not have it. */
  base = "";
  /**
   * `state` is "unknown" before the first snapshot, "live", or "stale"; `since` is the time in ms of the newest message
   * of a stale store; `cause` is "console" or "broker" while that connection is missing, or null.
   */
  freshness = { state: "unknown", since: null, cause: null };

  /** Whether the store is the broker's newest state. */
  get isLive() { return this.freshness.state === "live"; }

  /** Messages from now on replace what is there; ``complete()`` removes the rest. */
  begin() { this.#epoch += 1; }

  /** The broker has sent everything that it retains. */
  complete() {
    const gone = [];
    for (const [topic, { epoch, kind }] of this.#topics) {
      if (epoch === this.#epoch || kind !== "s") continue;
      this.#topics.delete(topic);
      gone.push([topic, "", "s"]);
    }
    this.#fresh({ state: "live", since: null, cause: null });
    this.#tell(gone, 0, Date.now());
  }

  /** A connection is missing; nothing is known to be true from here on. */
  lost(cause, since) {
    const { freshness } = this;
    if (freshness.state === "live") this.#fresh({ state: "stale", since, cause });
    else if (freshness.cause !== cause) this.#fresh({ ...freshness, cause });
  }

  /** All connections are there again, but the snapshot is not complete. */
  found() { if (this.freshness.cause) this.#fresh({ ...this.freshness, cause: null }); }

  #fresh(freshness) {
    this.freshness = freshness;
    this.dispatchEvent(new CustomEvent("freshness"));
  }

  /** Takes a batch of `[topic, payload, kind]`. */
  take(messages, dropped = 0) {
    const at = Date.now();
    for (const [topic, payload, kind] of messages) {
      if (payload === "" && kind === "s") this.#topics.delete(topic);
      else this.#topics.set(topic, { payload, kind, at, epoch: this.#epoch, read: null });
    }
    this.#tell(messages, dropped, at);
  }

  #tell(messages, dropped, at) {
    this.dispatchEvent(new CustomEvent("change", { detail: { messages, dropped, at } }));
  }

  #read(topic) {
    const entry = this.#topics.get(topic);
    if (!entry) return undefined;
    return entry.read ??= read(topic, entry.payload, this.base);
  }

  /** The newest valid value of a topic, or undefined. */
  value(topic) { return this.#read(topic)?.value; }

  /** Why the newest message of a topic is invalid, or null. */
  problem(topic) { return this.#read(topic)?.problem ?? null; }

  entry(topic) { return this.#topics.get(topic); }

  /** All topics that a filter accepts, in order. */
  topics(filter = "#") {
    return [...this.#topics.keys()].filter((topic) => matches(filter, topic)).sort();
  }
}

// What the broker told: the newest message of each topic.

/** Whether an MQTT filter takes a topic. */
export function matches(filter, topic) {
  const wanted = filter.split("/");
  const levels = topic.split("/");
  for (let place = 0; place < wanted.length; place++) {
    if (wanted[place] === "#") return true;
    if (place >= levels.length || (wanted[place] !== "+" && wanted[place] !== levels[place])) return false;
  }
  return wanted.length === levels.length;
}

/** A payload as a JSON value, or as text where it is none. */
export function parse(payload) {
  try { return JSON.parse(payload); } catch { return payload; }
}

export class Store extends EventTarget {
  #topics = new Map();

  /** Takes in a batch of `[topic, payload, kind]` and tells listeners of `change`. */
  take(messages, dropped = 0) {
    const at = Date.now();
    for (const [topic, payload, kind] of messages) {
      if (payload === "" && kind === "s") this.#topics.delete(topic);
      else this.#topics.set(topic, { payload, kind, at, value: undefined });
    }
    this.dispatchEvent(new CustomEvent("change", { detail: { messages, dropped, at } }));
  }

  /** The newest value of a topic, or undefined. */
  value(topic) {
    const entry = this.#topics.get(topic);
    if (!entry) return undefined;
    entry.value ??= parse(entry.payload);
    return entry.value;
  }

  entry(topic) { return this.#topics.get(topic); }

  /** All topics that a filter takes, in order. */
  topics(filter = "#") {
    return [...this.#topics.keys()].filter((topic) => matches(filter, topic)).sort();
  }
}

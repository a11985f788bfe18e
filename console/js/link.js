// The one connection to the console's server: JSON messages over a WebSocket, and POST for a stop.

import { limits } from "./stop-rule.js";

const answerTimeout = 35_000; // a bridge answers a connect after 30 s
// In ms: the console sends a message at least every 2 s. After `late` without one the page does not know what is true,
// and after `dead` it opens another socket.
const silence = { late: 2800, dead: 8000 };

export class Link extends EventTarget {
  #socket = null;
  #watches = new Map();
  #questions = new Map();
  #last = 0;
  #pause = 500;
  #ended = false;
  hello = null;
  broker = null;
  /** Who has which robot's stick, as the server said last. */
  sticks = new Map();
  /** Which roles may publish on a topic: `{allowed, roles}`. */
  may = new Map();
  /** When the newest message of the console arrived, in ms. */
  heard = null;

  constructor(store) {
    super();
    this.store = store;
    setInterval(() => this.#checkSilence(), 200);
  }

  get open() { return this.#socket?.readyState === WebSocket.OPEN; }

  start() {
    const address = new URL("socket", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 500;
      this.heard = Date.now();
      this.store.begin();
      this.#sendWatches();
      this.#tell("open");
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.#take(JSON.parse(event.data));
    };
    socket.onclose = () => this.#closed();
  }

  #checkSilence() {
    if (!this.open) return;
    const quiet = Date.now() - this.heard;
    if (quiet > silence.late) this.store.lost("console", this.heard);
    if (quiet <= silence.dead) return;
    // A dead network does not answer the closing of a socket either.
    Object.assign(this.#socket, { onmessage: null, onclose: null });
    this.#socket.close();
    this.#socket = null;
    this.#closed();
  }

  end() {
    this.#ended = true;
    this.#socket?.close();
  }

  #closed() {
    this.store.lost("console", this.heard ?? Date.now());
    this.broker = null;
    this.may.clear();
    this.sticks.clear();
    for (const question of this.#questions.values()) question.settle({ status: "error", code: "connection" });
    this.#tell("closed");
    if (this.#ended) return;
    setTimeout(() => this.start(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, 8000);
  }

  #take(message) {
    // A message after a silence: what was missed is sent again with a fresh snapshot only if the socket was closed.
    if (this.store.freshness.cause === "console" && this.broker?.connected && message.type === "beat") this.#resume();
    switch (message.type) {
    case "batch": this.store.take(this.#relative(message.messages), message.dropped); break;
    case "hello":
      this.hello = message;
      if (this.store.base !== message.base) {
        this.store.base = message.base;
        this.#sendWatches();
      }
      break;
    case "broker": this.#takeBroker(message); break;
    case "snapshot": this.store.complete(); break;
    case "may": this.#questions.get(message.id)?.settle(message); break;
    case "stick": this.sticks.set(message.device, message); break;
    case "answer": this.#questions.get(message.id)?.settle(message.response); break;
    case "refused": this.#questions.get(message.id)?.settle({ status: "error", ...message }); break;
    case "bye": this.#ended = message.code === "logged_out"; break;
    }
    this.#tell(message.type, message);
  }

  /** The socket was only slow: all that was sent has arrived. */
  #resume() {
    if (this.store.freshness.state === "stale") this.store.complete();
    else this.store.found();
  }

  #takeBroker(message) {
    this.broker = message;
    if (!message.connected) return this.store.lost("broker", Date.now());
    this.store.begin();
    this.store.found();
  }

  #relative(messages) {
    const { base } = this.store;
    if (!base) return messages;
    return messages.map(([topic, ...rest]) => [topic.startsWith(base) ? topic.slice(base.length) : topic, ...rest]);
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  /** Sends a message; false where there is no connection. */
  send(message) {
    if (!this.open) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Replaces what one part of the page watches. */
  watch(owner, filters) {
    const before = JSON.stringify(this.#watches.get(owner) ?? []);
    if (filters.length) this.#watches.set(owner, filters);
    else this.#watches.delete(owner);
    if (before !== JSON.stringify(filters)) this.#sendWatches();
  }

  #sendWatches() {
    this.send({ type: "watch", filters: [...new Set([...this.#watches.values()].flat())].map((filter) => this.store.base + filter) });
  }

  /** A fresh id for a question, and the promise of its answer: `{status, code?, message?, …}`. */
  question(timeout = answerTimeout) {
    const id = String(++this.#last);
    const answer = new Promise((resolve) => {
      const timer = setTimeout(() => settle({ status: "error", code: "no_answer" }), timeout);
      const settle = (response) => {
        clearTimeout(timer);
        this.#questions.delete(id);
        resolve(response);
      };
      this.#questions.set(id, { settle });
    });
    return { id, answer };
  }

  /** Publishes a command and waits for its answer. */
  publish(topic, payload) {
    const { id, answer } = this.question();
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    if (!this.send({ type: "publish", id, topic: this.store.base + topic, payload: text })) {
      this.#questions.get(id).settle({ status: "error", code: "connection" });
    }
    return answer;
  }

  /** Which roles may publish on a topic; nothing is known without a connection. */
  async mayPublish(topic) {
    if (this.may.has(topic)) return this.may.get(topic);
    const { id, answer } = this.question(5000);
    this.send({ type: "may", id, topic: this.store.base + topic });
    const may = await answer;
    if (may.type !== "may") return null;
    this.may.set(topic, may);
    return may;
  }

  /**
   * Stops one device, or everything. It goes both ways, since an open socket may be dead without knowing it and a
   * stop that comes twice is a stop.
   *
   * Gives what is known after `timeout` ms at the latest, and never fails: `{status, …}` with the status "confirmed" where
   * each bridge that is online has answered; "open" where it was sent and some have not, or not well; "driven" where it
   * was not sent again because somebody drives again; and "not_sent".
   */
  stop(device = null, id = stopId(), timeout = limits.answer) {
    const body = JSON.stringify(device === null ? { id } : { device, id });
    return new Promise((resolve) => {
      let best = { status: "not_sent", code: "late" };
      let ways = 2;
      const aborter = new AbortController();
      const end = () => {
        clearTimeout(timer);
        aborter.abort();
        resolve(best);
      };
      const timer = setTimeout(end, timeout);
      const take = (result) => {
        ways -= 1;
        if (ranks.indexOf(result.status) >= ranks.indexOf(best.status)) best = result;
        if (best.status === "confirmed" || best.status === "driven" || ways === 0) end();
      };
      const heard = ({ detail }) => detail.id === id && take(outcome(detail));
      for (const type of ["stopped", "refused"]) this.addEventListener(type, heard, { signal: aborter.signal });
      if (!this.send({ type: "stop", ...JSON.parse(body) })) take({ status: "not_sent", code: "connection" });
      fetch("api/stop", { method: "POST", keepalive: true, body }).then(async (response) => {
        if (response.status === 204) return take({ status: "open" });
        if (response.ok) return take(outcome(await response.json()));
        const status = { 404: "open", 409: "driven" }[response.status] ?? "not_sent";
        take({ status, code: String(response.status), message: (await response.text()).trim() });
      }).catch(() => take({ status: "not_sent", code: "connection" }));
    });
  }
}

const ranks = ["not_sent", "open", "driven", "confirmed"];

/** What the server's word about a stop means. */
function outcome(message) {
  if (message.type === "stopped") return { ...message, status: message.confirmed ? "confirmed" : "open" };
  const status = { unknown_device: "open", driven: "driven" }[message.code] ?? "not_sent";
  return { status, code: message.code, message: message.message };
}

/** A fresh id, by which all copies of one stop are one. */
export const stopId = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");

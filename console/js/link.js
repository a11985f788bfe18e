// The one connection to the console's server: JSON messages over a WebSocket, and POST for a stop.

import { limits } from "./stop-rule.js";

const answerTimeout = 35_000; // a bridge answers a connect after 30 s

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

  constructor(store) {
    super();
    this.store = store;
  }

  get open() { return this.#socket?.readyState === WebSocket.OPEN; }

  start() {
    const address = new URL("socket", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 500;
      this.#sendWatches();
      this.#tell("open");
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => this.#closed();
  }

  end() {
    this.#ended = true;
    this.#socket?.close();
  }

  #closed() {
    this.broker = null;
    this.sticks.clear();
    for (const question of this.#questions.values()) question.settle({ status: "error", code: "connection" });
    this.#tell("closed");
    if (this.#ended) return;
    setTimeout(() => this.start(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, 8000);
  }

  #take(message) {
    switch (message.type) {
    case "batch": this.store.take(message.messages, message.dropped); break;
    case "hello": this.hello = message; break;
    case "broker": this.broker = message; break;
    case "stick": this.sticks.set(message.device, message); break;
    case "answer": this.#questions.get(message.id)?.settle(message.response); break;
    case "refused": this.#questions.get(message.id)?.settle({ status: "error", ...message }); break;
    case "bye": this.#ended = message.code === "logged_out"; break;
    }
    this.#tell(message.type, message);
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
    this.send({ type: "watch", filters: [...new Set([...this.#watches.values()].flat())] });
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
    if (!this.send({ type: "publish", id, topic, payload: text })) {
      this.#questions.get(id).settle({ status: "error", code: "connection" });
    }
    return answer;
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

// STOP: in every view, never disabled, by a button and by Shift+Esc. What became of it stands at the button itself.

import { h } from "./element.js";
import { stopId } from "./link.js";
import { MotionWatch, StopRule } from "./stop-rule.js";
import { t } from "./words.js";

const storage = "tactile-bridge.stop";

class Stop extends HTMLElement {
  #link;
  #rule = new StopRule((device, id) => this.#send(device, id));
  #motion = new MotionWatch();
  #shown = "";

  start(link, store) {
    this.#link = link;
    this.button = h("button", { id: "stop-all", type: "button", onclick: () => this.press(), "aria-keyshortcuts": "Shift+Escape",
      title: t("stop.hint") }, h("strong", {}, t("stop")), h("span", {}, t("stop.all")));
    this.place = h("div", { id: "stop-state" });
    this.replaceChildren(this.place, this.button);
    // In the capturing phase, so that no dialog and no view takes the key first.
    window.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !event.shiftKey || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      this.press();
    }, true);
    // A modal dialog makes what lies outside it dead: the button moves into it and back.
    new MutationObserver(() => {
      const dialog = document.querySelector("dialog[open]");
      const home = dialog ?? document.body;
      if (this.parentNode !== home) home.append(this);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
    store.addEventListener("change", ({ detail }) => {
      for (const [topic] of detail.messages) {
        if (!topic.endsWith("/status")) continue;
        if (this.#motion.take(topic, store.value(topic))) this.#rule.drives();
      }
    });
    const kept = sessionStorage.getItem(storage);
    if (kept) this.#rule.restore(JSON.parse(kept));
    setInterval(() => {
      this.#rule.tick(performance.now());
      this.#draw();
    }, 100);
  }

  /** Stops a device, or everything. */
  press(device = null) {
    if (device === null) document.dispatchEvent(new CustomEvent("stop-all"));
    this.#rule.press(performance.now(), stopId(), device);
    this.#draw();
  }

  async #send(device, id) {
    this.#rule.answered(id, await this.#link.stop(device, id));
    this.#draw();
  }

  #draw() {
    const { state, outcome, repeating, device } = this.#rule;
    const shown = JSON.stringify([state, outcome, repeating, device]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.dataset.state = state;
    // The page may be loaded again before anybody has read it.
    if (state === "failed") sessionStorage.setItem(storage, JSON.stringify({ device, outcome }));
    else if (state !== "sending") sessionStorage.removeItem(storage);
    const what = device ?? t("stop.all");
    if (state === "idle") return this.place.replaceChildren();
    if (state === "sending") return this.#show("status", "", t("stop.sending", { what }));
    const rest = details(outcome);
    if (state === "confirmed") return this.#show("status", "good", t("stop.confirmed", { what }), rest);
    this.#show("alert", "trouble", t(outcome.status === "not_sent" ? "stop.not_sent" : "stop.unconfirmed", { what }),
      [...rest, t(repeating ? "stop.repeating" : outcome.status === "driven" ? "stop.driven" : "stop.by_hand")]);
  }

  #show(role, kind, text, rest = []) {
    const acknowledge = () => {
      this.#rule.acknowledge();
      this.#draw();
    };
    this.place.replaceChildren(h("div", { role, class: kind }, h("strong", {}, text), rest.map((line) => h("p", {}, line))),
      kind ? h("button", { id: "stop-seen", type: "button", onclick: acknowledge }, t(this.#rule.repeating ? "stop.cancel" : "stop.seen")) : null);
  }
}

/** Whom the outcome of a stop names. */
function details({ silent = [], failed = [], unconfirmed = [], status, bridges = [], message }) {
  return [
    silent.length ? t("stop.silent", { names: silent.join(", ") }) : null,
    ...failed.map(({ device, message: reason }) => `${device}: ${reason}`),
    unconfirmed.length ? t("stop.untold", { names: unconfirmed.join(", ") }) : null,
    status === "open" && !silent.length && !failed.length && !bridges.length ? t("stop.nobody") : null,
    message ?? null,
  ].filter(Boolean);
}

customElements.define("tb-stop", Stop);

// STOP: in every view, never disabled, by a button and by Shift+Esc. The button shows the outcome of the stop. It has a
// root of its own, so a view that fails does not take it along.

import { html, render } from "./ui.js";
import { stopId } from "./link.js";
import { MotionWatch, StopRule } from "./stop-rule.js";
import { t } from "./words.js";

const storage = "tactile-bridge.stop";

export class Stop {
  #place;
  #link;
  #rule = new StopRule((device, id) => this.#send(device, id));
  #motion = new MotionWatch();
  #shown = "";

  /** `place` is the element of the button. */
  constructor(place, link, store) {
    this.#place = place;
    this.#link = link;
    // In the capturing phase, so that no dialog and no view takes the key first.
    window.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !event.shiftKey || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      this.press();
    }, true);
    // Nothing outside a modal dialog can be used: the button moves into it and back.
    new MutationObserver(() => {
      const home = document.querySelector("dialog[open]") ?? document.body;
      if (place.parentNode !== home) home.append(place);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
    store.addEventListener("change", ({ detail }) => {
      for (const [topic] of detail.messages) {
        if (topic.endsWith("/status") && this.#motion.take(topic, store.value(topic))) this.#rule.drives();
      }
    });
    const kept = sessionStorage.getItem(storage);
    if (kept) this.#rule.restore(JSON.parse(kept));
    setInterval(() => {
      this.#rule.tick(performance.now());
      this.#draw();
    }, 100);
    this.#draw();
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
    this.#place.dataset.state = state;
    // The page may be loaded again before the user has read it.
    if (state === "failed") sessionStorage.setItem(storage, JSON.stringify({ device, outcome }));
    else if (state !== "sending") sessionStorage.removeItem(storage);
    render(html`<div id="stop-state">${this.#outcome()}</div>
      <button id="stop-all" type="button" onclick=${() => this.press()} aria-keyshortcuts="Shift+Escape" title=${t("stop.hint")}>
        <strong>${t("stop")}</strong><span>${t("stop.all")}</span></button>`, this.#place);
  }

  #outcome() {
    const { state, outcome, repeating, device } = this.#rule;
    const what = device ?? t("stop.all");
    if (state === "idle") return null;
    if (state === "sending") return html`<div key="sending" role="status"><strong>${t("stop.sending", { what })}</strong></div>`;
    const isConfirmed = state === "confirmed";
    const lines = details(outcome);
    if (!isConfirmed) lines.push(t(repeating ? "stop.repeating" : outcome.status === "driven" ? "stop.driven" : "stop.by_hand"));
    const text = isConfirmed ? "stop.confirmed" : outcome.status === "not_sent" ? "stop.not_sent" : "stop.unconfirmed";
    const acknowledge = () => {
      this.#rule.acknowledge();
      this.#draw();
    };
    return html`<div key=${text} role=${isConfirmed ? "status" : "alert"} class=${isConfirmed ? "good" : "trouble"}>
        <strong>${t(text, { what })}</strong>${lines.map((line) => html`<p>${line}</p>`)}</div>
      <button id="stop-seen" type="button" onclick=${acknowledge}>${t(repeating ? "stop.cancel" : "stop.seen")}</button>`;
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

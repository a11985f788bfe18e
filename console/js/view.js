// What all views share: they draw at most once a frame, and let go of everything when they are left.

import { Choice } from "./choice.js";
import { setChoices } from "./element.js";
import { t } from "./words.js";

export class View extends HTMLElement {
  #frame = 0;
  #leaving = new AbortController();

  connectedCallback() {
    this.build();
    this.listen(this.store, "change", ({ detail }) => {
      this.take?.(detail);
      this.later();
    });
    this.draw();
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
    this.link.watch(this.localName, []);
    this.#leaving.abort();
    this.left?.();
  }

  /** Listens until the view is left. */
  listen(target, type, heard, options = {}) {
    target.addEventListener(type, heard, { ...options, signal: this.#leaving.signal });
  }

  every(milliseconds, act) {
    const timer = setInterval(act, milliseconds);
    this.#leaving.signal.addEventListener("abort", () => clearInterval(timer));
  }

  watch(filters) { this.link.watch(this.localName, filters); }

  /** The view's choice of a device, by the address in the URL or the one that was chosen here before. */
  beginChoice() {
    const kept = `tactile-bridge.${this.localName}`;
    let before = null;
    try { before = sessionStorage.getItem(kept); } catch { /* private windows may refuse */ }
    this.choice = new Choice(this.device ?? before);
  }

  /** Writes the choice where a reload and a look at another view leave it. */
  keepChoice() {
    const { address } = this.choice;
    const hash = `#/${this.localName.slice(3)}${address ? `/${encodeURIComponent(address)}` : ""}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    if (!address) return;
    try { sessionStorage.setItem(`tactile-bridge.${this.localName}`, address); } catch { /* as above */ }
  }

  /** Takes the devices that there are into the choice and its select. Gives why it must not be controlled any more, or null. */
  updateChoice(control, devices, note) {
    const ended = this.choice.update(devices);
    setChoices(control, this.choice.options(devices, { none: t("choice.none"), missing: (address) => t("choice.gone", { address }) }));
    if (control.value !== (this.choice.address ?? "")) control.value = this.choice.address ?? "";
    this.keepChoice();
    const { address, device, missing, renamed } = this.choice;
    const text = missing ? t("choice.missing", { address }) : renamed ? t("choice.renamed", { name: device.name }) : "";
    if (note.textContent !== text) note.textContent = text;
    return ended;
  }

  /** Draws in the next frame. */
  later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.draw();
    });
  }
}

// What all views share: they draw at most once a frame, and let go of everything when they are left.

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

  /** Draws in the next frame. */
  later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.draw();
    });
  }
}

// Patterns: what is asked against what each device shows, playing, and drawing one.

import { download, h, labelled, replace, select, setChoices } from "../element.js";
import { number, t } from "../words.js";
import { bridges, devices, features, groups } from "../catalog.js";
import { answerText, errorText } from "../command-form.js";
import { View } from "../view.js";

const own = "*drawn*";

/** Steps `{time, duration, intensity}` as the corners of a curve that is 0 between them. */
export function curve(steps, end) {
  const points = [[0, 0]];
  for (const { time, duration, intensity } of steps) points.push([time, intensity], [time + duration, 0]);
  return [...points, [end, 0]];
}

/** Rows `{ms, strength}` as the events of a pattern. */
export function events(rows) {
  let time = 0;
  const found = [];
  for (const { ms, strength } of rows) {
    if (strength > 0) found.push({ time: time / 1000, kind: "continuous", duration: ms / 1000, intensity: strength / 100 });
    time += ms;
  }
  return found;
}

/** Events as a pattern file of the bridge: JSON is YAML. */
export const patternFile = (list) => `${JSON.stringify({ description: "Drawn in the console.", events: list }, null, 1)}\n`;

class Patterns extends View {
  #rows = [{ ms: 200, strength: 100 }, { ms: 200, strength: 0 }, { ms: 400, strength: 50 }];
  #asked = 0;
  #named = false;

  build() {
    this.bridge = select([], null, { onchange: () => this.#show() });
    this.pattern = select([], null, { onchange: () => this.#show() });
    this.scale = h("input", { type: "range", min: 0.1, max: 1, step: 0.1, value: 1, onchange: () => this.#show() });
    this.repeat = h("input", { type: "number", min: 1, max: 100, value: 1 });
    this.target = select([], null);
    this.curves = h("div", { class: "grid" });
    this.answer = h("div", { role: "status" });
    this.rows = h("div", { class: "steps" });
    this.pad = document.createElement("tb-plot");
    this.replaceChildren(h("h1", {}, t("view.patterns")),
      h("section", {}, h("div", { class: "fields" }, labelled(t("patterns.bridge"), this.bridge), labelled(t("patterns.pattern"), this.pattern),
        labelled(t("patterns.scale"), this.scale), labelled(t("patterns.repeat"), this.repeat)),
        h("div", { class: "row end" }, labelled(t("patterns.target"), this.target),
          h("button", { class: "primary", onclick: () => this.#play(this.#payload()) }, t("patterns.play")),
          h("button", { onclick: () => this.#play("stop") }, t("patterns.end"))),
        this.answer, h("h2", {}, t("patterns.curves")), this.curves),
      h("section", {}, h("h2", {}, t("patterns.draw")), h("p", {}, t("patterns.draw.text")), this.pad, this.rows,
        h("div", { class: "row" }, h("button", { onclick: () => this.#add() }, t("patterns.add")),
          h("button", { onclick: () => { this.pattern.value = own; this.#show(); } }, t("patterns.preview")),
          h("button", { onclick: () => this.#play(this.#drawn()) }, t("patterns.play_drawn")),
          h("button", { onclick: () => download("drawn.yaml", "application/yaml", patternFile(events(this.#rows))) }, t("patterns.download")))));
    this.#drawRows();
    this.pad.addEventListener("pointerdown", (event) => this.#paint(event));
    this.pad.addEventListener("pointermove", (event) => event.buttons & 1 && this.#paint(event));
  }

  draw() {
    setChoices(this.bridge, bridges(this.store).map((name) => [name, name]));
    const names = this.store.value(`bridge/${this.bridge.value}/patterns`) ?? [];
    const before = this.pattern.dataset.mark;
    setChoices(this.pattern, [...names.map((name) => [name, name]), [own, t("patterns.drawn")]]);
    const able = devices(this.store).filter(({ name }) => features(this.store, name).some((feature) => feature.name === "haptic" && feature.set));
    const sets = groups(this.store).filter(({ members }) => members.some((name) => able.some((device) => device.name === name)));
    setChoices(this.target, [...able.map(({ name }) => [name, name]), ...sets.map(({ name }) => [name, t("patterns.group", { name })])]);
    if (before === this.pattern.dataset.mark || !names.length) return;
    if (!this.#named) this.pattern.value = names[0];
    this.#named = true;
    this.#show();
  }

  #drawn() { return { events: events(this.#rows) }; }

  #payload() {
    const chosen = this.pattern.value === own ? this.#drawn() : { pattern: this.pattern.value };
    return { ...chosen, scale: Number(this.scale.value), repeat: Number(this.repeat.value) || 1 };
  }

  async #show() {
    this.scale.setAttribute("aria-valuetext", `${number(this.scale.value * 100)} %`);
    const turn = ++this.#asked;
    const response = await this.link.publish(`bridge/${this.bridge.value}/request/pattern`, this.#payload());
    if (turn !== this.#asked || !this.isConnected) return;
    if (response.status !== "ok") return this.curves.replaceChildren(h("p", { class: "trouble" }, errorText(response)));
    const shown = Object.entries(response.shown ?? {});
    const end = Math.max(response.duration_s, 0.1, ...shown.flatMap(([, value]) => (value?.strokes ?? []).map((step) => step.time + step.duration)));
    replace(this.curves, shown.map(([family, value]) => {
      const card = h("article", { class: "card" }, h("h3", {}, family));
      if (!value) return card.append(h("p", { class: "quiet" }, t("patterns.cannot"))), card;
      const plot = document.createElement("tb-plot");
      const lost = value.degraded?.length ? t("patterns.degraded", { what: value.degraded.join(", ") }) : t("patterns.exact");
      card.append(plot, h("p", { class: value.degraded?.length ? "" : "good" }, lost));
      queueMicrotask(() => plot.show({ label: t("patterns.label", { family, seconds: number(end, 2) }), from: 0, to: end, low: 0, high: 1, series: [
        { name: t("patterns.asked"), steps: true, points: curve(response.asked, end) },
        { name: t("patterns.shown"), steps: true, points: curve(value.strokes, end) }] }));
      return card;
    }));
  }

  async #play(payload) {
    this.answer.replaceChildren(answerText(await this.link.publish(`${this.target.value}/haptic/set`, payload)));
  }

  #add() {
    if (this.#rows.length < 64) this.#rows.push({ ms: 200, strength: 50 });
    this.#drawRows();
  }

  #drawRows() {
    replace(this.rows, this.#rows.map((row, place) => {
      const change = (key, low, high) => (event) => {
        row[key] = Math.min(high, Math.max(low, Number(event.target.value) || 0));
        this.#drawPad();
      };
      const name = (key) => t(`patterns.${key}`, { place: place + 1 });
      return h("div", { class: "row step" },
        h("span", {}, `${place + 1}`),
        h("label", {}, h("input", { type: "number", min: 10, max: 5000, step: 10, ".value": row.ms, "aria-label": name("ms"), "data-key": `ms ${place}`,
          onchange: change("ms", 10, 5000) }), " ms"),
        h("input", { type: "range", min: 0, max: 100, step: 5, ".value": row.strength, "aria-label": name("strength"), "data-key": `strength ${place}`,
          oninput: change("strength", 0, 100) }),
        h("button", { "aria-label": name("remove"), "data-key": `remove ${place}`, disabled: this.#rows.length === 1, onclick: () => {
          this.#rows.splice(place, 1);
          this.#drawRows();
        } }, "✕"));
    }));
    this.#drawPad();
  }

  #drawPad() {
    const end = this.#rows.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    queueMicrotask(() => this.pad.show({ label: t("patterns.drawing", { seconds: number(end, 2) }), from: 0, to: end, low: 0, high: 1,
      series: [{ name: t("patterns.drawn"), steps: true, points: curve(events(this.#rows), end) }] }));
  }

  /** The step under the pointer gets the strength at which the pointer is. */
  #paint(event) {
    const canvas = this.pad.querySelector("canvas");
    if (event.target !== canvas) return;
    const box = canvas.getBoundingClientRect();
    const end = this.#rows.reduce((sum, { ms }) => sum + ms, 0);
    let time = ((event.clientX - box.left - 40) / (box.width - 48)) * end;
    const strength = 100 * (1 - (event.clientY - box.top - 8) / (box.height - 26));
    const row = this.#rows.find(({ ms }) => (time -= ms) < 0) ?? this.#rows.at(-1);
    row.strength = Math.min(100, Math.max(0, Math.round(strength / 5) * 5));
    this.#drawRows();
  }
}

customElements.define("tb-patterns", Patterns);

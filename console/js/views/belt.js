// Belt: the ring with its motors as commanded, the heading, and a direction that leads the wearer.

import { ask, h, labelled, select, setChoices, svg } from "../element.js";
import { number, t } from "../words.js";
import { devices, features } from "../catalog.js";
import { errorText } from "../command-form.js";
import { angleOf, around, directionName, fromRing, keyed, motorAt, motors, onRing } from "../compass.js";
import { View } from "../view.js";

const radius = 118;
const place = (angle, far) => [Math.sin((angle * Math.PI) / 180) * far, -Math.cos((angle * Math.PI) / 180) * far];

class Belt extends View {
  #direction = 0;
  #dragging = false;
  #waiting = null;
  #sent = 0;
  #said = "";
  #followed = "";
  #picked = false;

  build() {
    this.beginChoice();
    this.note = h("p", { class: "trouble", role: "alert" });
    this.belts = select([], null, {
      onchange: () => {
        this.#disarm();
        this.choice.choose(this.belts.value);
        this.later();
      },
    });
    this.reference = select([["magnetic", t("belt.magnetic")], ["belt", t("belt.own")]], "belt", {
      onchange: () => {
        this.#picked = true;
        this.later();
      },
    });
    this.dots = Array.from({ length: motors }, (_, motor) => {
      const [x, y] = place(motor * 22.5, radius);
      const dot = svg("circle", { cx: x, cy: y, r: 9, class: "motor" });
      const core = svg("circle", { cx: x, cy: y, r: 0, class: "core" });
      const [labelX, labelY] = place(motor * 22.5, radius + 23);
      return { dot, core, label: svg("text", { x: motor ? labelX : 18, y: labelY + 4 }, String(motor)) };
    });
    this.north = svg("g", { class: "north" }, svg("path", { d: "M0 -84 L8 -40 L-8 -40 Z" }), svg("path", { d: "M0 84 L5 40 L-5 40 Z", class: "south" }),
      svg("text", { y: -88 }, "N"));
    this.target = svg("g", { class: "target" }, svg("line", { y1: -14, y2: -100 }), svg("circle", { cy: -100, r: 14 }));
    this.ring = svg("svg", { viewBox: "-150 -150 300 300", class: "ring", "aria-hidden": "true" },
      svg("circle", { r: radius, class: "band" }), svg("path", { d: "M-7 -146 L7 -146 L0 -134 Z", class: "front" }),
      this.dots.flatMap(({ dot, core, label }) => [dot, core, label]), this.north, this.target);
    this.slider = h("div", { class: "dial", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "360",
      "aria-label": t("belt.direction"), onkeydown: (event) => this.#key(event) }, this.ring);
    this.ring.addEventListener("pointerdown", (event) => this.#grab(event));
    this.ring.addEventListener("pointermove", (event) => this.#dragging && this.#drag(event));
    for (const type of ["pointerup", "pointercancel"]) this.ring.addEventListener(type, () => { this.#dragging = false; });
    this.text = h("p", { class: "big" });
    this.facts = h("dl", {});
    this.answer = h("p", { role: "status" });
    const navigate = (word) => h("button", { onclick: () => this.#send("navigation", word) }, t(`belt.${word}`));
    this.intensity = h("input", { type: "range", min: 5, max: 100, step: 5,
      onchange: () => this.#send("intensity", Number(this.intensity.value)) });
    this.mode = select([], null);
    this.none = h("p", { class: "quiet" }, t("belt.none"));
    this.all = h("div", { class: "columns" },
      h("section", {}, this.note, this.slider, this.text, h("p", { class: "quiet" }, t("belt.lead"))),
      h("section", {}, h("div", { class: "fields" }, labelled(t("belt.belt"), this.belts), labelled(t("belt.reference"), this.reference)),
        h("div", { class: "row" }, h("button", { class: "primary", onclick: () => this.#lead() }, t("belt.go")), navigate("pause"), navigate("stop")),
        this.answer, labelled(t("belt.intensity"), this.intensity),
        h("div", { class: "row end" }, labelled(t("belt.mode"), this.mode), h("button", { onclick: () => this.#setMode() }, t("belt.set_mode"))),
        this.facts));
    this.replaceChildren(h("h1", {}, t("view.belt")), this.none, this.all);
  }

  /** The name of the belt that is chosen and there, or null. */
  get belt() { return this.choice.device?.name ?? null; }

  /** What was chosen for one belt is not sent to another one. */
  #disarm() {
    clearTimeout(this.#waiting);
    this.#waiting = null;
    this.#dragging = false;
    this.#picked = false;
  }

  #value(feature) { return this.store.value(`${this.belt}/${feature}`); }

  #choose() {
    this.watch(this.belt ? ["vibration", "orientation", "navigation", "mode", "intensity", "features"].map((name) => `${this.belt}/${name}`) : []);
  }

  draw() {
    const able = devices(this.store).filter(({ name }) => features(this.store, name).some((feature) => feature.name === "vibration"));
    if (this.updateChoice(this.belts, able, this.note)) this.#disarm();
    this.none.hidden = able.length > 0 || this.choice.missing;
    this.all.hidden = !this.none.hidden;
    this.slider.setAttribute("aria-disabled", String(!this.belt));
    this.#choose();
    const heading = this.#value("orientation")?.heading;
    const vibration = this.#value("vibration");
    const navigation = this.#value("navigation") ?? {};
    const strengths = vibration?.strengths ?? [];
    this.dots.forEach(({ dot, core }, motor) => {
      const strength = strengths[motor] ?? 0;
      core.setAttribute("r", strength ? 4 + (strength / 100) * 8 : 0);
      dot.classList.toggle("on", strength > 0);
    });
    this.north.toggleAttribute("hidden", typeof heading !== "number");
    this.north.setAttribute("transform", `rotate(${around(-(heading ?? 0))})`);
    const followed = JSON.stringify([this.belt, navigation]);
    if (followed !== this.#followed && !this.#dragging && !this.#waiting) {
      // Once for each message: what a person has chosen since then stays.
      this.#followed = followed;
      if (navigation.state === "navigating" && typeof navigation.direction === "number") {
        this.#direction = navigation.direction;
        // A message from before the choice may still be under way: it stays until the belt follows it.
        if (navigation.reference === this.reference.value) this.#picked = false;
        else if (!this.#picked) this.reference.value = navigation.reference;
      }
    }
    const angle = onRing(this.#direction, this.reference.value, heading);
    this.target.toggleAttribute("hidden", angle === null);
    this.target.setAttribute("transform", `rotate(${angle ?? 0})`);
    this.target.classList.toggle("live", navigation.state === "navigating");
    this.#say(angle, navigation, heading, strengths);
    this.#drawControls();
  }

  #say(angle, navigation, heading, strengths) {
    const words = t("belt.words", {
      direction: t(directionName(this.#direction, this.reference.value === "magnetic")), degrees: number(this.#direction, 1),
      motor: angle === null ? "–" : motorAt(angle),
    });
    this.slider.setAttribute("aria-valuenow", String(this.#direction));
    this.slider.setAttribute("aria-valuetext", words);
    this.text.textContent = words;
    const active = strengths.map((strength, motor) => [motor, strength]).filter(([, strength]) => strength > 0);
    const rows = [[t("belt.state"), t(`belt.state.${navigation.state ?? "unknown"}`)],
      [t("belt.heading"), typeof heading === "number" ? `${number(heading)}°` : "–"],
      [t("belt.motors"), active.map(([motor, strength]) => `${motor} (${strength} %)`).join(", ") || t("belt.no_motor")],
      [t("belt.channels"), (this.#value("vibration")?.channels ?? []).map(({ channel, source, pattern }) =>
        `${channel}: ${source}, ${pattern ?? "?"}`).join("; ") || "–"]];
    if (this.#said === JSON.stringify(rows)) return;
    this.#said = JSON.stringify(rows);
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }

  #drawControls() {
    const modes = features(this.store, this.belt).find(({ name }) => name === "mode")?.set?.fields?.mode?.values ?? [];
    setChoices(this.mode, modes.map((word) => [word, t(`mode.${word}`)]));
    const mode = this.#value("mode");
    if (mode && this.mode.dataset.now !== mode) {
      this.mode.dataset.now = mode;
      this.mode.value = mode;
    }
    const intensity = this.#value("intensity");
    if (intensity !== undefined && this.intensity.dataset.now !== String(intensity)) {
      this.intensity.dataset.now = String(intensity);
      this.intensity.value = intensity;
    }
    this.intensity.setAttribute("aria-valuetext", `${this.intensity.value} %`);
  }

  #grab(event) {
    if (event.button !== 0 || !this.belt) return;
    this.#dragging = true;
    this.ring.setPointerCapture(event.pointerId);
    this.#drag(event);
  }

  #drag(event) {
    const box = this.ring.getBoundingClientRect();
    const angle = angleOf(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    const heading = this.#value("orientation")?.heading;
    if (this.reference.value === "magnetic" && typeof heading !== "number") {
      this.answer.textContent = t("belt.no_heading");
      return;
    }
    this.#turnTo(Math.round(fromRing(angle, this.reference.value, heading)) % 360);
  }

  #key(event) {
    const direction = keyed(event.key, this.#direction);
    if (direction === null || !this.belt || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.#turnTo(direction);
  }

  /** Leads at most ten times a second; the last direction is always sent. */
  #turnTo(direction) {
    this.#direction = direction;
    this.later();
    this.#waiting ??= setTimeout(() => {
      this.#waiting = null;
      this.#lead();
    }, Math.max(0, this.#sent + 100 - Date.now()));
  }

  #lead() {
    this.#sent = Date.now();
    return this.#send("navigation", {
      direction: this.#direction, reference: this.reference.value, state: "navigating",
    });
  }

  async #send(feature, payload) {
    if (!this.belt) return;
    const response = await this.link.publish(`${this.belt}/${feature}/set`, payload);
    this.answer.textContent = response.status === "ok" ? "" : `✗ ${errorText(response)}`;
  }

  async #setMode() {
    const mode = this.mode.value;
    const { belt } = this;
    const payload = { mode };
    if (mode === "standby" || mode === "calibration") {
      const sure = await ask({ title: t(`mode.${mode}`), text: t(`belt.confirm.${mode}`), yes: t("belt.set_mode"), no: t("cancel"), danger: true });
      if (!sure) return;
      // The question was about one belt.
      if (belt !== this.belt) return;
      payload.confirm = true;
    }
    await this.#send("mode", payload);
  }

  left() { clearTimeout(this.#waiting); }
}

customElements.define("tb-belt", Belt);

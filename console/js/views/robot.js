// Robot: the stick, the turn, keys and a gamepad, each under the dead man's rules of hold.js.

import { h, labelled, select } from "../element.js";
import { known, number, store as keep, stored, t } from "../words.js";
import { devices, features } from "../catalog.js";
import { errorText } from "../command-form.js";
import { capped, gamepadMotion, Hold, keyAction, keyMotion } from "../hold.js";
import { View } from "../view.js";

class Robot extends View {
  #hold = null;
  #stick = { x: 0, y: 0 };
  #turn = 0;
  #keys = new Set();
  #sources = new Set();
  #pad = null;
  #padReady = true;
  #holder = null;
  #mine = false;

  build() {
    this.beginChoice();
    this.robots = select([], null, { onchange: () => {
      this.#release();
      this.choice.choose(this.robots.value);
      this.later();
    } });
    this.note = h("p", { class: "trouble", role: "alert" });
    this.knob = h("div", { class: "knob" });
    this.pad = h("div", { class: "pad", tabindex: "0", role: "application", "aria-label": t("robot.stick"), "aria-describedby": "robot-keys" }, this.knob);
    this.turner = h("div", { class: "knob" });
    this.turnPad = h("div", { class: "turn", "aria-hidden": "true" }, this.turner);
    this.cap = h("input", { type: "range", min: 10, max: 100, step: 5, value: stored("cap") ?? 40, oninput: () => {
      keep("cap", this.cap.value);
      this.later();
    } });
    this.capText = h("output", {});
    this.state = h("p", { class: "big", role: "status" });
    this.word = h("p", { role: "status" });
    this.takeButton = h("button", { hidden: true, onclick: () => this.#takeOver() });
    this.trip = h("p", { class: "quiet" });
    this.facts = h("dl", {});
    this.power = h("button", { onclick: () => this.#command("power", { power: !this.#status.power }) });
    this.emergency = h("button", { class: "danger", onclick: () => this.#emergency() }, t("robot.emergency"));
    this.halt = h("button", { class: "danger", onclick: () => this.#stopNow() }, t("robot.stop"));
    this.none = h("p", { class: "quiet" }, t("robot.none"));
    this.all = h("div", { class: "columns" },
      h("section", {}, this.note, this.state, h("div", { class: "drive" }, this.pad, this.turnPad), h("p", { class: "quiet" }, t("robot.turn")),
        h("p", { id: "robot-keys", class: "quiet" }, t("robot.keys")), this.word, this.takeButton),
      h("section", {}, labelled(t("robot.robot"), this.robots), h("div", { class: "row" }, this.power, this.halt, this.emergency),
        h("div", { class: "cap" }, labelled(t("robot.cap"), this.cap), this.capText), this.facts, this.trip, h("p", { class: "quiet" }, t("robot.gamepad"))));
    this.replaceChildren(h("h1", {}, t("view.robot")), this.none, this.all);
    this.#listenToPad(this.pad, "stick", (x, y) => { this.#stick = { x, y: -y }; });
    this.#listenToPad(this.turnPad, "turn", (x) => { this.#turn = x; });
    this.#listenToKeys();
    this.#listenToEnds();
    this.#listenToServer();
  }

  /** The name of the robot that is chosen and there, or null. */
  get #robot() { return this.choice.device?.name ?? null; }

  get #status() { return this.store.value(`${this.#robot}/status`) ?? {}; }

  #choose() {
    const device = this.#robot;
    if ((this.#hold?.device ?? null) === device) return;
    this.#release();
    this.#hold = device ? new Hold(device, (message) => this.link.send(message)) : null;
    // Somebody may drive it since before this view was opened.
    const stick = this.link.sticks.get(device);
    this.#holder = stick && !stick.yours ? stick.holder : null;
    this.#mine = stick?.yours ?? false;
    this.watch(device ? [`${device}/status`] : []);
  }

  /** A pad for pointers: what it is pressed with holds it, and letting go of it by whatever way ends that. */
  #listenToPad(pad, source, move) {
    const follow = (event) => {
      const box = pad.getBoundingClientRect();
      const part = (value) => Math.max(-1, Math.min(1, value));
      move(part(((event.clientX - box.left) / box.width) * 2 - 1), part(((event.clientY - box.top) / box.height) * 2 - 1));
      this.#drawKnobs();
    };
    this.listen(pad, "pointerdown", (event) => {
      if (event.button !== 0 || this.#sources.has(source)) return;
      event.preventDefault();
      pad.focus({ preventScroll: true });
      pad.setPointerCapture(event.pointerId);
      follow(event);
      this.#begin(source);
    });
    this.listen(pad, "pointermove", (event) => this.#sources.has(source) && follow(event));
    this.listen(pad, "pointerup", () => this.#endSource(source));
    this.listen(pad, "contextmenu", (event) => event.preventDefault());
    for (const type of ["pointercancel", "lostpointercapture"]) {
      this.listen(pad, type, () => this.#sources.has(source) && this.#release());
    }
  }

  #listenToKeys() {
    this.listen(this.pad, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      if (event.code === "Space" || event.code === "Escape") {
        event.preventDefault();
        if (!event.repeat) this.#stopNow();
        return;
      }
      const action = keyAction(event.code);
      if (!action) return;
      event.preventDefault();
      // A key that repeats was pressed before: what it began may have ended since.
      if (event.repeat) return;
      this.#keys.add(action);
      this.#drawKnobs();
      this.#begin("keys");
    });
    this.listen(this.pad, "keyup", (event) => {
      this.#keys.delete(keyAction(event.code));
      this.#drawKnobs();
      if (this.#keys.size === 0) this.#endSource("keys");
    });
    this.listen(this.pad, "blur", () => this.#sources.size && this.#release());
  }

  #listenToEnds() {
    this.listen(window, "blur", () => this.#release());
    this.listen(document, "visibilitychange", () => document.hidden && this.#release());
    this.listen(document, "freeze", () => this.#release());
    this.listen(document, "stop-all", () => this.#release());
    this.listen(window, "pagehide", () => {
      if (!this.#hold?.active) return;
      const { device } = this.#hold;
      this.#release();
      navigator.sendBeacon("api/stop", JSON.stringify({ device }));
    });
    this.listen(window, "gamepaddisconnected", () => this.#sources.has("gamepad") && this.#release());
    this.every(50, () => {
      this.#readGamepad();
      if (this.#hold?.late(performance.now())) this.#over("late");
    });
  }

  #listenToServer() {
    const heard = (type, act) => this.listen(this.link, type, ({ detail }) => detail.device === this.#hold?.device && act(detail));
    heard("tick", (message) => this.#hold.tick(message, performance.now(), this.#motion(), () => this.#firstId()));
    heard("stick", (message) => {
      this.#holder = message.yours ? null : message.holder;
      this.#mine = message.yours;
      if (this.#hold.stick(message)) this.#over("taken");
      this.later();
    });
    heard("hold_over", (message) => this.#hold.over(message) && this.#over(message.reason));
    heard("refused", (message) => {
      if (this.#release()) this.word.textContent = errorText(message);
    });
    heard("round_trip", ({ ms }) => { this.trip.textContent = t("robot.trip", { ms: number(ms, 1) }); });
    this.listen(this.link, "closed", () => {
      if (!this.#hold?.active) return;
      this.link.stop(this.#hold.device);
      this.#release();
      this.#over("connection");
    });
  }

  #firstId() {
    const { id, answer } = this.link.question(5000);
    answer.then((response) => {
      if (response.status === "ok") return;
      this.word.textContent = response.code === "no_answer" ? t("robot.no_answer") : errorText(response);
    });
    return id;
  }

  #motion() {
    const pad = this.#pad;
    const keys = keyMotion(this.#keys);
    const sum = { x: this.#stick.x + keys.x + (pad?.x ?? 0), y: this.#stick.y + keys.y + (pad?.y ?? 0), turn: this.#turn + keys.turn + (pad?.turn ?? 0) };
    return capped(sum, this.cap.value / 100);
  }

  #begin(source, takeOver = false) {
    if (!this.#hold) return;
    const fresh = this.#sources.size === 0;
    // A second finger joins a hold that lives; it does not revive one that is over.
    if (!fresh && !this.#hold.active) return;
    this.#sources.add(source);
    if (fresh) {
      this.word.textContent = "";
      this.#hold.press(performance.now(), takeOver);
    }
    this.later();
  }

  #endSource(source) {
    if (!this.#sources.has(source)) return;
    if (this.#sources.size === 1) return this.#release();
    this.#sources.delete(source);
    if (source === "stick") this.#stick = { x: 0, y: 0 };
    if (source === "turn") this.#turn = 0;
    this.#drawKnobs();
  }

  /** Lets go of everything. True if a hold ended by it. */
  #release() {
    const device = this.#hold?.device;
    const ended = this.#hold?.release() ?? false;
    if (ended && !this.link.open) this.link.stop(device);
    this.#sources.clear();
    this.#keys.clear();
    this.#stick = { x: 0, y: 0 };
    this.#turn = 0;
    this.#pad = null;
    this.#padReady = false;
    this.#drawKnobs();
    this.later();
    return ended;
  }

  /** A hold ended without the person: what is still held moves nothing until it is pressed anew. */
  #over(reason) {
    this.#release();
    this.word.textContent = reason === "released" ? "" : known(`over.${reason}`, reason);
  }

  /** The stick is asked for with the next press as well; this one holds for as long as a motionless press. */
  #takeOver() {
    this.#begin("take over", true);
    this.#release();
  }

  #readGamepad() {
    const pads = [...(navigator.getGamepads?.() ?? [])].filter(Boolean);
    const motion = pads.map(gamepadMotion).find(Boolean) ?? null;
    if (!motion) {
      this.#padReady = true;
      this.#pad = null;
      this.#endSource("gamepad");
    } else if (this.#sources.has("gamepad")) {
      this.#pad = motion;
    } else if (this.#padReady && !document.hidden && document.hasFocus()) {
      this.#padReady = false;
      this.#pad = motion;
      this.#begin("gamepad");
    }
  }

  /** Without a robot it is a stop of everything: a stop is never refused. */
  #stopNow() {
    this.#release();
    document.querySelector("tb-stop").press(this.#robot);
  }

  async #emergency() {
    this.#release();
    await this.#command("emergency_stop", {});
  }

  async #command(feature, payload) {
    if (!this.#robot) return;
    const response = await this.link.publish(`${this.#robot}/${feature}/set`, payload);
    this.word.textContent = response.status === "ok" ? t("answer.ok") : errorText(response);
  }

  #drawKnobs() {
    const keys = keyMotion(this.#keys);
    const move = (knob, x, y) => {
      knob.style.setProperty("--x", Math.max(-1, Math.min(1, x)));
      knob.style.setProperty("--y", Math.max(-1, Math.min(1, y)));
    };
    move(this.knob, this.#stick.x + keys.x, -(this.#stick.y + keys.y));
    move(this.turner, this.#turn + keys.turn, 0);
  }

  draw() {
    const able = devices(this.store).filter(({ name }) => features(this.store, name).some((feature) => feature.name === "drive" && feature.set));
    if (this.updateChoice(this.robots, able, this.note)) this.#release();
    this.none.hidden = able.length > 0 || this.choice.missing;
    this.all.hidden = !this.none.hidden;
    this.#choose();
    const status = this.#status;
    const online = this.choice.device?.online ?? false;
    this.pad.setAttribute("aria-disabled", String(!this.#robot));
    for (const button of [this.power, this.emergency]) button.disabled = !this.#robot;
    const stray = status.moving && !this.#mine;
    const key = !online ? "offline" : status.unconfirmed ? "unconfirmed" : status.emergency_stop ? "emergency"
      : !status.power ? "no_power" : stray ? "stray" : status.moving ? "moving" : "ready";
    this.#set(this.state, t(`robot.state.${key}`));
    this.state.className = `big ${key === "ready" || key === "moving" ? "good" : "bad"}`;
    this.pad.classList.toggle("held", Boolean(this.#hold?.active));
    this.#set(this.power, t(status.emergency_stop ? "robot.unlatch" : status.power ? "robot.power_off" : "robot.power_on"));
    this.takeButton.hidden = this.#holder === null;
    if (this.#holder !== null) this.#set(this.takeButton, t("robot.take_over", { name: this.#holder || t("robot.other") }));
    this.#set(this.capText, `${this.cap.value} %`);
    const rows = [[t("robot.power"), t(status.power ? "yes" : "no")], [t("robot.latch"), t(status.emergency_stop ? "yes" : "no")],
      [t("robot.stopped_by"), status.stopped_by ? known(`stopped_by.${status.stopped_by}`, status.stopped_by) : "–"],
      [t("robot.blocked_by"), status.blocked_by ? known(`blocked_by.${status.blocked_by}`, status.blocked_by) : "–"],
      [t("robot.speed"), `${number((status.speed ?? 0) * 100)} %, ${number(status.direction ?? 0)}°, ${t("robot.turning")} ${number((status.turn ?? 0) * 100)} %`]];
    if (this.facts.dataset.mark === JSON.stringify(rows)) return;
    this.facts.dataset.mark = JSON.stringify(rows);
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }

  /** A live region is changed only where the text changes. */
  #set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  left() { this.#release(); }
}

customElements.define("tb-robot", Robot);

// Explore: the commands of a device, the live log, the tree of topics, a plot of a number.

import { download, h, labelled, replace, select, setChoices } from "../element.js";
import { t } from "../words.js";
import { commands, devices } from "../catalog.js";
import { csv, jsonLines, numbers } from "../payload.js";
import { parse } from "../store.js";
import { View } from "../view.js";

const logLimit = 1000, shownLimit = 200, treeLimit = 2000, plotSeconds = 10;
const kinds = { s: "state", e: "event", x: "stream" };

class Explore extends View {
  #log = [];
  #paused = false;
  #points = [];
  #logChanged = true;

  build() {
    this.device = this.device ?? null;
    this.chosen = select([], null, { onchange: () => this.#chooseDevice() });
    this.command = select([], null, { onchange: () => this.#chooseCommand() });
    this.form = document.createElement("tb-command-form");
    this.filter = h("input", { type: "search", oninput: () => this.#redrawLog() });
    this.kinds = Object.entries(kinds).map(([kind, name]) => {
      const box = h("input", { type: "checkbox", value: kind, ".checked": true, onchange: () => this.#redrawLog() });
      return h("label", { class: "check" }, box, t(`kind.${name}`));
    });
    this.own = h("input", { type: "checkbox", onchange: () => this.#redrawLog() });
    this.pause = h("button", { "aria-pressed": "false", onclick: () => {
      this.#paused = !this.#paused;
      this.pause.setAttribute("aria-pressed", String(this.#paused));
    } }, t("log.pause"));
    this.lines = h("ol", { class: "log", tabindex: "0", "aria-label": t("log.title") });
    this.tree = h("div", { class: "tree" });
    this.number = select([["", t("plot.none")]], "", { onchange: () => { this.#points = []; } });
    this.plot = document.createElement("tb-plot");
    this.plot.hidden = true;
    this.replaceChildren(h("h1", {}, t("view.explore")),
      h("div", { class: "columns" },
        h("section", {}, h("h2", {}, t("explore.commands")),
          h("div", { class: "fields" }, labelled(t("explore.device"), this.chosen), labelled(t("explore.command"), this.command)), this.form),
        h("section", {}, h("h2", {}, t("log.title")),
          labelled(t("log.filter"), this.filter, t("log.filter.hint")),
          h("fieldset", { class: "row" }, h("legend", {}, t("log.kinds")), this.kinds,
            h("label", { class: "check" }, this.own, t("log.own"))),
          h("div", { class: "row" }, this.pause,
            h("button", { onclick: () => { this.#log = []; this.#redrawLog(); } }, t("log.clear")),
            h("button", { onclick: () => this.#export("csv", "text/csv", csv) }, t("log.csv")),
            h("button", { onclick: () => this.#export("jsonl", "application/jsonl", jsonLines) }, t("log.jsonl"))),
          this.lines),
        h("section", {}, h("h2", {}, t("plot.title")), labelled(t("plot.number"), this.number), this.plot),
        h("section", {}, h("h2", {}, t("tree.title")), this.tree)));
    this.watch(["#"]);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) this.every(100, () => this.#drawPlot());
    else this.every(1000, () => this.#drawPlot());
    this.every(1000, () => this.#drawTree());
  }

  take({ messages, at }) {
    const time = new Date(at).toISOString();
    const [topic, path] = this.number.value.split("\n");
    for (const [name, payload, kind] of messages) {
      if (name === topic) {
        const found = numbers(parse(payload)).find(([key]) => key === path);
        if (found) this.#points.push([at, found[1]]);
      }
      if (this.#paused || name.endsWith("/echo")) continue;
      this.#log.push({ time, topic: name, kind: kinds[kind] ?? kind, payload });
      this.#logChanged = true;
    }
    if (this.#log.length > logLimit) this.#log.splice(0, this.#log.length - logLimit);
  }

  draw() {
    setChoices(this.chosen, devices(this.store).map(({ name }) => [name, name]).sort());
    if (this.device && [...this.chosen.options].some(({ value }) => value === this.device)) {
      this.chosen.value = this.device;
      this.device = null;
    }
    this.#chooseDevice();
    if (this.#logChanged) this.#redrawLog();
  }

  #chooseDevice() {
    const able = commands(this.store, this.chosen.value);
    setChoices(this.command, able.map(({ name }) => [name, name]));
    this.#chooseCommand();
  }

  /** The form stays as it is filled in while the command is the same. */
  #chooseCommand() {
    const feature = commands(this.store, this.chosen.value).find(({ name }) => name === this.command.value);
    const mark = JSON.stringify(feature ?? null);
    if (!feature || this.form.dataset.mark === mark) return;
    this.form.dataset.mark = mark;
    this.form.show(feature, this.link);
  }

  #chosen() {
    const allowed = this.kinds.map((label) => label.firstChild).filter((box) => box.checked).map((box) => kinds[box.value]);
    const text = this.filter.value.toLowerCase();
    const prefix = this.own.checked ? `${this.chosen.value}/` : "";
    return this.#log.filter((line) => allowed.includes(line.kind) && line.topic.startsWith(prefix)
      && (line.topic.toLowerCase().includes(text) || line.payload.toLowerCase().includes(text)));
  }

  #redrawLog() {
    this.#logChanged = false;
    this.lines.replaceChildren(...this.#chosen().slice(-shownLimit).reverse().map((line) =>
      h("li", {}, h("time", {}, line.time.slice(11, 23)), h("span", { class: `mark ${line.kind}` }, t(`kind.${line.kind}`)),
        h("strong", {}, line.topic), h("code", {}, line.payload.slice(0, 500)))));
  }

  #export(ending, type, write) {
    download(`tactile-bridge.${ending}`, type, write(this.#chosen()));
  }

  #drawTree() {
    const topics = this.store.topics().slice(0, treeLimit);
    setChoices(this.number, [["", t("plot.none")], ...topics.filter((topic) => !topic.startsWith("bridge/") && !topic.endsWith("features")
      && !topic.startsWith("homeassistant/")).flatMap((topic) => numbers(this.store.value(topic)).map(([path]) =>
      [`${topic}\n${path}`, path ? `${topic} · ${path}` : topic]))]);
    const mark = topics.join("\n");
    if (this.tree.dataset.mark !== mark) {
      this.tree.dataset.mark = mark;
      this.open ??= new Set(devices(this.store).map(({ name }) => name.split("/")[0]));
      replace(this.tree, branch(root(topics), "", this.open));
    }
    for (const value of this.tree.querySelectorAll("code[data-topic]")) {
      if (value.closest("details:not([open])")) continue;
      const payload = this.store.entry(value.dataset.topic)?.payload ?? "";
      const text = payload.length > 160 ? `${payload.slice(0, 160)}…` : payload;
      if (value.textContent !== text) value.textContent = text;
    }
  }

  #drawPlot() {
    const wanted = this.number.value;
    this.plot.hidden = !wanted;
    if (!wanted) return;
    const now = Date.now();
    this.#points = this.#points.filter(([at]) => at > now - plotSeconds * 1000);
    const points = this.#points.map(([at, value]) => [(at - now) / 1000, value]);
    const values = points.map(([, value]) => value);
    const low = Math.min(...values, 0), high = Math.max(...values, low + 1);
    const name = wanted.replace("\n", " · ");
    this.plot.show({ label: t("plot.label", { name, value: values.at(-1) ?? "–" }), from: -plotSeconds, to: 0, low, high, series: [{ name, points }] });
  }
}

function root(topics) {
  const top = { children: new Map() };
  for (const topic of topics) {
    let node = top;
    for (const level of topic.split("/")) {
      if (!node.children.has(level)) node.children.set(level, { children: new Map() });
      node = node.children.get(level);
    }
    node.topic = topic;
  }
  return top;
}

function branch(node, path, open) {
  return h("ul", {}, [...node.children].map(([name, child]) => {
    const own = path ? `${path}/${name}` : name;
    const value = child.topic === undefined ? null : h("code", { "data-topic": child.topic });
    if (!child.children.size) return h("li", {}, h("span", {}, name), " ", value);
    return h("li", {}, h("details", { ".open": open.has(own), ontoggle: (event) =>
      (event.target.open ? open.add(own) : open.delete(own)) }, h("summary", { "data-key": own }, name, " ", value), branch(child, own, open)));
  }));
}

customElements.define("tb-explore", Explore);

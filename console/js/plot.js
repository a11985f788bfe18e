// The one plot: lines or steps on a canvas, in the page's colours, told apart by dashes too.

import { h } from "./element.js";

const dashes = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

class Plot extends HTMLElement {
  #canvas = h("canvas", { role: "img" });
  #legend = h("ul", { class: "legend" });
  #drawing = null;
  #observer = new ResizeObserver(() => this.#draw());

  connectedCallback() {
    this.replaceChildren(this.#canvas, this.#legend);
    this.#observer.observe(this.#canvas);
    this.#dark.addEventListener("change", this.#redraw);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    this.#dark.removeEventListener("change", this.#redraw);
  }

  #dark = matchMedia("(prefers-color-scheme: dark)");
  #redraw = () => this.#draw();

  /** `{label, from, to, low, high, series: [{name, steps, points: [[x, y], …]}]}`; x in seconds. */
  show(drawing) {
    this.#drawing = drawing;
    this.#canvas.setAttribute("aria-label", drawing.label);
    const names = drawing.series.map(({ name }) => name);
    if (this.#legend.dataset.names !== JSON.stringify(names)) {
      this.#legend.dataset.names = JSON.stringify(names);
      this.#legend.replaceChildren(...names.map((name, place) =>
        h("li", {}, h("span", { class: `sample line-${place % 4}`, "aria-hidden": "true" }), name)));
    }
    this.#draw();
  }

  #draw() {
    const canvas = this.#canvas;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!this.#drawing || !width) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const style = getComputedStyle(this);
    const colour = (name) => style.getPropertyValue(name).trim();
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.font = `12px ${style.fontFamily}`;
    const { from, to, low, high, series } = this.#drawing;
    const left = 40, bottom = height - 18, top = 8;
    const x = (value) => left + ((value - from) / (to - from || 1)) * (width - left - 8);
    const y = (value) => bottom - ((value - low) / (high - low || 1)) * (bottom - top);
    context.strokeStyle = colour("--edge");
    context.fillStyle = colour("--quiet");
    context.lineWidth = 1;
    for (const part of [0, 0.5, 1]) {
      const value = low + (high - low) * part;
      line(context, [[left, y(value)], [width - 8, y(value)]]);
      context.textAlign = "right";
      context.fillText(short(value), left - 4, y(value) + 4);
    }
    for (const part of width < 320 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]) {
      context.textAlign = part === 1 ? "right" : "center";
      context.fillText(`${short(from + (to - from) * part)} s`, x(from + (to - from) * part), height - 4);
    }
    series.forEach((one, place) => {
      context.strokeStyle = colour(`--line-${place % 4}`);
      context.lineWidth = 2;
      context.setLineDash(dashes[place % 4]);
      const points = one.points.map(([time, value]) => [x(time), y(value)]);
      line(context, one.steps ? stairs(points) : points);
    });
    context.setLineDash([]);
  }
}

function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

const stairs = (points) => points.flatMap((point, place) => (place ? [[point[0], points[place - 1][1]], point] : [point]));
const short = (value) => String(Math.round(value * 100) / 100);

customElements.define("tb-plot", Plot);

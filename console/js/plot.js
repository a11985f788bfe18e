// The plot: lines or steps on a canvas, in the page's colors, distinguished by dashes too.

import { changes } from "./theme.js";
import { html, useEffect, useRef } from "./ui.js";
import { number } from "./words.js";

const dashes = [[], [6, 4], [2, 3], [9, 3, 2, 3]];

/**
 * `drawing`: `{label, from, to, low, high, series: [{name, steps, points: [[x, y], …]}]}`; x in seconds.
 *
 * `paint(x, y)` is called for a pointer that presses or drags; both are parts of the drawing, from 0 to 1 inside it.
 */
export function Plot({ drawing, paint }) {
  const canvas = useRef(null);
  const newest = useRef(drawing);
  newest.current = drawing;
  const redraw = () => canvas.current && draw(canvas.current, newest.current);
  useEffect(redraw);
  useEffect(() => {
    const observer = new ResizeObserver(redraw);
    observer.observe(canvas.current);
    changes.addEventListener("change", redraw);
    return () => {
      observer.disconnect();
      changes.removeEventListener("change", redraw);
    };
  }, []);
  const touch = paint && ((event) => {
    if (event.type !== "pointerdown" && !(event.buttons & 1)) return;
    const { left, top, width, height } = canvas.current.getBoundingClientRect();
    paint((event.clientX - left - margins.left) / (width - margins.left - margins.right),
      1 - (event.clientY - top - margins.top) / (height - margins.top - margins.bottom));
  });
  return html`<tb-plot><canvas ref=${canvas} role="img" aria-label=${drawing.label} class=${paint ? "painted" : ""}
      onpointerdown=${touch} onpointermove=${touch}></canvas>
    <ul class="legend">${drawing.series.map(({ name }, place) =>
    html`<li key=${name}><span class=${`sample line-${place % 4}`} aria-hidden="true"></span>${name}</li>`)}</ul></tb-plot>`;
}

/** The edges of the drawing inside its canvas, in pixels. */
const margins = { left: 40, right: 8, top: 8, bottom: 18 };

function draw(canvas, { from, to, low, high, series }) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width) return;
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(name).trim();
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.font = `12px ${style.fontFamily}`;
  const { left, right, top } = margins;
  const bottom = height - margins.bottom;
  const x = (value) => left + ((value - from) / (to - from || 1)) * (width - left - right);
  const y = (value) => bottom - ((value - low) / (high - low || 1)) * (bottom - top);
  context.strokeStyle = color("--edge");
  context.fillStyle = color("--quiet");
  context.lineWidth = 1;
  for (const part of [0, 0.5, 1]) {
    const value = low + (high - low) * part;
    line(context, [[left, y(value)], [width - right, y(value)]]);
    context.textAlign = "right";
    context.fillText(short(value), left - 4, y(value) + 4);
  }
  for (const part of width < 320 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]) {
    context.textAlign = part === 1 ? "right" : "center";
    context.fillText(`${short(from + (to - from) * part)} s`, x(from + (to - from) * part), height - 4);
  }
  series.forEach((one, place) => {
    context.strokeStyle = color(`--line-${place % 4}`);
    context.lineWidth = 2;
    context.setLineDash(dashes[place % 4]);
    const points = one.points.map(([time, value]) => [x(time), y(value)]);
    line(context, one.steps ? stairs(points) : points);
  });
  context.setLineDash([]);
}

function line(context, points) {
  context.beginPath();
  points.forEach(([x, y], place) => (place ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}

const stairs = (points) => points.flatMap((point, place) => (place ? [[point[0], points[place - 1][1]], point] : [point]));
const short = (value) => number(value, 2);

// Line drawings of devices that show what the device does. They are decoration: the words next to them say the same.

import { isList } from "./messages.js";
import { html, page, useEffect, useMessages, useRef, useState } from "./ui.js";
import { motors } from "./compass.js";

const degrees = 360 / motors;
const flash = 700; // ms for which a finger glows

/** The belt from above; `strengths` are percents by motor. */
export const BeltDrawing = ({ strengths }) => html`<svg class="drawing" viewBox="-60 -60 120 120" aria-hidden="true"><ellipse rx="26" ry="17" /><circle r="10" cy="-2" />
    <path d="M-4 -14L4 -14L0 -19Z" />${Array.from({ length: motors }, (_, motor) => html`<circle key=${motor} r=${strengths[motor] > 0 ? 7 : 4} cy="-48"
      transform=${`rotate(${motor * degrees})`} class=${strengths[motor] > 0 ? "glow" : ""} />`)}</svg>`;

export const fingerNames = ["thumb", "index", "middle", "ring", "pinky"];
// The line of each finger from the palm to its tip.
const fingers = { thumb: "M-24 22L-46 2", index: "M-18 -6L-24 -44", middle: "M-6 -10L-7 -53", ring: "M7 -9L10 -48", pinky: "M18 -3L27 -34" };

/** A hand from above; the fingers of the newest tap of a device glow. */
export function HandDrawing({ device }) {
  const [active, set] = useState([]);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useMessages((topic) => {
    if (topic !== `${device}/tapped`) return;
    const { fingers } = page.store.value(topic) ?? {};
    set(isList(fingers) ? fingers : []);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => set([]), flash);
  });
  return html`<svg class="drawing hand" viewBox="-60 -60 120 120" aria-hidden="true"><rect x="-25" y="-8" width="48" height="52" rx="16" />
    ${fingerNames.map((name) => html`<path key=${name} d=${fingers[name]} class=${active.includes(name) ? "glow" : ""} />`)}</svg>`;
}

/** The robot from above, turned to where it drives. */
export function RobotDrawing({ status }) {
  const { moving, direction = 0, turn = 0, emergency_stop: isLatched } = status;
  return html`<svg class="drawing" viewBox="-60 -60 120 120" aria-hidden="true"><g transform=${`rotate(${moving ? direction : 0})`}>
      <rect x="-24" y="-30" width="48" height="60" rx="8" class=${moving ? "glow" : ""} /><path d="M-9 -12L0 -24L9 -12" /></g>
    ${[[-34, -22], [26, -22], [-34, 8], [26, 8]].map(([x, y]) => html`<rect key=${`${x} ${y}`} x=${x} y=${y} width="8" height="16" rx="3" />`)}
    ${turn ? html`<path d=${turn > 0 ? "M-14 -48A50 50 0 0 1 22 -44M14 -50L22 -44L15 -38" : "M14 -48A50 50 0 0 0 -22 -44M-14 -50L-22 -44L-15 -38"} />` : null}
    ${isLatched ? html`<path class="stopped" d="M-16 -16L16 16M16 -16L-16 16" />` : null}</svg>`;
}

/** The newest values of a number as a line; `points` are `[time, value]`. */
export function Sparkline({ points }) {
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const at = ([time, value]) => `${2 + (116 * (time - from)) / (to - from || 1)},${36 - (32 * (value - low)) / (high - low || 1)}`;
  return html`<svg class="spark" viewBox="0 0 120 40" aria-hidden="true" preserveAspectRatio="none">${
    points.length > 1 ? html`<polyline points=${points.map(at).join(" ")} />` : html`<path d="M2 36H118" />`}</svg>`;
}

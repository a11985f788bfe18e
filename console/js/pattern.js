// Patterns as curves, events and files. Pure.

import { json } from "./messages.js";

/** Steps `{time, duration, intensity}` as the corners of a curve that is 0 between them. */
export function curve(steps, end) {
  const points = [[0, 0]];
  for (const { time, duration, intensity } of steps ?? []) points.push([time, intensity], [time + duration, 0]);
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
export const patternFile = (list) => `${json({ description: "Drawn in the console.", events: list }, null, 1)}\n`;

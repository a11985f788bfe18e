// Angles of the belt's ring. Pure.

export const motors = 16;
const step = 360 / motors;

/** An angle from 0 up to but not including 360. */
export const around = (angle) => ((angle % 360) + 360) % 360;

/** The nearest motor: 0 at the front, clockwise. */
export const motorAt = (angle) => Math.round(around(angle) / step) % motors;

/** The key of the nearest of eight directions; `magnetic` says whether they are those of a map. */
export function directionName(angle, magnetic) {
  const place = Math.round(around(angle) / 45) % 8;
  return magnetic ? `direction.${["n", "ne", "e", "se", "s", "sw", "w", "nw"][place]}`
    : `side.${["front", "front_right", "right", "back_right", "back", "back_left", "left", "front_left"][place]}`;
}

/** Where a point lies as seen from a centre, clockwise from above. */
export const angleOf = (x, y) => around((Math.atan2(x, -y) * 180) / Math.PI);

/** A direction as an angle on the ring, which has the belt's front above; null where the heading is not known. */
export function onRing(direction, reference, heading) {
  if (typeof direction !== "number") return null;
  if (reference !== "magnetic") return around(direction);
  return typeof heading === "number" ? around(direction - heading) : null;
}

/** The direction that an angle on the ring means. */
export const fromRing = (angle, reference, heading) => reference === "magnetic" ? around(angle + heading) : around(angle);

/** What a key does to a direction, or null: arrows 5°, Page 22.5°, Home and End to the front and the back. */
export function keyed(key, direction) {
  const change = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 22.5, PageDown: -22.5 }[key];
  if (change !== undefined) return around(direction + change);
  return { Home: 0, End: 180 }[key] ?? null;
}

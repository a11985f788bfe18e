// Gesture files from recorded events. Pure. docs/guides/gestures.md describes the files.

/** The fields whose words distinguish the events of a TAP. */
const fields = { tapped: ["fingers"], gesture: ["gesture"], air_gesture: ["gesture"], pointer: ["action", "finger"] };

export const longest = 8; // inputs of a gesture
// In ms: the default and the longest time between two inputs.
const pauses = { usual: 500, longest: 5000 };
const margin = 1.25; // a gesture may be made slower than it was recorded

/** The input that an event is, such as `tapped thumb+index`; null for an event that is none, such as a hand that relaxes. */
export function inputOf(feature, value) {
  const words = fields[feature]?.map((field) => [value?.[field] ?? []].flat().join("+"));
  return words?.every((word) => word && word !== "none") ? [feature, ...words].join(" ") : null;
}

/** The longest time in ms between two inputs `{word, at}` that follow each other. */
const pause = (inputs) => Math.max(0, ...inputs.slice(1).map(({ at }, place) => at - inputs[place].at));

const words = (inputs) => inputs.map(({ word }) => word);
/** The inputs of a gesture as a value in YAML. */
export const listed = (inputs) => (inputs.length === 1 ? inputs[0].word : `[${words(inputs).join(", ")}]`);

/** Why a gesture `{inputs, action, layer, next}` cannot be added to others: `{key, name}` of a sentence; null if it can. */
export function problem(gesture, gestures) {
  const { inputs, action, layer, next } = gesture;
  if (!inputs.length) return { key: "inputs" };
  if (!action && !next) return { key: "action" };
  const name = [action, next].filter(Boolean).concat(layer).find((text) => !/^[a-z0-9_]{1,64}$/.test(text));
  if (name !== undefined) return { key: "name", name };
  if (pause(inputs) > pauses.longest) return { key: "pause" };
  return gestures.some((one) => one.layer === layer && listed(one.inputs) === listed(inputs)) ? { key: "same", name: layer } : null;
}

/** The layers that follow a gesture and have no gesture, which the bridge refuses. */
export const missing = (gestures) =>
  [...new Set(gestures.map(({ next }) => next))].filter((name) => name && !gestures.some(({ layer }) => layer === name));

/** A gesture file; the first layer applies on a new connection. */
export function gestureFile(family, gestures) {
  const within = Math.min(pauses.longest, Math.max(pauses.usual, ...gestures.map(({ inputs }) => Math.ceil(pause(inputs) * margin / 100) * 100)));
  const line = ({ inputs, action, next }) =>
    `    - { inputs: ${listed(inputs)}${action ? `, action: ${action}` : ""}${next ? `, layer: ${next}` : ""} }`;
  const layers = [...new Set(gestures.map(({ layer }) => layer))].flatMap((name) =>
    [`  ${name}:`, ...gestures.filter(({ layer }) => layer === name).map(line)]);
  return ["version: 1", `family: ${family}`, `within_ms: ${within}`, "layers:", ...layers, ""].join("\n");
}

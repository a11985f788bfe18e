// Payloads of commands out of their declared fields. Pure.

import { json, pairs } from "./messages.js";

/** What a control's text means for a field: a value, undefined (left out), or an Error with the reason's key. */
export function read(field, text) {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (field.nullable && trimmed === "null") return null;
  switch (field.type) {
  case "boolean": return trimmed === "true" ? true : trimmed === "false" ? false : fault("boolean");
  case "integer": return /^[+-]?\d+$/.test(trimmed) ? limited(field, Number(trimmed)) : fault("integer");
  case "number": return Number.isFinite(Number(trimmed)) ? limited(field, Number(trimmed)) : fault("number");
  case "choice": case "time": return trimmed;
  case "text": return text;
  default:
    try { return JSON.parse(trimmed); } catch { return field.any_of || field.type === "any" ? text : fault("json"); }
  }
}

function limited(field, value) {
  if (field.minimum !== undefined && value < field.minimum) return fault("range");
  if (field.maximum !== undefined && value > field.maximum) return fault("range");
  if (field.exclusive_maximum !== undefined && value >= field.exclusive_maximum) return fault("range");
  return value;
}

const fault = (key) => new Error(key);

/** The first rule that an object breaks, or null; the rules of docs/reference/contract.md. */
export function brokenRule(rules = [], object, fields = {}) {
  const there = (key) => object[key] !== undefined || fields[key]?.default !== undefined;
  const valueOf = (key) => object[key] ?? fields[key]?.default;
  return rules.find((rule) => applies(rule, there, valueOf) && !holds(rule, object, there, valueOf)) ?? null;
}

function applies(rule, there, valueOf) {
  const among = (conditions) => pairs(conditions).map(([key, values]) => values.includes(valueOf(key)));
  if (rule.given && !rule.given.every(there)) return false;
  if (rule.when && !among(rule.when).every(Boolean)) return false;
  return !(rule.unless && among(rule.unless).some(Boolean));
}

function holds(rule, object, there, valueOf) {
  const given = (keys) => keys.filter(there).length;
  if (rule.at_most_one) return given(rule.at_most_one) <= 1;
  if (rule.exactly_one) return given(rule.exactly_one) === 1;
  if (rule.at_least_one) return given(rule.at_least_one) >= 1;
  if (rule.requires) return rule.requires.every(there);
  if (rule.excludes) return rule.excludes.every((key) => object[key] === undefined);
  if (rule.any_is) return rule.any_is.keys.some((key) => valueOf(key) === rule.any_is.value);
  return true;
}

/** What a rule demands, for the sentence that says so: its key in the language and the keys that it names. */
export function demand(rule) {
  const key = ["at_most_one", "exactly_one", "at_least_one", "requires", "excludes"].find((name) => rule[name]);
  if (key) return { key, keys: rule[key].join(", ") };
  return { key: "any_is", keys: rule.any_is.keys.join(", "), value: String(rule.any_is.value) };
}

/** Text as one word of a shell. */
export const quoted = (text) => (/^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The line of a shell that sends the same. */
export const shellLine = (topic, payload) => `mosquitto_pub -t ${quoted(topic)} ${payload === "" ? "-n" : `-m ${quoted(payload)}`}`;

/** All numbers of a value by their path, such as `sensors.fusion`. */
export function numbers(value, path = "") {
  if (typeof value === "number") return [[path, value]];
  if (value === null || typeof value !== "object") return [];
  return pairs(value).flatMap(([key, item]) => numbers(item, path ? `${path}.${key}` : key))
    .filter(([name]) => name !== "seq");
}

/** Messages `{time, topic, kind, payload}` as CSV: a cell that a table would take as a formula is made text. */
export function csv(messages) {
  const cell = (text) => `"${(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const rows = messages.map((m) => [m.time, m.topic, m.kind, m.payload].map(cell).join(","));
  return ["time,topic,kind,payload", ...rows].join("\r\n") + "\r\n";
}

/** The same as JSON lines. */
export const jsonLines = (messages) => messages.map((message) => `${json(message)}\n`).join("");

// The page's language: one JSON file each, with the same keys.

import { pairs } from "./messages.js";

export const languages = { en: "English", de: "Deutsch" };
let table = {};
export let language = "en";

/** Loads the chosen language, the browser's, or English. */
export async function loadLanguage() {
  const wanted = [stored("language"), ...navigator.languages.map((name) => name.slice(0, 2))];
  language = wanted.find((name) => name in languages) ?? "en";
  table = flat(await (await fetch(`lang/${language}.json`)).json());
  document.documentElement.lang = language;
}

/** Texts by keys such as `devices.rename.to` out of nested objects; the key "" is the text of the object itself. */
export function flat(texts, prefix = "") {
  return Object.assign({}, ...pairs(texts).map(([key, text]) => {
    const name = [prefix, key].filter(Boolean).join(".");
    return typeof text === "string" ? { [name]: text } : flat(text, name);
  }));
}

/** Text by its key, with `{name}` filled in. */
export const t = (key, values = {}) => format(table[key] ?? key, values);

/** Text by its key, or `otherwise` where the language has none, such as for a code of a newer bridge. */
export const known = (key, otherwise) => table[key] ?? otherwise ?? "";

/** The name of a control for an action on a device or a bridge. */
export const labelOf = (action, device) => t("devices.action", { action, device });

/** A number within limits. */
export const within = (value, low, high) => Math.min(high, Math.max(low, value));

/** Fills `{name}` in. */
export function format(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A time stamp as the time of day, with the date if it is not today's. */
export function clock(stamp) {
  const date = new Date(stamp);
  if (Number.isNaN(date.getTime())) return String(stamp);
  const options = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  if (date.toDateString() !== new Date().toDateString()) Object.assign(options, { day: "numeric", month: "short" });
  return date.toLocaleString(language, options);
}

export const number = (value, digits = 0) => value.toLocaleString(language, { maximumFractionDigits: digits });

/** What the browser keeps for this page; null where it keeps nothing. */
export function stored(key) {
  try { return localStorage.getItem(`tactile-bridge.${key}`); } catch { return null; }
}

export function store(key, value) {
  try { localStorage.setItem(`tactile-bridge.${key}`, value); } catch { /* private windows may refuse */ }
}

/** How long ago a time was, in words. */
export function ago(stamp, now = Date.now()) {
  const seconds = Math.round((now - new Date(stamp).getTime()) / 1000);
  if (Number.isNaN(seconds)) return String(stamp);
  const [value, unit] = Math.abs(seconds) < 60 ? [seconds, "second"] : Math.abs(seconds) < 3600 ? [Math.round(seconds / 60), "minute"]
    : Math.abs(seconds) < 86_400 ? [Math.round(seconds / 3600), "hour"] : [Math.round(seconds / 86_400), "day"];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-value, unit);
}

let timeFormat;
/** A local time of day with milliseconds. The format is kept: creating one takes as long as a hundred uses. */
export function timeOfDay(at) {
  timeFormat ??= new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3, hourCycle: "h23" });
  return timeFormat.format(at);
}

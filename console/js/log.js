// The log of messages as they arrive: filter, pause, copy and files.

import { csv, jsonLines } from "./payload.js";
import { read } from "./messages.js";
import { copy, download, english, html, page, Text, toggled, useMessages, useRedraw, useRef, useState } from "./ui.js";
import { t, timeOfDay } from "./words.js";

const limit = 1000, shownLimit = 200;
const kinds = { s: "state", e: "event", x: "stream" };

/** Collects messages whose topics `isWanted` accepts; the component that uses it is rendered by its own rules. */
export function useLog(isWanted = () => true) {
  const redraw = useRedraw();
  const log = useRef(null);
  log.current ??= { lines: [], isPaused: false, last: 0 };
  const { current } = log;
  const timer = useRef(0);
  const soon = () => {
    timer.current ||= setTimeout(() => {
      timer.current = 0;
      redraw();
    }, 100);
  };
  useMessages((topic, payload, at, kind) => {
    if (current.isPaused || topic.endsWith("/echo") || topic.endsWith("/heartbeat") || !isWanted(topic)) return;
    current.lines.push({ id: ++current.last, at, time: new Date(at).toISOString(), topic, kind: kinds[kind] ?? kind, payload });
    if (current.lines.length > limit) current.lines.shift();
    soon();
  });
  return { ...current, pause: (isPaused) => {
    current.isPaused = isPaused;
    soon();
  }, clear: () => {
    current.lines.length = 0;
    soon();
  } };
}

/** `prefix`: the name of the device that "chosen device only" means, or null. */
export function LogView({ log, prefix = null }) {
  const [text, setText] = useState("");
  const [allowed, setAllowed] = useState(Object.values(kinds));
  const [isOwn, setOwn] = useState(false);
  const [done, setDone] = useState("");
  const words = text.toLowerCase();
  const found = log.lines.filter((line) => allowed.includes(line.kind) && (!isOwn || !prefix || line.topic.startsWith(`${prefix}/`))
    && (words === "" || line.topic.toLowerCase().includes(words) || line.payload.toLowerCase().includes(words)));
  const save = (end, type, write) => {
    download(`tactile-bridge.${end}`, type, write(found.map(({ time, topic, kind, payload }) => ({ time, topic, kind, payload }))));
    setDone(t("log.saved", { name: `tactile-bridge.${end}` }));
  };
  const box = (checked, change, label) => html`<label class="check"><input type="checkbox" checked=${checked} onchange=${change} />${label}</label>`;
  return html`<div class="log-view"><${Text} label="log.filter" hint=${t("log.filter.hint")} type="search" value=${text} onchange=${setText} />
    <fieldset class="row"><legend>${t("log.kinds")}</legend>${Object.values(kinds).map((kind) =>
    box(allowed.includes(kind), () => setAllowed(toggled(allowed, kind)), t(`kind.${kind}`)))}${prefix === null ? null : box(isOwn, () => setOwn(!isOwn), t("log.own"))}</fieldset>
    <div class="row"><button aria-pressed=${String(log.isPaused)} onclick=${() => log.pause(!log.isPaused)}>${t("log.pause")}</button>
      <button onclick=${log.clear}>${t("log.clear")}</button>
      <button onclick=${async () => setDone(t(await copy(found.map(({ time, topic, payload }) => `${time} ${topic} ${payload}`).join("\n")) ? "form.copied" : "form.not_copied"))}>${t("form.copy")}</button>
      <button onclick=${() => save("csv", "text/csv", csv)}>${t("log.csv")}</button>
      <button onclick=${() => save("jsonl", "application/jsonl", jsonLines)}>${t("log.jsonl")}</button><span class="good" role="status">${done}</span></div>
    <ol class="log" tabindex="0" aria-label=${t("log.title")}>${found.slice(-shownLimit).reverse().map((line) =>
    html`<${Line} key=${line.id} line=${line} />`)}</ol></div>`;
}

function Line({ line }) {
  this.shouldComponentUpdate = () => false; // a message does not change
  const { problem } = read(line.topic, line.payload, page.store.base);
  return html`<li><time>${timeOfDay(line.at)}</time><span class=${`mark ${line.kind}`}>${t(`kind.${line.kind}`)}</span>
    <strong>${line.topic}</strong><code>${line.payload.slice(0, 500)}</code>
    ${problem && line.payload !== "" ? html`<${Invalid} problem=${problem} />` : null}</li>`;
}

/** What is wrong with a message. */
export const Invalid = ({ problem }) => html`<span class="trouble">${t("log.invalid")}: ${english(problem)}</span>`;

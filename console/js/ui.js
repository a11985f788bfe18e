// What views share: rendering, the store and the connection as hooks, and small components.

import { html, render, useEffect, useRef, useState } from "../lib/preact.js";
import { Icon } from "./icons.js";
import { json } from "./messages.js";
import { known, t } from "./words.js";

export { html, render, useEffect, useRef, useState };

/** Set once at the start. */
export const page = { store: null, link: null, announce: () => {} };

/** A function that renders the component again. */
export function useRedraw() {
  const [, set] = useState(0);
  return () => set((count) => count + 1);
}

/** Renders the component again after messages on topics that `isWanted` accepts, at most once in `interval` ms. */
export function useStore(isWanted = () => true, interval = 0) {
  const redraw = useRedraw();
  const wanted = useRef(isWanted);
  wanted.current = isWanted;
  useEffect(() => {
    let timer = 0, frame = 0;
    const draw = () => {
      timer = frame = 0;
      redraw();
    };
    const soon = () => {
      if (interval) timer ||= setTimeout(draw, interval);
      else frame ||= requestAnimationFrame(draw);
    };
    const changed = ({ detail }) => detail.messages.some(([topic]) => wanted.current(topic)) && soon();
    page.store.addEventListener("change", changed);
    page.store.addEventListener("freshness", soon);
    return () => {
      page.store.removeEventListener("change", changed);
      page.store.removeEventListener("freshness", soon);
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, []);
  return page.store;
}

/** Whether a topic belongs to the lists and states of bridges and devices, which most views show. */
export const isBase = (topic) => topic.startsWith("bridge/") ? !/\/(stats|echo|heartbeat)$/.test(topic)
  : /\/(availability|connection|features|info|battery|last_seen)$/.test(topic);

/** Watches topics while the component is shown. */
export function useWatch(owner, filters) {
  const mark = json(filters);
  useEffect(() => page.link.watch(owner, filters), [mark]);
  useEffect(() => () => page.link.watch(owner, []), []);
}

/** Calls `act` for events of a target while the component is shown. */
export function useEvent(target, type, act, options = false) {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const heard = (event) => newest.current(event);
    target.addEventListener(type, heard, options);
    return () => target.removeEventListener(type, heard, options);
  }, []);
}

/** Calls `act(topic, payload, at, kind)` for each message while the component is shown; `at` is its time in ms. */
export const useMessages = (act) => useEvent(page.store, "change", ({ detail: { messages, at } }) =>
  messages.forEach(([topic, payload, kind]) => act(topic, payload, at, kind)));

export function useInterval(milliseconds, act) {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    const timer = setInterval(() => newest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
}

/** A state that changes only with its key, such as the device that it is about. */
export function useKeyed(key, initial) {
  const [entry, set] = useState({ key, value: initial });
  const current = entry.key === key ? entry.value : initial;
  return [current, (value) => set({ key, value })];
}

/** A command with its progress and its answer: `[answer, ask]`; `answer` is null, "waiting", or the response. */
export function useAsk() {
  const [answer, set] = useState(null);
  const turn = useRef(0);
  const ask = async (topic, payload) => {
    const own = ++turn.current;
    set("waiting");
    const response = await page.link.publish(topic, payload);
    if (own === turn.current) set(response);
    return response;
  };
  return [answer, ask];
}

export const undoTime = 8; // s in which an action can be undone

/** `[waiting, toggle]`: `toggle(value)` calls `act(value)` after `undoTime`, also if another view is shown by then; until then `toggle` undoes it. */
export function useUndo(act) {
  const [waiting, set] = useState(null);
  const timer = useRef(0);
  const toggle = (value) => {
    clearTimeout(timer.current);
    set(waiting ? null : value);
    if (!waiting) timer.current = setTimeout(() => {
      set(null);
      act(value);
    }, undoTime * 1000);
  };
  return [waiting, toggle];
}

/** A text of less weight. */
export const quiet = (key, values) => html`<p class="quiet">${t(key, values)}</p>`;

/** Words of a bridge or the console, which are English in every language. */
export const english = (text) => text && html`<span lang="en">${text}</span>`;

/** The page's words for a key, or the English ones of the bridge, such as for a code of a newer bridge. */
export const wordsOr = (key, otherwise) => known(key) || english(otherwise);

/** Why a command failed, in words; without the shell line that the bridge adds for other clients. */
export const errorText = ({ code, message }) => [known(`code.${code}`, code), message ? ": " : "", english(`${message ?? ""}`.replace(/;[^;]*mosquitto_pub.*/s, ""))];

/** What went wrong, or nothing. */
export const Alert = ({ text }) => html`<p class="trouble" role="alert">${text}</p>`;

/** The words of an answer. */
export const Answer = ({ answer }) => html`<div class="answer" role="status">${answerLine(answer)}</div>`;

function answerLine(answer) {
  if (!answer) return null;
  if (answer === "waiting") return html`<p>${t("form.waiting")}</p>`;
  if (answer.status !== "ok") return html`<p class="trouble">✗ ${errorText(answer)}</p>`;
  const extra = answer.kept ? ` ${t("answer.kept")}` : answer.confirmed === false ? ` ${t("answer.unconfirmed")}` : "";
  return html`<p class=${answer.kept ? "kept" : "good"}>✓ ${t("answer.ok")}${extra} ${english(answer.warning)}</p>`;
}

/** Which roles may publish on a topic: null until the console has answered. */
export function useMay(topic) {
  const [may, set] = useKeyed(topic, page.link.may.get(topic) ?? null);
  useEffect(() => {
    if (topic) page.link.mayPublish(topic).then(set);
  }, [topic]);
  return may;
}

/** The topic of a request to a bridge. */
export const requestTo = (bridge, name) => `bridge/${bridge}/request/${name}`;

/** An answer in words, and whole. */
export const Outcome = ({ answer }) => html`<${Answer} answer=${answer} />${answer && answer !== "waiting" ? html`<details class="whole"><summary>${t("form.answer")}</summary>
    <pre tabindex="0">${json(answer, null, 1)}</pre></details>` : null}`;

/** A button for commands on a topic: locked with the reason if the user's roles do not allow them, and while `answer` is awaited. */
export function Command({ topic, answer, disabled, children, ...more }) {
  const may = useMay(topic);
  const locked = may !== null && !may.allowed;
  return html`<button type="button" ...${more} disabled=${disabled || locked || answer === "waiting"}
    title=${locked ? lockText(may) : more.title}>${locked ? html`<${Icon} name="lock" />` : null}${children}${
    locked ? html`<small>${lockText(may)}</small>` : null}</button>`;
}

/** Why a command is locked, or nothing. */
export const Locked = ({ may }) => (may !== null && !may.allowed ? html`<p class="quiet"><${Icon} name="lock" />${lockText(may)}</p>` : null);

const lockText = (may) => t("locked", { roles: may.roles.map((role) => known(`role.${role}`, role)).join(", ") });

let count = 0;

/** A control with its label. `children` is a function of the attributes that join them. */
export function Field({ label, hint, children }) {
  const id = useRef(null);
  id.current ??= `control-${++count}`;
  const described = hint?.length ? `${id.current}-hint` : null;
  return html`<div class="field"><label for=${id.current}>${label}</label>
    ${children({ id: id.current, "aria-describedby": described })}
    ${described ? html`<small id=${described}>${hint}</small>` : null}</div>`;
}

/** A select of values, or of pairs `[value, text]`. */
export function Select({ choices, value, onchange, ...more }) {
  return html`<select ...${more} value=${value ?? ""} onchange=${(event) => onchange(event.target.value)}>
    ${choices.map((choice) => [choice].flat()).map(([key, text = key]) => html`<option key=${key} value=${key} selected=${key === (value ?? "")}>${text}</option>`)}</select>`;
}

/** A select with its label: a text or its key. */
export const Choose = ({ label, ...more }) => html`<${Field} label=${t(label)}>${(joint) => html`<${Select} ...${joint} ...${more} />`}<//>`;

/** A slider with its label, its value in words, and the confirmed value if that may differ. */
export const Slider = ({ label, words, confirmed = words, onchange, ...more }) => html`<div class="cap"><${Field} label=${t(label)}>${(joint) =>
  html`<input ...${joint} ...${more} type="range" aria-valuetext=${words} onchange=${(event) => onchange?.(Number(event.target.value))} />`}<//><output>${confirmed}</output></div>`;

/** A line of text with its label. */
export const Text = ({ label, hint, onchange, ...more }) => html`<${Field} label=${t(label)} hint=${hint}>${(joint) =>
  html`<input ...${joint} ...${more} autocomplete=${more.type === "search" ? null : "off"} spellcheck=${false} oninput=${(event) => onchange(event.target.value)} />`}<//>`;

/** A button that copies text. */
export function CopyButton({ text }) {
  const [copied, set] = useState(null);
  return html`<button type="button" onclick=${async () => set(await copy(text) ? "copied" : "not_copied")}>${t(`form.${copied ?? "copy"}`)}</button>`;
}

/** A list with an entry more, or less if it was there. */
export const toggled = (list, entry) => (list.includes(entry) ? list.filter((one) => one !== entry) : [...list, entry]);

/** Pairs of a term and its value. */
export function Facts({ rows }) {
  return html`<dl>${rows.filter((row) => row && row[1] !== null && row[1] !== undefined && row[1] !== "").map(([name, value]) =>
    [html`<dt>${name}</dt>`, html`<dd>${value}</dd>`])}</dl>`;
}

/** What a list shows in the place of its rows: loading, disconnected, or empty; null if there are rows. */
export function Placeholder({ isEmpty, empty }) {
  if (!isEmpty) return null;
  const { state, cause } = page.store.freshness;
  const text = state === "live" ? t(empty) : state === "unknown" && cause === null ? t("loading") : t("disconnected");
  return html`<p class="quiet placeholder" data-state=${state}>${text}</p>`;
}

/** Shows a component outside the view until it calls `done`, whose value it gives. */
export function inDialog(Shown, more = {}) {
  const place = document.createElement("div");
  document.body.append(place);
  return new Promise((resolve) => {
    const done = (value) => {
      render(null, place);
      place.remove();
      resolve(value);
    };
    render(html`<${Shown} ...${more} done=${done} />`, place);
  });
}

/** Asks in a dialog. Gives the typed text, true where no text is asked, or null if it was cancelled. */
export const ask = (question) => inDialog(Question, question);

function Question({ title, text, yes = title, input = null, danger = false, done }) {
  const dialog = useRef(null);
  const field = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
    field.current?.focus();
  }, []);
  const end = () => done(dialog.current.returnValue !== "yes" ? null : field.current ? field.current.value : true);
  return html`<dialog ref=${dialog} aria-labelledby="question" onclose=${end}><form method="dialog">
    <h2 id="question">${title}</h2><p>${text}</p>
    ${input ? html`<${Field} label=${input.label}>${(joint) =>
    html`<input ...${joint} ref=${field} defaultValue=${input.value} value=${input.value} autocomplete="off" />`}<//>` : null}
    <div class="row"><button value="yes" class=${danger ? "danger" : "primary"}>${yes}</button><button value="no">${t("cancel")}</button></div>
  </form></dialog>`;
}

// In bytes: what a page may send in one message, less its envelope.
const messageLimit = 60_000;

/** A field for a file whose content a message contains. `take(value, name)` gets what `read` makes of its text. */
export function JSONFile({ label, accept, read = JSON.parse, take }) {
  const [problem, set] = useState("");
  const choose = async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    set("");
    if (!file) return;
    if (file.size > messageLimit) return set(t("file.large", { size: file.size, limit: messageLimit }));
    try { take(read(await file.text()), file.name); } catch (error) { set(t("file.invalid", { reason: error.message })); }
  };
  return html`<div><${Field} label=${t(label)}>${(joint) => html`<input ...${joint} type="file" accept=${accept} onchange=${choose} />`}<//>
    <${Alert} text=${problem} /></div>`;
}

/** Gives the user `text` as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copies text; over plain HTTP, where browsers offer no clipboard to pages, by a selection. */
export async function copy(text) {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* refused by the browser: the selection may still work */ }
  }
  const area = document.createElement("textarea");
  Object.assign(area, { className: "hidden-visually", readOnly: true, value: text });
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus();
  return done;
}

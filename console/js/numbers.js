// Plots of numbers over time, with a cursor for all of them.

import { parse } from "./messages.js";
import { csv, numbers } from "./payload.js";
import { Plot } from "./plot.js";
import { download, Field, html, page, Slider, useInterval, useMessages, useRedraw, useRef, useState } from "./ui.js";
import { number, t, within } from "./words.js";

const offered = 50; // names in the list: as many as a person looks through
// In ms: how often plots are drawn.
const pace = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 100;

const nameOf = (topic, path) => (path ? `${topic} · ${path}` : topic);

/** The numbers whose name has a text, of topics that start with `prefix`. */
function offers(prefix, text) {
  const found = [];
  for (const topic of page.store.topics()) {
    if (!topic.startsWith(prefix) || /^(bridge|homeassistant)\/|features$/.test(topic)) continue;
    for (const [path] of numbers(page.store.value(topic))) {
      if (nameOf(topic, path).includes(text)) found.push(nameOf(topic, path));
      if (found.length >= offered) return found;
    }
  }
  return found;
}

/** Plots of the last `seconds`. With a `prefix`, its numbers are kept before they are chosen, too. */
export function Numbers({ prefix = "", seconds }) {
  const [text, setText] = useState("");
  const [list, setList] = useState([]);
  const [chosen, choose] = useState([]);
  const [pausedAt, pause] = useState(0);
  const [cursor, setCursor] = useState(0); // s before the end
  const { current: kept } = useRef({});
  const now = pausedAt || Date.now();
  const take = (topic, value, at) => numbers(value).forEach(([path, one]) => {
    const name = nameOf(topic, path);
    if (!prefix && !chosen.includes(name)) return;
    const points = kept[name] ??= [];
    points.push([at, one]);
    while (points[1]?.[0] < at - seconds * 1000) points.shift();
  });
  const isPlotted = (topic) => (prefix ? topic.startsWith(prefix) : chosen.some((name) => name.split(" · ")[0] === topic));
  useMessages((topic, payload, at) => pausedAt || !isPlotted(topic) || take(topic, parse(payload), at));
  const redraw = useRedraw();
  useInterval(pace * seconds / 10, () => pausedAt || !chosen.length || redraw());
  const type = ({ target }) => {
    setText(target.value);
    setList(offers(prefix, target.value));
  };
  const add = ({ target: { value } }) => {
    if (!offers(prefix, value).includes(value)) return;
    choose([...chosen.filter((name) => name !== value), value]);
    const [topic, path = ""] = value.split(" · ");
    kept[value] ??= numbers(page.store.value(topic)).filter(([key]) => key === path).map(([, one]) => [Date.now(), one]);
    setText("");
  };
  const remove = (name) => {
    choose(chosen.filter((one) => one !== name));
    if (!prefix) delete kept[name];
  };
  const save = () => download("tactile-bridge.csv", "text/csv", csv(chosen.flatMap((name) => (kept[name] ?? []).map(([at, value]) =>
    ({ time: new Date(at).toISOString(), topic: name, kind: "number", payload: String(value) })))));
  return html`<${Field} label=${t("plot.number")} hint=${t("plot.hint")}>${(joint) => html`<input ...${joint} list="plot-numbers" value=${text}
      autocomplete="off" oninput=${type} onfocus=${type} onchange=${add} />`}<//>
    <datalist id="plot-numbers">${list.map((name) => html`<option key=${name} value=${name} />`)}</datalist>
    ${chosen.map((name) => html`<div class="row" key=${name}><${One} name=${name} points=${kept[name] ?? []} now=${now} seconds=${seconds}
      cursor=${cursor} setCursor=${setCursor} /><button aria-label=${t("gesture.remove", { name })} onclick=${() => remove(name)}>✕</button></div>`)}
    ${chosen.length ? html`<${Slider} label="plot.cursor" min=${-seconds} max="0" step="0.1" value=${cursor} words=${`${number(cursor, 1)} s`}
        oninput=${({ target }) => setCursor(Number(target.value))} />
      <div class="row"><button aria-pressed=${String(pausedAt > 0)} onclick=${() => pause(pausedAt ? 0 : Date.now())}>${t("log.pause")}</button>
        <button onclick=${save}>${t("log.csv")}</button></div>` : null}`;
}

/** One number, which keeps its value until the next message; the value at the cursor is in the legend. */
function One({ name, points, now, seconds, cursor, setCursor }) {
  const timed = points.map(([at, value]) => [(at - now) / 1000, value]);
  const shown = timed.filter((_, place) => !(timed[place + 1]?.[0] < -seconds)).map(([time, value]) => [Math.max(time, -seconds), value]);
  if (shown.length && page.store.isLive) shown.push([0, shown.at(-1)[1]]);
  const values = shown.map(([, value]) => value);
  const low = Math.min(...values, 0), high = Math.max(...values, low + 1);
  const found = shown.findLast(([time]) => time <= cursor);
  const drawing = { label: t("plot.label", { name, seconds, value: values.at(-1) ?? "–" }), from: -seconds, to: 0, low, high, series: [
    { name, steps: true, points: shown },
    { name: `${number(cursor, 1)} s: ${found ? number(found[1], 3) : "–"}`, points: [[cursor, low], [cursor, high]] }] };
  return html`<${Plot} drawing=${drawing} paint=${(x) => setCursor(within(seconds * (x - 1), -seconds, 0))} />`;
}

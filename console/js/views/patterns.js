// Patterns: the requested curve and what each device shows, playing, and drawing one.

import { bridges, devices, features, groups } from "../catalog.js";
import { json, pairs } from "../messages.js";
import { curve, events, patternFile } from "../pattern.js";
import { Plot } from "../plot.js";
import { Answer, Choose, Command, download, errorText, Field, html, isBase, JSONFile, page, Placeholder, quiet, requestTo, Slider, useAsk, useEffect, useState, useStore } from "../ui.js";
import { known, number, t, within } from "../words.js";

// Entries of the select that are no names of the bridge's patterns.
const drawn = "*drawn*", opened = "*opened*";

export function Patterns() {
  const store = useStore(isBase, 100);
  const hosts = bridges(store);
  const [wantedHost, setHost] = useState(null);
  const host = hosts.includes(wantedHost) ? wantedHost : hosts[0];
  const names = store.value(`bridge/${host}/patterns`) ?? [];
  const [wanted, setWanted] = useState(null);
  const [file, setFile] = useState(null);
  const pattern = wanted === drawn || wanted === opened || names.includes(wanted) ? wanted : names[0] ?? drawn;
  const [scale, setScale] = useState(1);
  const [repeat, setRepeat] = useState("1");
  const [rows, setRows] = useState([{ id: 1, ms: 200, strength: 100 }, { id: 2, ms: 200, strength: 0 }, { id: 3, ms: 400, strength: 50 }]);
  const [previewed, setPreviewed] = useState(rows);
  const [answer, play] = useAsk();
  const payload = (source) => ({ ...(pattern === drawn ? { events: events(source) } : pattern === opened ? { ahap: file.ahap } : { pattern }), scale, repeat: Number(repeat) || 1 });
  const able = devices(store).filter(({ name }) => features(store, name).some((feature) => feature.name === "haptic" && feature.set));
  const sets = groups(store).filter(({ members }) => members.some((name) => able.some((device) => device.name === name)));
  const targets = [...able.map(({ name }) => [name, name]), ...sets.map(({ name }) => [name, t("patterns.group", { name })])];
  const [wantedTarget, setTarget] = useState(null);
  const target = targets.some(([name]) => name === wantedTarget) ? wantedTarget : targets[0]?.[0];
  const topic = `${target}/haptic/set`;
  const preview = () => {
    setPreviewed(rows);
    setWanted(drawn);
  };
  const open = (ahap, name) => {
    setFile({ ahap, name });
    setWanted(opened);
  };
  return html`<tb-patterns><h1>${t("view.patterns")}</h1><section>
    <${Placeholder} isEmpty=${hosts.length === 0} empty="join.no_bridge" />
    <div class="fields"><${Choose} label="devices.bridge" value=${host} onchange=${setHost} choices=${hosts} />
      <${Choose} label="patterns.pattern" value=${pattern} onchange=${setWanted}
        choices=${[...names, [drawn, t("patterns.drawn")], ...(file ? [[opened, file.name]] : [])]} />
      <${Slider} label="patterns.scale" min="0.1" max="1" step="0.1" value=${scale} words=${`${number(scale * 100)} %`} onchange=${setScale} />
      <${Field} label=${t("patterns.repeat")}>${(joint) => html`<input ...${joint} type="number" min="1" max="100" value=${repeat}
        onchange=${(event) => setRepeat(event.target.value)} />`}<//>
      <${JSONFile} label="patterns.open" accept=".ahap" read=${readAHAP} take=${open} /></div>
    <div class="row end"><${Choose} label="patterns.target" value=${target} onchange=${setTarget} choices=${targets} />
      <${Command} topic=${target && topic} disabled=${!target} class="primary" onclick=${() => play(topic, payload(rows))}>${t("patterns.play")}<//>
      <${Command} topic=${target && topic} disabled=${!target} onclick=${() => play(topic, "stop")}>${t("patterns.end")}<//></div>
    <${Answer} answer=${answer} />
    <h2>${t("patterns.curves")}</h2><${Curves} host=${host} payload=${payload(previewed)} /></section>
  <section><h2>${t("patterns.draw")}</h2><p>${t("patterns.draw.text")}</p><${Editor} rows=${rows} change=${setRows} />
    <div class="row"><button onclick=${() => setRows([...rows, { id: Math.max(...rows.map(({ id }) => id)) + 1, ms: 200, strength: 50 }])}>${t("patterns.add")}</button>
      <button onclick=${preview}>${t("patterns.preview")}</button>
      <${Command} topic=${target && topic} disabled=${!target} onclick=${() => play(topic, { events: events(rows) })}>${t("patterns.play_drawn")}<//>
      <button onclick=${() => download("drawn.yaml", "application/yaml", patternFile(events(rows)))}>${t("patterns.download")}</button></div></section></tb-patterns>`;
}

/** Design tools write commas after last elements. */
const readAHAP = (text) => JSON.parse(text.replace(/,(?=\s*[\]}])/g, ""));

/** The curves of all families, as the bridge computes them. */
function Curves({ host, payload }) {
  const [response, set] = useState(null);
  const mark = json(payload);
  useEffect(() => {
    if (!host) return undefined;
    let isNewest = true;
    page.link.publish(requestTo(host, "pattern"), mark).then((found) => isNewest && set(found));
    return () => { isNewest = false; };
  }, [host, mark, page.store.freshness.state]);
  if (!response) return quiet("form.waiting");
  if (response.status !== "ok") return html`<p class="trouble">${errorText(response)}</p>`;
  const shown = pairs(response.shown ?? {});
  const strokes = (value) => value?.strokes ?? [];
  const end = Math.max(response.duration_s, 0.1, ...shown.flatMap(([, value]) => strokes(value).map((step) => step.time + step.duration)));
  const unable = shown.filter(([, value]) => !value).map(([family]) => family);
  return html`<div class="grid">${shown.map(([family, value]) => value && html`<article class="card" key=${family}><h3>${family}</h3>
    <${Plot} drawing=${{ label: t("patterns.label", { family, seconds: number(end, 2) }), from: 0, to: end, low: 0, high: 1, series: [
      { name: t("patterns.asked"), steps: true, points: curve(response.asked, end) },
      { name: t("patterns.shown"), steps: true, points: curve(strokes(value), end) }] }} /><${Lost} words=${value.degraded ?? []} /></article>`)}</div>
    ${unable.length ? quiet("patterns.cannot", { names: unable.join(", ") }) : null}`;
}

/** What a family does not produce of a pattern. */
const Lost = ({ words }) => (words.length ? html`<p>${t("patterns.degraded", { what: words.map((word) => known(`patterns.loss.${word}`, word)).join(", ") })}</p>`
  : html`<p class="good">${t("patterns.exact")}</p>`);

function Editor({ rows, change }) {
  const end = rows.reduce((sum, { ms }) => sum + ms, 0);
  const set = (id, name, value) => change(rows.map((row) => (row.id === id ? { ...row, [name]: value } : row)));
  /** The step under the pointer gets the strength at which the pointer is. */
  const paint = (x, y) => {
    let time = x * end;
    const row = rows.find(({ ms }) => (time -= ms) < 0) ?? rows.at(-1);
    set(row.id, "strength", within(Math.round(y * 20) * 5, 0, 100));
  };
  return html`<${Plot} paint=${paint} drawing=${{ label: t("patterns.drawing", { seconds: number(end / 1000, 2) }), from: 0, to: end / 1000, low: 0, high: 1,
    series: [{ name: t("patterns.drawn"), steps: true, points: curve(events(rows), end / 1000) }] }} />
    <div class="steps">${rows.map(({ id, ms, strength }, place) => {
    const name = (key) => t(`patterns.${key}`, { place: place + 1 });
    return html`<div class="row step" key=${id}><span>${place + 1}</span>
      <label><input type="number" min="10" max="5000" step="10" value=${ms} aria-label=${name("ms")} data-key=${`ms ${place}`}
        onchange=${(event) => set(id, "ms", within(Number(event.target.value), 10, 5000))} /> ms</label>
      <input type="range" min="0" max="100" step="5" value=${strength} aria-label=${name("strength")} data-key=${`strength ${place}`}
        oninput=${(event) => set(id, "strength", within(Number(event.target.value), 0, 100))} />
      <button aria-label=${name("remove")} disabled=${rows.length === 1} onclick=${() => change(rows.filter((row) => row.id !== id))}>✕</button></div>`;
  })}</div>`;
}

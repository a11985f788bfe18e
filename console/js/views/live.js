// Live: the commands of a device, the log of messages, the tree of topics, a plot of a number.

import { byName, commands, devices } from "../catalog.js";
import { CommandForm } from "../command-form.js";
import { LogView, useLog } from "../log.js";
import { parse } from "../messages.js";
import { numbers } from "../payload.js";
import { Plot } from "../plot.js";
import { Choose, Field, html, isBase, page, Placeholder, useInterval, useMessages, useRedraw, useRef, useState, useStore, useWatch } from "../ui.js";
import { t } from "../words.js";

const plotSeconds = 10, offered = 50;
// In ms: how often the plot and the tree are drawn.
const pace = { plot: matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 100, tree: 1000 };

export function Live({ part }) {
  const store = useStore(isBase, 250);
  useWatch("live", ["#"]);
  const all = devices(store).sort(byName);
  const [chosen, choose] = useState(part);
  const device = all.find(({ name, address }) => name === chosen || address === chosen) ?? all[0];
  const able = device ? commands(store, device.name) : [];
  const [name, setName] = useState(null);
  const feature = able.find((one) => one.name === name) ?? able[0];
  const log = useLog();
  return html`<tb-live><h1>${t("view.live")}</h1>
    <div class="columns"><section><h2>${t("bridges.commands")}</h2>
      <${Placeholder} store=${store} isEmpty=${all.length === 0} empty=${t("devices.none")} />
      <div class="fields"><${Choose} label=${t("view.device")} value=${device?.name} onchange=${choose}
        choices=${all.map((one) => one.name)} />
        <${Choose} label=${t("live.command")} value=${feature?.name} onchange=${setName}
        choices=${able.map((one) => one.name)} /></div>
      ${feature ? html`<${CommandForm} key=${feature.set.topic} feature=${feature} isAway=${!device.online} />` : null}</section>
    <section><h2>${t("log.title")}</h2><${LogView} log=${log} prefix=${device?.name ?? ""} /></section>
    <section><h2>${t("plot.title")}</h2><${NumberPlot} /></section>
    <section><h2>${t("tree.title")}</h2><${Tree} /></section></div></tb-live>`;
}

/** The numbers whose topic or path has a text, as `topic · path`; only as many as a person looks through. */
function offers(store, text) {
  const found = [];
  for (const topic of store.topics()) {
    if (/^(bridge|homeassistant)\/|features$/.test(topic)) continue;
    for (const [path] of numbers(store.value(topic))) {
      const name = path ? `${topic} · ${path}` : topic;
      if (name.includes(text)) found.push(name);
      if (found.length >= offered) return found;
    }
  }
  return found;
}

function NumberPlot() {
  const [wanted, setWanted] = useState("");
  const points = useRef([]);
  const redraw = useRedraw();
  const [topic, path = ""] = wanted.split(" · ");
  useMessages((name, payload, at) => {
    const found = name === topic && numbers(parse(payload)).find(([key]) => key === path);
    if (found) points.current.push([at, found[1]]);
  });
  useInterval(pace.plot, () => topic && redraw());
  const [list, setList] = useState([]);
  const change = ({ target }) => {
    points.current = [];
    setWanted(target.value);
    setList(offers(page.store, target.value));
  };
  const now = Date.now();
  points.current = points.current.filter(([at]) => at > now - plotSeconds * 1000);
  const shown = points.current.map(([at, value]) => [(at - now) / 1000, value]);
  const values = shown.map(([, value]) => value);
  const low = Math.min(...values, 0);
  const drawing = { label: t("plot.label", { name: wanted, value: values.at(-1) ?? "–" }), from: -plotSeconds, to: 0, low,
    high: Math.max(...values, low + 1), series: [{ name: wanted, points: shown }] };
  return html`<${Field} label=${t("plot.number")} hint=${t("plot.hint")}>${(joint) => html`<input ...${joint} list="plot-numbers" value=${wanted}
      autocomplete="off" oninput=${change} onfocus=${change} />`}<//>
    <datalist id="plot-numbers">${list.map((name) => html`<option key=${name} value=${name} />`)}</datalist>
    ${wanted ? html`<${Plot} drawing=${drawing} />` : null}`;
}

function Tree() {
  const store = useStore(() => true, pace.tree);
  const open = useRef(null);
  open.current ??= new Set(devices(store).map(({ name }) => name.split("/")[0]));
  const redraw = useRedraw();
  const toggle = (path, isOpen) => {
    if (open.current.has(path) === isOpen) return;
    if (isOpen) open.current.add(path);
    else open.current.delete(path);
    redraw();
  };
  return html`<div class="tree">${branch(root(store.topics()), "", open.current, toggle, store)}</div>`;
}

function root(topics) {
  const top = { children: new Map() };
  for (const topic of topics) {
    let node = top;
    for (const level of topic.split("/")) {
      if (!node.children.has(level)) node.children.set(level, { children: new Map() });
      node = node.children.get(level);
    }
    node.topic = topic;
  }
  return top;
}

/** The levels below a node; those of a closed one are not drawn. */
function branch(node, path, open, toggle, store) {
  return html`<ul>${[...node.children].map(([name, child]) => {
    const own = path ? `${path}/${name}` : name;
    const value = child.topic === undefined ? null : html` <code>${short(store.entry(child.topic)?.payload ?? "")}</code>`;
    if (!child.children.size) return html`<li key=${name}><span>${name}</span>${value}</li>`;
    return html`<li key=${name}><details open=${open.has(own)} ontoggle=${(event) => event.target === event.currentTarget && toggle(own, event.target.open)}>
      <summary>${name}${value}</summary>${open.has(own) ? branch(child, own, open, toggle, store) : null}</details></li>`;
  })}</ul>`;
}

const short = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

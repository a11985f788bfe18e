// Live: the commands of a device, the log of messages, the tree of topics, plots of numbers.

import { byName, commands, devices } from "../catalog.js";
import { CommandForm } from "../command-form.js";
import { LogView, useLog } from "../log.js";
import { Numbers } from "../numbers.js";
import { Choose, html, isBase, Placeholder, useRedraw, useRef, useState, useStore, useWatch } from "../ui.js";
import { t } from "../words.js";

const plotSeconds = 10;
const pace = 1000; // ms: how often the tree is drawn

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
      <${Placeholder} isEmpty=${all.length === 0} empty="devices.none" />
      <div class="fields"><${Choose} label="view.device" value=${device?.name} onchange=${choose}
        choices=${all.map((one) => one.name)} />
        <${Choose} label="live.command" value=${feature?.name} onchange=${setName}
        choices=${able.map((one) => one.name)} /></div>
      ${feature ? html`<${CommandForm} key=${feature.set.topic} feature=${feature} isAway=${!device.online} />` : null}</section>
    <section><h2>${t("log.title")}</h2><${LogView} log=${log} prefix=${device?.name ?? ""} /></section>
    <section><h2>${t("plot.title", { seconds: plotSeconds })}</h2><${Numbers} seconds=${plotSeconds} /></section>
    <section><h2>${t("tree.title")}</h2><${Tree} /></section></div></tb-live>`;
}

function Tree() {
  const store = useStore(() => true, pace);
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

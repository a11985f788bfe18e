// Devices: a card each with search, filters and order; the bridges below.

import { DeviceActions, DeviceFacts, DeviceState, Trouble } from "../card.js";
import { bridges, devices, lowBattery, shownState, troubleFirst } from "../catalog.js";
import { href } from "../router.js";
import { Facts, Field, html, isBase, Placeholder, Select, useRef, useState, useStore, useWatch } from "../ui.js";
import { clock, number, t } from "../words.js";

const filters = {
  all: () => true,
  away: (device) => shownState(device) !== "online",
  battery: lowBattery,
};

export function Devices() {
  const store = useStore((topic) => isBase(topic) || topic.endsWith("/stats"), 100);
  useWatch("devices-view", ["bridge/+/stats"]);
  const [text, setText] = useState("");
  const [filter, setFilter] = useState("all");
  const [, redraw] = useState(0);
  const order = useRef([]);
  const all = devices(store);
  // Rows keep their places until the user asks; a card that moves under the finger is pressed by mistake.
  const ranked = [...all].sort(troubleFirst).map(key);
  const isNew = order.current.length === 0 || !order.current.some((name) => ranked.includes(name));
  const kept = isNew ? ranked : [...order.current.filter((name) => ranked.includes(name)), ...ranked.filter((name) => !order.current.includes(name))];
  order.current = kept;
  const isSorted = JSON.stringify(kept) === JSON.stringify(ranked);
  const sort = () => {
    order.current = ranked;
    redraw((count) => count + 1);
  };
  const [family, bridge] = filter.split(":");
  const isWanted = (device) => {
    const words = [device.name, device.address, device.family, device.bridge].join(" ").toLowerCase();
    if (!words.includes(text.trim().toLowerCase())) return false;
    if (family === "family") return device.family === bridge;
    if (family === "host") return device.bridge === bridge;
    return filters[filter](device);
  };
  const found = all.filter(isWanted).sort((a, b) => kept.indexOf(key(a)) - kept.indexOf(key(b)));
  const names = (values) => [...new Set(values)].sort();
  return html`<tb-devices><div class="row title"><h1>${t("view.devices")}</h1>
      <a class="button primary" href=${href("add")}>${t("view.add")}</a></div>
    <div class="row end filters"><${Field} label=${t("devices.search")}>${(joint) =>
    html`<input ...${joint} type="search" value=${text} oninput=${(event) => setText(event.target.value)} />`}<//>
      <${Field} label=${t("devices.filter")}>${(joint) => html`<${Select} ...${joint} value=${filter} onchange=${setFilter} choices=${[
    ["all", t("devices.filter.all")], ["away", t("devices.filter.away")], ["battery", t("devices.filter.battery")],
    ...names(all.map((device) => device.family)).map((name) => [`family:${name}`, t("devices.filter.family", { name })]),
    ...names(all.map((device) => device.bridge)).map((name) => [`host:${name}`, t("devices.filter.host", { name })]),
  ]} />`}<//>
      <button onclick=${sort} disabled=${isSorted}>${t("devices.sort")}</button></div>
    <${Placeholder} store=${store} isEmpty=${all.length === 0} empty=${t("devices.none")} />
    ${all.length && !found.length ? html`<p class="quiet">${t("devices.no_match")}</p>` : null}
    <div class="grid list">${found.map((device) => html`<${Card} key=${key(device)} device=${device} />`)}</div>
    <section><h2>${t("bridges.title")}</h2><div class="grid">${bridges(store).map((name) =>
    html`<${Bridge} key=${name} name=${name} store=${store} />`)}</div></section></tb-devices>`;
}

const key = ({ name, address }) => `${address} ${name}`;

function Card({ device }) {
  return html`<article class=${`card ${device.online ? "" : "away"}`}>
    <h2><a href=${href("device", device.address)}>${device.name}</a></h2>
    <${DeviceState} device=${device} /><${Trouble} device=${device} /><${DeviceFacts} device=${device} />
    <details class="more"><summary>${t("devices.more")}</summary><${DeviceActions} device=${device} /></details></article>`;
}

function Bridge({ name, store }) {
  const info = store.value(`bridge/${name}/info`) ?? {};
  const stats = store.value(`bridge/${name}/stats`);
  const availability = store.value(`bridge/${name}/availability`);
  const state = store.freshness.state !== "live" ? "unknown" : availability === "online" ? "online" : "offline";
  const adapters = Array.isArray(info.adapters) ? info.adapters : [];
  return html`<article class="card"><h3>${name}</h3>
    <p class=${`state ${state === "online" ? "good" : "bad"}`} data-state=${state}><span aria-hidden="true">${
    { online: "● ", unknown: "? " }[state] ?? "○ "}</span>${t(`link.${state}`)}</p>
    <${Facts} rows=${[
    [t("bridges.version"), info.version && String(info.version)], [t("bridges.host"), info.host && String(info.host)],
    ["BlueZ", info.bluez && String(info.bluez)],
    [t("bridges.adapters"), adapters.map((adapter) => `${adapter?.name}${adapter?.powered ? "" : ` (${t("bridges.off")})`}`).join(", ")],
    [t("bridges.devices"), info.devices && t("bridges.of", info.devices)],
    [t("bridges.started"), info.started && clock(info.started)],
    [t("bridges.memory"), stats?.memory_bytes && `${number(stats.memory_bytes / 1e6)} MB`],
    [t("bridges.commands"), stats?.commands?.count && `${stats.commands.count}, p99 ${number(stats.commands.p99_ms, 1)} ms`],
    [t("bridges.messages"), stats?.mqtt && `${number(stats.mqtt.in)} / ${number(stats.mqtt.out)}`],
    [t("bridges.dropped"), stats?.mqtt?.dropped && number(Object.values(stats.mqtt.dropped).reduce((a, b) => a + b, 0))],
  ]} /></article>`;
}

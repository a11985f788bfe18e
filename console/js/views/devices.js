// Devices: cards or a table with search, filters, order, groups, and requests to several.

import { Bulk } from "../bulk.js";
import { charge, DeviceActions, DeviceFacts, DeviceState, signal, Trouble } from "../card.js";
import { devices, lowBattery, shownState, troubleFirst } from "../catalog.js";
import { json } from "../messages.js";
import { href } from "../router.js";
import { Choose, html, isBase, Placeholder, quiet, Text, toggled, useRedraw, useRef, useState, useStore } from "../ui.js";
import { ago, store as keep, stored, t } from "../words.js";

const filters = {
  all: () => true,
  away: (device) => shownState(device) !== "online",
  battery: lowBattery,
};

/** What devices are grouped by: `{name: (device, store) => group}`. */
const groupings = {
  none: () => "",
  bridge: ({ bridge }) => bridge,
  zone: ({ bridge }, store) => String(store.value(`bridge/${bridge}/info`)?.zone ?? ""),
};

/** One of some words that the browser keeps. */
function useKept(key, words) {
  const before = stored(key);
  const [value, set] = useState(words.includes(before) ? before : words[0]);
  return [value, (word) => {
    keep(key, word);
    set(word);
  }];
}

export function Devices() {
  const store = useStore(isBase, 100);
  const [layout, setLayout] = useKept("layout", ["cards", "table"]);
  const [grouping, group] = useKept("grouping", Object.keys(groupings));
  const [text, setText] = useState("");
  const [filter, setFilter] = useState("all");
  const redraw = useRedraw();
  const [selected, select] = useState([]);
  const order = useRef([]);
  const all = devices(store);
  // Rows keep their places until the user asks; a card that moves under the finger is pressed by mistake.
  const ranked = [...all].sort(troubleFirst).map(key);
  const kept = [...order.current.filter((name) => ranked.includes(name)), ...ranked.filter((name) => !order.current.includes(name))];
  order.current = kept;
  const isSorted = json(kept) === json(ranked);
  const sort = () => {
    order.current = ranked;
    redraw();
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
  const groupOf = (device) => groupings[grouping](device, store);
  const List = layout === "table" ? Table : Cards;
  const selection = { has: (device) => selected.includes(key(device)), toggle: (device) => select(toggled(selected, key(device))) };
  return html`<tb-devices><div class="row title"><h1>${t("view.devices")}</h1>
      <a class="button primary" href=${href("add")}>${t("view.add")}</a></div>
    <div class="row end filters"><${Text} label="devices.search" type="search" value=${text} onchange=${setText} />
      <${Choose} label="devices.filter" value=${filter} onchange=${setFilter} choices=${[
    ...Object.keys(filters).map((name) => [name, t(`devices.filter.${name}`)]),
    ...names(all.map((device) => device.family)).map((name) => [`family:${name}`, t("devices.filter.family", { name })]),
    ...names(all.map((device) => device.bridge)).map((name) => [`host:${name}`, t("devices.filter.host", { name })]),
  ]} />
      <${Choose} label="devices.layout" value=${layout} onchange=${setLayout} choices=${["cards", "table"].map((name) => [name, t(`devices.layout.${name}`)])} />
      <${Choose} label="devices.grouping" value=${grouping} onchange=${group} choices=${[["none", t("roster.any")], ["bridge", t("devices.bridge")], ["zone", t("fleet.zone")]]} />
      <button onclick=${sort} disabled=${isSorted}>${t("devices.sort")}</button>
      ${found.length > 1 ? html`<button onclick=${() => select(found.map(key))}>${t("bulk.all", { count: found.length })}</button>` : null}</div>
    <${Bulk} selected=${all.filter((device) => selected.includes(key(device)))} clear=${() => select([])} />
    <${Placeholder} isEmpty=${all.length === 0} empty="devices.none" />
    ${all.length && !found.length ? quiet("devices.no_match") : null}
    ${names(found.map(groupOf)).map((name) => html`<section key=${name}>${grouping === "none" ? null : html`<h2>${name || "–"}</h2>`}
      <${List} devices=${found.filter((device) => groupOf(device) === name)} selection=${selection} /></section>`)}</tb-devices>`;
}

const key = ({ name, address }) => `${address} ${name}`;

const Box = ({ device, selection }) => html`<label class="check select"><input type="checkbox" aria-label=${t("bulk.select", { device: device.name })}
  checked=${selection.has(device)} onchange=${() => selection.toggle(device)} /></label>`;

const Cards = ({ devices, selection }) => html`<div class="grid list">${devices.map((device) => html`<article key=${key(device)} class=${`card ${device.online ? "" : "away"}`}>
  <${Box} device=${device} selection=${selection} />
  <h2><a href=${href("device", device.address)}>${device.name}</a></h2>
  <${DeviceState} device=${device} />
  <details class="more"><summary>${t("devices.more")}</summary><${DeviceActions} device=${device} /></details>
  <${Trouble} device=${device} /><${DeviceFacts} device=${device} /></article>`)}</div>`;

const columns = ["view.device", "devices.state", "devices.battery", "devices.signal", "devices.bridge", "devices.last_seen"];

const Table = ({ devices, selection }) => html`<div class="table" tabindex="0" role="region" aria-label=${t("view.devices")}><table>
  <tr><td></td>${columns.map((name) => html`<th scope="col" key=${name}>${t(name)}</th>`)}</tr>${devices.map((device) => html`<tr key=${key(device)}>
    <td><${Box} device=${device} selection=${selection} /></td><th scope="row"><a href=${href("device", device.address)}>${device.name}</a></th>
    <td><${DeviceState} device=${device} /></td><td>${charge(device)}</td><td>${signal(device)}</td><td>${device.bridge}</td>
    <td>${device.lastSeen && ago(device.lastSeen)}</td></tr>`)}</table></div>`;

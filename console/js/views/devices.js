// Devices: a card each with search, filters, order, and requests to several.

import { Bulk } from "../bulk.js";
import { DeviceActions, DeviceFacts, DeviceState, Trouble } from "../card.js";
import { devices, lowBattery, shownState, troubleFirst } from "../catalog.js";
import { href } from "../router.js";
import { Choose, html, isBase, Placeholder, Text, toggled, useRedraw, useRef, useState, useStore } from "../ui.js";
import { t } from "../words.js";

const filters = {
  all: () => true,
  away: (device) => shownState(device) !== "online",
  battery: lowBattery,
};

export function Devices() {
  const store = useStore(isBase, 100);
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
  const isSorted = JSON.stringify(kept) === JSON.stringify(ranked);
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
  return html`<tb-devices><div class="row title"><h1>${t("view.devices")}</h1>
      <a class="button primary" href=${href("add")}>${t("view.add")}</a></div>
    <div class="row end filters"><${Text} label=${t("devices.search")} type="search" value=${text} onchange=${setText} />
      <${Choose} label=${t("devices.filter")} value=${filter} onchange=${setFilter} choices=${[
    ...Object.keys(filters).map((name) => [name, t(`devices.filter.${name}`)]),
    ...names(all.map((device) => device.family)).map((name) => [`family:${name}`, t("devices.filter.family", { name })]),
    ...names(all.map((device) => device.bridge)).map((name) => [`host:${name}`, t("devices.filter.host", { name })]),
  ]} />
      <button onclick=${sort} disabled=${isSorted}>${t("devices.sort")}</button>
      ${found.length > 1 ? html`<button onclick=${() => select(found.map(key))}>${t("bulk.all", { count: found.length })}</button>` : null}</div>
    ${selected.length ? html`<${Bulk} selected=${all.filter((device) => selected.includes(key(device)))} clear=${() => select([])} />` : null}
    <${Placeholder} store=${store} isEmpty=${all.length === 0} empty=${t("devices.none")} />
    ${all.length && !found.length ? html`<p class="quiet">${t("devices.no_match")}</p>` : null}
    <div class="grid list">${found.map((device) => html`<${Card} key=${key(device)} device=${device}
      isSelected=${selected.includes(key(device))} toggle=${() => select(toggled(selected, key(device)))} />`)}</div></tb-devices>`;
}

const key = ({ name, address }) => `${address} ${name}`;

function Card({ device, isSelected, toggle }) {
  return html`<article class=${`card ${device.online ? "" : "away"}`}>
    <label class="check select"><input type="checkbox" aria-label=${t("bulk.select", { device: device.name })} checked=${isSelected} onchange=${toggle} /></label>
    <h2><a href=${href("device", device.address)}>${device.name}</a></h2>
    <${DeviceState} device=${device} /><${Trouble} device=${device} /><${DeviceFacts} device=${device} />
    <details class="more"><summary>${t("devices.more")}</summary><${DeviceActions} device=${device} /></details></article>`;
}

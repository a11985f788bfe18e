// Fleet: a lane for each host with its devices and requests, contradictions of the roster, log lines.

import { Sign, State } from "../card.js";
import { bridges, devices, isBridgeOnline, shownState } from "../catalog.js";
import { check, preferring, roster } from "../fleet.js";
import { LogView, useLog } from "../log.js";
import { isList, json } from "../messages.js";
import { href } from "../router.js";
import { Answer, ask, Command, Facts, html, isBase, Placeholder, quiet, requestTo, useAsk, useState, useStore, useWatch } from "../ui.js";
import { clock, known, labelOf, number, t } from "../words.js";
import { Host, useRecordings } from "./host.js";
import { Roster } from "./roster.js";

// A device in one of these states has no link that a drain must close.
const linkless = ["disconnected", "searching", "error", undefined];

export function Fleet() {
  const store = useStore((topic) => isBase(topic) || topic.startsWith("roster/") || topic.endsWith("/stats"), 250);
  useWatch("fleet-view", ["roster/+", "bridge/+/stats", "bridge/+/log"]);
  const log = useLog((topic) => /^bridge\/[^/]+\/log$/.test(topic));
  useRecordings();
  const [open, setOpen] = useState(null);
  const names = bridges(store);
  const all = devices(store);
  const findings = check(store);
  return html`<tb-fleet><h1>${t("view.fleet")}</h1>
    <${Placeholder} isEmpty=${names.length === 0} empty="join.no_bridge" />
    <div class="lanes">${names.map((name) => html`<${Lane} key=${name} name=${name} store=${store} devices=${(store.value(`bridge/${name}/devices`) ?? []).map((one) => all.find((device) => device.name === one.name))}
      isOpen=${open === name} toggle=${() => setOpen(open === name ? null : name)} />`)}</div>
    <section><h2>${t("fleet.check")}</h2>${store.isLive && !findings.length ? html`<p class="good">✓ ${t("fleet.no_differences")}</p>` : null}
      <ul class="plain findings">${store.isLive ? findings.map((finding) => html`<li key=${json(finding)} class="card"><strong>${t(`fleet.found.${finding.key}`, finding)}</strong>
        <br />${t(`fleet.remedy.${finding.key}`, finding)}</li>`) : null}</ul></section>
    <${Roster} store=${store} />
    <section><h2>${t("fleet.log")}</h2>${quiet("fleet.log.text")}<${LogView} log=${log} /></section></tb-fleet>`;
}

function Lane({ name, store, devices: own, isOpen, toggle }) {
  const info = store.value(`bridge/${name}/info`) ?? {};
  const isOnline = isBridgeOnline(store, name);
  const isDraining = isOnline && info.draining === true;
  const state = !store.isLive ? "unknown" : !isOnline ? "offline" : isDraining ? "draining" : "online";
  const [answer, request] = useAsk();
  const { entries } = roster(store);
  /** A device that is dragged here prefers this bridge. */
  const drop = (event) => {
    event.preventDefault();
    const change = preferring(store, event.dataTransfer.getData("text/plain"), [name]);
    if (change) request(change.topic, change.message);
  };
  return html`<article class=${`card lane ${state === "online" ? "" : "away"}`} data-bridge=${name} ondragover=${(event) => event.preventDefault()} ondrop=${drop}><h2>${name}</h2>
    <${State} state=${state} text=${state === "draining" ? t("fleet.draining") : undefined} />
    <${Numbers} name=${name} info=${info} stats=${store.value(`bridge/${name}/stats`)} />
    <${Drain} name=${name} own=${own} isOnline=${isOnline} isDraining=${isDraining} />
    <ul class="chips">${own.map((device) => [device, device.isCurrent && device.bridge !== name ? null : shownState(device)]).map(([device, shown]) => html`<li key=${`${device.address} ${device.name}`}><a class="button" href=${href("device", device.address)}
        draggable=${entries.has(device.address)} ondragstart=${(event) => event.dataTransfer.setData("text/plain", device.address)}>
      <${Sign} state=${shown} />${device.name}
      <small>${shown ? known(`link.${shown}`, shown) : `${t("devices.bridge")}: ${device.bridge}`}</small>${entries.get(device.address)?.preferred.length
    ? html`<small>${t("roster.prefers", { names: entries.get(device.address).preferred.join(", ") })}</small>` : null}</a></li>`)}</ul><${Answer} answer=${answer} />
    ${own.length ? null : quiet("fleet.no_devices")}
    <button aria-expanded=${String(isOpen)} aria-label=${labelOf(t("fleet.host"), name)} onclick=${toggle}>${t("fleet.host")}</button>
    ${isOpen ? html`<${Host} name=${name} store=${store} />` : null}</article>`;
}

/** What the bridge reports of itself and its host. */
function Numbers({ name, info, stats }) {
  const adapters = isList(info.adapters) ? info.adapters : [];
  const dropped = stats?.mqtt?.dropped;
  return html`<${Facts} key=${name} rows=${[
    [t("bridges.host"), info.host && String(info.host)], [t("fleet.zone"), info.zone && String(info.zone)],
    [t("bridges.version"), info.version && String(info.version)], ["BlueZ", info.bluez && String(info.bluez)],
    [t("bridges.adapters"), adapters.map((adapter) => `${adapter?.name}${adapter?.powered ? "" : ` (${t("bridges.off")})`}`).join(", ")],
    [t("fleet.slots"), typeof info.slots === "number" ? number(info.slots) : null],
    [t("view.devices"), info.devices?.known === undefined ? null : t("bridges.of", info.devices)],
    [t("bridges.started"), info.started && clock(info.started)],
    [t("bridges.memory"), stats?.memory_bytes && `${number(stats.memory_bytes / 1e6)} MB`],
    [t("bridges.commands"), stats?.commands?.count && `${stats.commands.count}, p99 ${number(stats.commands.p99_ms, 1)} ms`],
    [t("bridges.messages"), stats?.mqtt && `${number(stats.mqtt.in)} / ${number(stats.mqtt.out)}`],
    [t("bridges.dropped"), dropped && number(Object.values(dropped).reduce((a, b) => a + b, 0))],
  ]} />`;
}

/** Drain with its progress: the links that are still to be closed. */
function Drain({ name, own, isOnline, isDraining }) {
  const [answer, request] = useAsk();
  const [total, setTotal] = useState(0);
  const topic = (word) => requestTo(name, word);
  const open = own.filter(({ connection }) => connection.bridge === name && !linkless.includes(connection.state)).length;
  const drain = async () => {
    const isSure = await ask({ title: t("fleet.drain"), text: t("fleet.drain.text", { bridge: name, count: open }), danger: true });
    if (!isSure) return;
    setTotal(open);
    request(topic("drain"), {});
  };
  const word = isDraining ? "undrain" : "drain";
  return html`<div class="row"><${Command} topic=${topic(word)} answer=${answer} disabled=${!isOnline} onclick=${isDraining ? () => request(topic("undrain"), {}) : drain}
      aria-label=${labelOf(t(`fleet.${word}`), name)}>${t(`fleet.${word}`)}<//>
      ${isDraining || answer === "waiting" ? total > 0 && html`<label class="progress"><progress max=${total} value=${total - Math.min(open, total)}></progress>
        ${t("fleet.links", { open: Math.min(open, total), total })}</label>` : null}</div><${Answer} answer=${answer} />`;
}

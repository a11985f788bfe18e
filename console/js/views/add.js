// Add a device: open a window of time, see what is in range, let a device join.

import { bridges, devices } from "../catalog.js";
import { isList } from "../messages.js";
import { Answer, ask, Choose, Command, html, page, Placeholder, quiet, requestTo, useAsk, useInterval, useMessages, useRedraw, useState, useStore } from "../ui.js";
import { known, number, t } from "../words.js";

const scanSeconds = 10;
const windows = [30, 60, 180, 600]; // seconds

/** What bridges have found, by bridge and address; it outlives the view. */
const found = new Map();
/** The answer of the newest request for each address; the time in ms until which the bridge lets it join. */
const joins = new Map();
/** Which devices joined in the newest window of a bridge, in words. */
const newcomers = new Map();

export function Add() {
  const store = useStore((topic) => topic.startsWith("bridge/"), 100);
  const draw = useRedraw();
  useInterval(1000, draw);
  useMessages((topic) => takeEvent(topic, draw));
  const names = bridges(store);
  const joined = devices(store).map(({ address }) => address);
  for (const [key, { address }] of found) {
    if (!joined.includes(address)) continue;
    found.delete(key);
    joins.delete(key);
  }
  return html`<tb-add><h1>${t("view.add")}</h1>
    <ol class="steps-list"><li><h2>${t("join.prepare")}</h2><p>${t("join.text")}</p>
      <ul>${["tap", "belt", "robot", "buzz"].map((family) => html`<li key=${family}><strong>${known(`view.${family}`, "Buzz")}</strong>: ${t(`join.prepare.${family}`)}</li>`)}</ul></li>
    <li><h2>${t("join.range")}</h2><${Placeholder} isEmpty=${names.length === 0} empty="join.no_bridge" />
      <div class="grid">${names.map((name) => html`<${Window} key=${name} name=${name} until=${store.value(`bridge/${name}/info`)?.permit_join_until} draw=${draw} />`)}</div></li>
    <li><h2>${t("join.found")}</h2>${found.size ? null : quiet("join.nothing")}
      <ul class="plain found">${[...found.values()].sort((a, b) => (b.rssi ?? -999) - (a.rssi ?? -999)).map((device) =>
    html`<${Candidate} key=${`${device.bridge} ${device.address}`} device=${device} draw=${draw} />`)}</ul></li></ol></tb-add>`;
}

/** Whether a family's devices reveal what their user types, as keyboards do. */
const typesText = (store, bridge, family) =>
  Object.values(store.value(`bridge/${bridge}/features/${family}`) ?? {}).some((feature) => feature.private === true);

function takeEvent(topic, draw) {
  const [root, bridge, last] = topic.split("/");
  if (root !== "bridge" || last !== "event") return;
  const event = page.store.value(topic);
  if (!event) return;
  if (event.event === "device_discovered" && event.address) {
    // The event has advice only for a device that joins by its address alone.
    found.set(`${bridge} ${event.address}`, { ...event, bridge, needsAddress: Boolean(event.advice) });
  }
  if (event.event === "permit_join_ended") {
    for (const key of joins.keys()) if (key.startsWith(`${bridge} `)) joins.delete(key);
    const names = (isList(event.devices) ? event.devices : []).map((one) => one?.device).join(", ");
    newcomers.set(bridge, names && t("event.device_joined", { device: names }));
    if (names) return page.announce(newcomers.get(bridge));
  }
  draw();
  if (known(`event.${event.event}`, null)) {
    page.announce(t(`event.${event.event}`, { device: event.device ?? event.name ?? event.address ?? "" }));
  }
}

function Window({ name, until, draw }) {
  const [seconds, setSeconds] = useState("60");
  const [answer, request] = useAsk();
  const [scan, search] = useAsk();
  const topic = requestTo(name, "permit_join");
  const left = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : 0;
  const permit = (time) => {
    newcomers.delete(name);
    request(topic, { seconds: time });
  };
  const look = async () => {
    const response = await search(requestTo(name, "scan"), { seconds: scanSeconds });
    for (const device of isList(response.devices) ? response.devices : []) {
      if (device.address && !device.device) found.set(`${name} ${device.address}`, { ...found.get(`${name} ${device.address}`), ...device, bridge: name });
    }
    draw();
  };
  return html`<div class="card"><h3>${name}</h3>
    <div class="row"><${Command} topic=${requestTo(name, "scan")} answer=${scan} onclick=${look}>${
    t(scan === "waiting" ? "join.scanning" : "join.scan", { seconds: scanSeconds })}<//></div>
    ${scan && scan !== "waiting" && scan.status !== "ok" ? html`<${Answer} answer=${scan} />` : null}
    <${Choose} label="join.seconds" value=${seconds} onchange=${setSeconds}
      choices=${windows.map((value) => [String(value), `${value} s`])} />
    <div class="row"><${Command} topic=${topic} class="primary" onclick=${() => permit(Number(seconds))}>${t("join.start", { bridge: name })}<//>
      ${left > 0 ? html`<${Command} topic=${topic} onclick=${() => permit(0)}>${t("join.end")}<//>` : null}</div>
    <p class="count">${left > 0 ? t("join.left", { seconds: left }) : newcomers.get(name)}</p>${answer?.status === "ok" ? null : html`<${Answer} answer=${answer} />`}</div>`;
}

function Candidate({ device, draw }) {
  const topic = requestTo(device.bridge, "permit_join");
  const key = `${device.bridge} ${device.address}`;
  const name = device.name ?? t("join.unnamed");
  const families = isList(device.families) ? device.families.map((one) => one?.family ?? one).filter((one) => typeof one === "string") : [device.family];
  /** A keyboard joins only after its address was typed: once paired it can type on the bridge's host. */
  const admit = async () => {
    const { address } = device;
    const isKeyboard = device.needsAddress || families.some((family) => typesText(page.store, device.bridge, family));
    const typed = await ask({ title: t("join.admit"), text: t(isKeyboard ? "join.keyboard" : "join.confirm", { name, address }), danger: isKeyboard,
      input: isKeyboard ? { label: t("join.type_address"), value: "" } : null });
    if (typed === null) return;
    if (isKeyboard && typed.trim().toUpperCase() !== address.toUpperCase()) {
      joins.set(key, { status: "error", code: "other_address" });
      return draw();
    }
    joins.set(key, "waiting");
    draw();
    const response = await page.link.publish(topic, { seconds: 60, address });
    joins.set(key, response.status === "ok" ? Date.now() + 60_000 : response);
    draw();
  };
  const join = joins.get(key) ?? null;
  const isJoining = join > Date.now();
  return html`<li class="card"><strong>${name}</strong> ${families.filter(Boolean).join(", ")} · ${device.address}${
    typeof device.rssi === "number" ? ` · ${number(device.rssi)} dBm` : ""} · ${t("devices.bridge")}: ${device.bridge}<br />
    <${Command} topic=${topic} disabled=${join === "waiting" || isJoining} onclick=${admit}>${t("join.admit")}<//>
    ${isJoining ? html`<p role="status">${t("join.joining")}</p>` : html`<${Answer} answer=${join > 0 ? null : join} />`}</li>`;
}

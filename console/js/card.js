// What every view shows of a device: its state, the reason and the advice, and the requests of its bridge.

import { Answer, ask, Command, Facts, html, quiet, requestTo, undoTime, useAsk, useUndo, wordsOr } from "./ui.js";
import { ago, clock, known, labelOf, number, t } from "./words.js";
import { lowBattery, shownState, trouble } from "./catalog.js";

/** The sign of a state. */
export const Sign = ({ state }) => html`<span aria-hidden="true">${{ online: "● ", unknown: "? " }[state] ?? "○ "}</span>`;

/** The state of a device or a bridge in words. */
export const State = ({ state, text = known(`link.${state}`, state) }) =>
  html`<p class=${`state ${state === "online" ? "good" : "bad"}`} data-state=${state}><${Sign} state=${state} />${text}</p>`;

/** The state of a device; while nothing confirms it, it is unknown. */
export const DeviceState = ({ device }) => html`<${State} state=${shownState(device)} />`;

/** Why a device is away and what to do about it. */
export function Trouble({ device }) {
  const found = trouble(device);
  if (!found) return null;
  const reason = found.reason && wordsOr(found.reasonKey, found.reason);
  const advice = wordsOr(found.adviceKey, found.advice); // `see_advice`, as a code of a newer bridge, has the bridge's words
  return [reason ? html`<p>${reason}</p>` : null,
    advice ? html`<p class="advice"><strong>${t("devices.do")} </strong>${advice}</p>` : null];
}

/** The charge of a device in words, if it is known. */
export const charge = (device) =>
  device.battery && `${number(device.battery.level ?? 0)} %${lowBattery(device) ? ` – ${t("devices.low")}` : ""}`;

export const signal = ({ connection: { rssi } }) => (typeof rssi === "number" ? `${rssi} dBm` : null);

/** The facts of a device, in a fixed order. */
export function DeviceFacts({ device, isWhole }) {
  const { connection, info } = device;
  const otherwise = isWhole ? t("devices.unreported") : null;
  return html`<${Facts} rows=${[
    [t("devices.battery"), charge(device) ?? otherwise],
    [t("devices.signal"), signal(device)],
    connection.since && [t("devices.since"), clock(connection.since)],
    !device.online && device.lastSeen && [t("devices.last_seen"), `${ago(device.lastSeen)} (${clock(device.lastSeen)})`],
    connection.next_attempt && [t("devices.next"), clock(connection.next_attempt)],
    [t("devices.bridge"), device.bridge],
    [t("devices.model"), [info.manufacturer, info.model].filter(Boolean).map(String).join(" ") || device.family],
    isWhole && ["Firmware", info.firmware ? String(info.firmware) : otherwise],
    [t("devices.address"), device.address],
  ]} />`;
}

/** The requests that a bridge takes for a device, with their answers. */
export function DeviceActions({ device }) {
  const [answer, request] = useAsk();
  const topic = (name) => requestTo(device.bridge, name);
  const send = (name, more = {}) => request(topic(name), { device: device.name, ...more });
  const rename = async () => {
    const to = await ask({ title: t("devices.rename"), text: t("devices.rename.text", { device: device.name }),
      input: { label: t("devices.rename.to"), value: device.name } });
    if (to && to !== device.name) send("rename", { to });
  };
  const [isLeaving, forget] = useUndo(() => send("forget"));
  const button = (name, act = () => send(name), word = name) => html`<${Command} key=${name} topic=${topic(name)} onclick=${act}
    answer=${answer} aria-label=${labelOf(t(`devices.${word}`), device.name)}>${t(`devices.${word}`)}<//>`;
  const { configured } = device.connection; // unknown before the message has arrived
  return html`<div class="row">${device.online ? button("disconnect") : button("connect")}${button("pair")}
      ${configured === false ? [button("rename", rename), button("forget", () => forget(true), isLeaving ? "undo" : "forget")] : null}</div>
    <p role="status">${isLeaving ? t("devices.forget.text", { device: device.name, seconds: undoTime }) : ""}</p>
    ${configured ? quiet("devices.configured") : null}
    <${Answer} answer=${answer} />`;
}

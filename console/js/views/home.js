// Home: up to eight devices as tiles that show what each does now.

import { DeviceState, Trouble } from "../card.js";
import { byName, devices, features, lowBattery, mainNumber } from "../catalog.js";
import { BeltDrawing, HandDrawing, RobotDrawing, Sparkline } from "../drawings.js";
import { href } from "../router.js";
import { Answer, Command, html, isBase, page, Placeholder, quiet, requestTo, useAsk, useMessages, useRef, useStore, useWatch } from "../ui.js";
import { labelOf, number, t } from "../words.js";
import { numbers } from "../payload.js";
import { isList, parse } from "../messages.js";

const limit = 8;
const history = { seconds: 60, points: 120 };

export function Home() {
  const store = useStore(isBase, 250);
  const all = devices(store).sort(byName);
  return html`<tb-home><div class="row title"><h1>${t("view.home")}</h1><a class="button" href=${href("add")}>${t("view.add")}</a></div>
    <${Placeholder} isEmpty=${all.length === 0} empty="devices.none" />
    <div class="tiles">${all.slice(0, limit).map((device) => html`<${Tile} key=${`${device.address} ${device.name}`} device=${device} />`)}</div>
    ${all.length > limit ? html`<a class="button" href=${href("devices")}>${t("home.all", { count: all.length })}</a>` : null}</tb-home>`;
}

const actions = { belt: "home.belt", robot: "home.robot", tap: "home.open", value: "home.open" };
const kinds = { vibration: "belt", tapped: "tap", drive: "robot" };

function Tile({ device }) {
  const able = features(page.store, device.name);
  const feature = able.find(({ name }) => kinds[name]);
  const kind = feature ? kinds[feature.name] : "value";
  const { battery } = device;
  return html`<article class=${`card tile ${device.online ? "" : "away"}`} data-kind=${kind}>
    <h2><a href=${href("device", device.address)}>${device.name}</a></h2>
    <${live[kind]} device=${device} able=${able} />
    <div class="row"><${DeviceState} device=${device} />${typeof battery?.level === "number"
    ? html`<span class=${lowBattery(device) ? "bad" : "quiet"}>${t("devices.battery")} ${number(battery.level)} %</span>` : null}</div>
    <${Action} device=${device} kind=${kind} able=${able} /><${Trouble} device=${device} /></article>`;
}

/** What most users do next with the device. */
function Action({ device, kind, able }) {
  const [answer, request] = useAsk();
  const topic = requestTo(device.bridge, "connect");
  if (device.isCurrent && !device.online) {
    return html`<${Command} class="primary" topic=${topic} answer=${answer} disabled=${!device.bridgeOnline} aria-label=${
      labelOf(t("devices.connect"), device.name)} onclick=${() => request(topic, { device: device.name })}>${
      t("devices.connect")}<//><${Answer} answer=${answer} />`;
  }
  const target = kind !== "value" ? href(kind, device.address) : href("device", device.address, able.some(({ set }) => set) ? "control" : "values");
  return html`<a class="button primary" href=${target} aria-label=${labelOf(t(actions[kind]), device.name)}>${t(actions[kind])}</a>`;
}

/** Draws again for messages on a device's topics, and subscribes to them. */
function useTopics(device, names) {
  const topics = names.map((name) => `${device.name}/${name}`);
  useWatch(`home ${device.name}`, topics);
  return useStore((topic) => topics.includes(topic), 100);
}

function BeltTile({ device }) {
  const store = useTopics(device, ["vibration"]);
  const { strengths } = store.value(`${device.name}/vibration`) ?? {};
  return html`<${BeltDrawing} strengths=${device.isCurrent && isList(strengths) ? strengths : []} />`;
}

function TapTile({ device }) {
  useTopics(device, ["tapped"]);
  return html`<${HandDrawing} device=${device.name} />`;
}

function RobotTile({ device }) {
  const store = useTopics(device, ["status"]);
  return html`<${RobotDrawing} status=${(device.isCurrent && store.value(`${device.name}/status`)) || {}} />`;
}

function ValueTile({ device, able }) {
  const reports = able.filter(({ kind, private: isPrivate, name }) => (kind === "state" || kind === "stream") && !isPrivate && name !== "battery");
  const store = useTopics(device, reports.map(({ name }) => name));
  const main = mainNumber(store, device.name, reports);
  const points = useRef([]);
  useMessages((topic, payload, at) => {
    if (topic !== main?.topic) return;
    const found = numbers(parse(payload)).find(([path]) => path === main.path);
    if (found) points.current.push([at, found[1]]);
    points.current = points.current.filter(([at]) => at > Date.now() - history.seconds * 1000).slice(-history.points);
  });
  if (!main) return quiet("home.no_value");
  return html`<p class="big value">${number(main.value, 1)}${main.unit ? ` ${main.unit}` : ""} <small>${main.name}</small></p><${Sparkline} points=${points.current} />`;
}

const live = { belt: BeltTile, tap: TapTile, robot: RobotTile, value: ValueTile };

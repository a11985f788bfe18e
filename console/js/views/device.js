// One device by its address: overview, commands, values, log.

import { DeviceActions, DeviceFacts, DeviceState, Trouble } from "../card.js";
import { devices, features } from "../catalog.js";
import { CommandForm } from "../command-form.js";
import { Invalid, LogView, useLog } from "../log.js";
import { json, pairs } from "../messages.js";
import { Numbers } from "../numbers.js";
import { href } from "../router.js";
import { Answer, Choose, Command, Facts, html, page, Placeholder, quiet, requestTo, useAsk, useState, useStore, useWatch } from "../ui.js";
import { clock, t } from "../words.js";

const tabs = ["overview", "control", "values", "log"];
const history = 300; // s

export function Device({ part: address, tab }) {
  const store = useStore(() => true, 100);
  const same = devices(store).filter((one) => one.address === address);
  const device = same.find(({ online }) => online) ?? same[0];
  useWatch("device-view", device ? [`${device.name}/#`] : []);
  const current = tabs.includes(tab) ? tab : "overview";
  const log = useLog((topic) => device && topic.startsWith(`${device.name}/`));
  if (!device) {
    return html`<tb-device><h1>${address}</h1><${Placeholder} isEmpty=${true} empty=${t("device.missing", { address })} /></tb-device>`;
  }
  const able = features(store, device.name).map(({ name }) => name);
  const own = pairs({ vibration: "belt", drive: "robot", tapped: "tap" }).filter(([name]) => able.includes(name));
  return html`<tb-device><h1>${device.name}</h1><${DeviceState} device=${device} />
    <div class="tabs" role="navigation" aria-label=${device.name}>${tabs.map((name) => html`<a key=${name} class="button"
      href=${href("device", address, name)} aria-current=${name === current ? "true" : null}>${t(`device.${name}`)}</a>`)}
      ${own.map(([, view]) => html`<a class="button" href=${href(view, address)}>${t(`view.${view}`)}</a>`)}</div>
    <h2>${t(`device.${current}`)}</h2>
    ${current === "overview" ? html`<section class="card"><${DeviceActions} key=${device.name} device=${device} />
      <${Trouble} device=${device} /><${DeviceFacts} device=${device} isWhole /></section>` : null}
    ${current === "control" ? html`<${Controls} device=${device} />` : null}
    ${current === "values" ? html`<${Values} device=${device} />` : null}
    <section hidden=${current !== "values"}><h2>${t("plot.title", { seconds: history })}</h2>
      <${Numbers} key=${device.name} prefix=${`${device.name}/`} seconds=${history} /></section>
    ${current === "log" ? html`<${LogView} log=${log} />` : null}</tb-device>`;
}

function Controls({ device }) {
  const able = features(page.store, device.name).filter((feature) => feature.set);
  return html`<div class="grid wide">${able.map((feature) => html`<section class="card" key=${feature.name}>
    <${CommandForm} feature=${feature} isAway=${!device.online} /></section>`)}</div>`;
}

function Values({ device }) {
  const { store } = page;
  const rows = store.topics(`${device.name}/#`).filter((topic) => !/\/(set|features|result)$/.test(topic)).map((topic) => {
    const problem = store.problem(topic);
    const text = store.entry(topic).payload;
    return [topic.slice(device.name.length + 1), problem ? html`<${Invalid} problem=${problem} />`
      : html`<code>${text.length > 300 ? `${text.slice(0, 300)}…` : text}</code>`];
  });
  return html`<section class="card"><${Facts} rows=${rows} />${rows.length ? null : quiet("device.no_values")}</section>
    <${LastReport} device=${device} streams=${features(store, device.name).filter(({ kind }) => kind === "stream").map(({ name }) => name)} />`;
}

/** The newest value of a stream, which the broker does not retain; the bridge has it also while the device is away. */
function LastReport({ device, streams }) {
  const [wanted, setWanted] = useState(null);
  const [answer, request] = useAsk();
  const feature = streams.includes(wanted) ? wanted : streams[0];
  const topic = requestTo(device.bridge, "last_report");
  if (!feature) return null;
  return html`<section class="card"><div class="row end"><${Choose} label="device.stream" value=${feature}
      onchange=${setWanted} choices=${streams} />
    <${Command} topic=${topic} answer=${answer} onclick=${() => request(topic, { device: device.name, feature })}>${t("device.last_report")}<//></div>
    ${answer?.status === "ok" ? html`<p role="status">${answer.published_at ? clock(answer.published_at) : t("device.no_report")} <code>${json(answer.value)}</code></p>`
    : html`<${Answer} answer=${answer} />`}</section>`;
}

// One request to many devices, a few at a time, with the outcome of each.

import { Answer, ask, html, Command, page, requestTo, undoTime, useRef, useState, useUndo } from "./ui.js";
import { t } from "./words.js";

const parallel = 8; // requests that wait for an answer at once

/** `selected` are the devices; `clear` ends the selection. */
export function Bulk({ selected, clear }) {
  const [answers, setAnswers] = useState([]);
  const turn = useRef(0);
  /** Sends `payload(target)` to `topic(target)` for each target; `label` names it. */
  const send = async (targets, label, topic, payload) => {
    const own = ++turn.current;
    const results = targets.map((target) => ({ name: label(target), answer: "waiting" }));
    const show = () => own === turn.current && setAnswers([...results]);
    show();
    let next = 0;
    const work = async () => {
      while (next < targets.length) {
        const place = next++;
        results[place] = { ...results[place], answer: await page.link.publish(topic(targets[place]), payload(targets[place])) };
        show();
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
  };
  const each = (name, targets = selected) => send(targets, (device) => device.name, (device) => requestTo(device.bridge, name), (device) => ({ device: device.name }));
  const joined = selected.filter(({ connection }) => connection.configured === false);
  const hosts = [...new Set(selected.map(({ bridge }) => bridge))];
  const [leaving, later] = useUndo((targets) => each("forget", targets));
  const loss = (targets) => t("bulk.forget", { count: targets.length, names: targets.map(({ name }) => name).join(", "), seconds: undoTime });
  const forget = async () => {
    if (leaving || await ask({ title: t("devices.forget"), danger: true, text: loss(joined) })) later(joined);
  };
  const drain = async () => {
    const isSure = await ask({ title: t("bulk.drain"), text: t("bulk.drain.text", { names: hosts.join(", ") }), yes: t("fleet.drain"), danger: true });
    if (isSure) send(hosts, (host) => host, (host) => requestTo(host, "drain"), () => ({}));
  };
  const isNone = selected.length === 0;
  const topic = (name) => (isNone ? null : requestTo(selected[0].bridge, name));
  const done = answers.filter(({ answer }) => answer !== "waiting").length;
  const end = () => {
    setAnswers([]);
    clear();
  };
  if (isNone && !leaving && !answers.length) return null;
  return html`<section class="card bulk" aria-label=${t("bulk.title")}><div class="row"><strong role="status">${t("bulk.count", { count: selected.length })}</strong>
      <${Command} topic=${topic("connect")} disabled=${isNone} onclick=${() => each("connect")}>${t("devices.connect")}<//>
      <${Command} topic=${topic("disconnect")} disabled=${isNone} onclick=${() => each("disconnect")}>${t("devices.disconnect")}<//>
      <${Command} topic=${topic("forget")} disabled=${!leaving && !joined.length} title=${joined.length ? null : t("devices.configured")} onclick=${forget}>${t(leaving ? "devices.undo" : "devices.forget")}<//>
      <${Command} topic=${topic("drain")} disabled=${isNone} onclick=${drain}>${t("bulk.drain")}<//><button onclick=${end}>${t("bulk.clear")}</button></div>
    <p role="status">${leaving && loss(leaving)}</p>
    ${answers.length ? html`<p role="status">${t("bulk.done", { done, count: answers.length })}</p>
      <ul class="plain">${answers.map(({ name, answer }) => html`<li key=${name}><strong>${name}</strong> <${Answer} answer=${answer} /></li>`)}</ul>` : null}</section>`;
}

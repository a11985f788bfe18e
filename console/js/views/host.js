// The requests to one bridge: health, configuration, backup, log level, recording, defaults.

import { isList, json, parse } from "../messages.js";
import { Answer, ask, Choose, Command, download, html, JSONFile, Outcome, quiet, requestTo, useAsk, useMessages, useState } from "../ui.js";
import { number, t } from "../words.js";

const levels = ["trace", "debug", "info", "notice", "warning", "error", "critical"];
const subsystems = ["commands", "links", "topics", "values", "bridge", "bluez", "mqtt", "guardian", "services"];
const inputModes = ["controller", "text", "controller_mouse_hid", "controller_full_hid", "raw"];
const xrStates = ["air_mouse", "tapping", "user_control"];
const recordSeconds = ["10", "60", "300", "3600"];

export const Host = ({ name }) => html`<div class="host">
    <${Request} name=${name} request="health_check" Result=${Health} />
    <${Request} name=${name} request="reload" />
    <${Backup} name=${name} />
    <${LogLevel} name=${name} /><${Record} name=${name} /><${Defaults} name=${name} /></div>`;

/** The part for one kind of request. */
const Part = ({ request, children }) => html`<section><h3>${t(`host.${request}`)}</h3>${quiet(`host.${request}.text`)}${children}</section>`;

function Request({ name, request, Result }) {
  const [answer, send] = useAsk();
  return html`<${Part} request=${request}>
    <${Command} topic=${requestTo(name, request)} answer=${answer} onclick=${() => send(requestTo(name, request), {})}>${t(`host.${request}`)}<//>
    ${Result && answer?.status === "ok" ? html`<${Result} answer=${answer} />` : null}<${Outcome} answer=${answer} /><//>`;
}

function Health({ answer }) {
  const problems = isList(answer.problems) ? answer.problems : [];
  return html`<div role="status">${problems.length ? html`<ul class="trouble" lang="en">${problems.map((text) => html`<li key=${text}>${String(text)}</li>`)}</ul>`
    : html`<p class="good">${t("host.healthy")}</p>`}</div>`;
}

function Backup({ name }) {
  const [answer, send] = useAsk();
  const [restored, restore] = useAsk();
  const file = `backup-${name}.json`;
  const save = async () => {
    const response = await send(requestTo(name, "backup"), {});
    if (response.status === "ok") download(file, "application/json", `${json(response.backup, null, 1)}\n`);
  };
  const choose = async (backup, chosen) => {
    const isSure = await ask({ title: t("host.restore"), text: t("host.restore.text", { bridge: name, file: chosen }) });
    if (isSure) restore(requestTo(name, "restore"), { backup });
  };
  return html`<${Part} request="backup">
    <div class="row end"><${Command} topic=${requestTo(name, "backup")} answer=${answer} onclick=${save}>${t("host.backup")}<//></div>
    ${answer?.status === "ok" ? html`<p class="good" role="status">${t("log.saved", { name: file })}</p>` : html`<${Answer} answer=${answer} />`}
    <${JSONFile} label="host.restore.file" accept=".json" take=${choose} /><${Outcome} answer=${restored} /><//>`;
}

function LogLevel({ name }) {
  const [answer, send] = useAsk();
  const [level, setLevel] = useState("info");
  const [subsystem, setSubsystem] = useState("");
  const set = () => send(requestTo(name, "log_level"), subsystem ? { level, subsystem } : { level });
  return html`<${Part} request="log_level">
    <div class="fields"><${Choose} label="host.level" value=${level} onchange=${setLevel} choices=${levels} />
      <${Choose} label="host.subsystem" value=${subsystem} onchange=${setSubsystem}
        choices=${[["", t("host.all_lines")], ...subsystems]} /></div>
    <${Command} topic=${requestTo(name, "log_level")} answer=${answer} onclick=${set}>${t("host.set")}<//><${Outcome} answer=${answer} /><//>`;
}

/** The files that bridges have recorded since the page was loaded, by path; `bytes` of one that has ended. */
const recordings = new Map();

/** Notes the recordings of all bridges while the view is shown. */
export const useRecordings = () => useMessages((topic, payload) => {
  const [, bridge] = topic.match(/^bridge\/([^/]+)\/event$/) ?? [];
  const event = bridge && parse(payload);
  if (event?.path) recordings.set(event.path, { ...event, bridge });
});

function Record({ name }) {
  const [answer, send] = useAsk();
  const [seconds, setSeconds] = useState("60");
  const topic = requestTo(name, "record");
  return html`<${Part} request="record">
    <${Choose} label="join.seconds" value=${seconds} onchange=${setSeconds} choices=${recordSeconds.map((value) => [value, `${value} s`])} />
    <div class="row"><${Command} topic=${topic} answer=${answer} onclick=${() => send(topic, { seconds: Number(seconds) })}>${t("host.record")}<//>
      <${Command} topic=${topic} answer=${answer} onclick=${() => send(topic, { seconds: 0 })}>${t("host.record.end")}<//></div>
    <ul class="plain">${[...recordings.values()].filter(({ bridge }) => bridge === name).map(({ path, bytes }) => html`<li key=${path}>${
    t("host.record.path", { path })}${bytes === undefined ? "" : ` (${number(bytes)} B)`}</li>`)}</ul><${Outcome} answer=${answer} /><//>`;
}

/** What newly connected TAPs get; an empty choice leaves it as it is. */
function Defaults({ name }) {
  const [answer, send] = useAsk();
  const [mode, setMode] = useState("");
  const [xr, setXR] = useState("");
  const [isImmediate, setImmediate] = useState(false);
  const value = (text) => (text === "null" ? null : text);
  const set = () => {
    const tap = { ...(mode && { default_input_mode: value(mode) }), ...(xr && { default_xr_state: value(xr) }) };
    send(requestTo(name, "defaults"), Object.keys(tap).length ? { tap, immediate: isImmediate } : {});
  };
  const choices = (words) => [["", t("host.unchanged")], ["null", t("host.of_configuration")], ...words];
  return html`<${Part} request="defaults">
    <div class="fields"><${Choose} label="default_input_mode" value=${mode} onchange=${setMode} choices=${choices(inputModes)} />
      <${Choose} label="default_xr_state" value=${xr} onchange=${setXR} choices=${choices(xrStates)} /></div>
    <label class="check"><input type="checkbox" checked=${isImmediate} onchange=${() => setImmediate(!isImmediate)} />${t("host.immediate")}</label>
    <div class="row"><${Command} topic=${requestTo(name, "defaults")} answer=${answer} onclick=${set}>${t("host.set")}<//></div><${Outcome} answer=${answer} /><//>`;
}

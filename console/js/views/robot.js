// Robot: a cockpit. Stick and turn for the thumbs, the stops between them, the switches and what the robot does.

import { features } from "../catalog.js";
import { useDeviceOf } from "../choosing.js";
import { Drive } from "../drive.js";
import { Alert, Answer, Command, errorText, Facts, Field, html, page, Placeholder, Slider, useAsk, useEffect, useEvent, useRedraw, useRef, useState } from "../ui.js";
import { known, number, store as keep, stored, t, within } from "../words.js";

const weaponPulse = 500; // ms for a press

export function Robot({ part }) {
  const cap = useRef(Number(stored("cap") ?? 40));
  const drive = useRef(null);
  drive.current ??= new Drive(page.link, () => cap.current / 100);
  const { store, device, isNone, ...choice } = useDeviceOf("robot", part, ({ name, set }) => name === "drive" && set, ["status"],
    { ended: () => drive.current.release() });
  drive.current.choose(device?.name ?? null);
  useEffect(() => () => drive.current.end(), []);
  return html`<tb-robot><h1>${device?.name ?? t("view.robot")}</h1>
    <${Placeholder} isEmpty=${isNone} empty="robot.none" />
    <${Cockpit} isHidden=${isNone} store=${store} device=${device} drive=${drive.current} cap=${cap} ...${choice} /></tb-robot>`;
}

function Cockpit({ isHidden, store, device, drive, cap, select, note }) {
  const [word, setWord] = useState("");
  const [trip, setTrip] = useState(null);
  const [answer, request] = useAsk();
  const powered = useRef(0);
  useEvent(drive, "change", useRedraw());
  useEvent(drive, "message", ({ detail }) => setWord(!detail ? "" : detail.key ? known(detail.key, detail.code) : errorText(detail)));
  useEvent(drive, "trip", ({ detail }) => setTrip(detail));
  const status = (device && store.value(`${device.name}/status`)) ?? {};
  const topic = (feature) => device && `${device.name}/${feature}/set`;
  const command = (feature, payload) => device && request(topic(feature), payload);
  /** Without a robot it stops everything: a stop is never refused. */
  const halt = () => {
    drive.release();
    page.stop.press(device?.name ?? null);
  };
  const emergency = () => {
    drive.release();
    command("emergency_stop", {});
  };
  /** A second press within a second was meant for the first word of the button. */
  const power = () => {
    if (Date.now() - powered.current < 1000) return;
    powered.current = Date.now();
    command("power", { power: !status.power });
  };
  const isStray = status.moving && !drive.isMine;
  const key = !store.isLive ? "unknown" : !device?.online ? "offline" : status.unconfirmed ? "unconfirmed" : status.emergency_stop ? "emergency"
    : !status.power ? "no_power" : isStray ? "stray" : status.moving ? "moving" : "ready";
  const able = new Set(device ? features(store, device.name).filter((feature) => feature.set).map((feature) => feature.name) : []);
  return html`<div hidden=${isHidden}>
    <${Alert} text=${note} />
    <p class=${`big ${key === "ready" || key === "moving" ? "good" : "bad"}`} role="status">${t(`robot.state.${key}`)}</p>
    <div class="cockpit"><${Sticks} drive=${drive} device=${device} halt=${halt} />
      <div class="stops"><button class="danger" onclick=${halt}>${t("robot.stop")}</button>
        <${Command} class="danger" topic=${topic("emergency_stop")} disabled=${!device} onclick=${emergency}>${t("robot.emergency")}<//>
        <${Command} topic=${topic("power")} disabled=${!device} onclick=${power}>${
    t(status.emergency_stop ? "robot.unlatch" : status.power ? "robot.power_off" : "robot.power_on")}<//></div></div>
    <p role="status">${word}</p><button hidden=${drive.holder === null} onclick=${() => drive.takeOver()}>${
    drive.holder === null ? "" : t("robot.take_over", { name: drive.holder || t("robot.other") })}</button>
    <${Answer} answer=${answer} />
    <div class="columns"><section><${Field} label=${t("view.robot")}>${select}<//><${Cap} cap=${cap} />
        <p class="quiet">${trip === null ? "" : t("robot.trip", { ms: number(trip, 1) })}</p>
        ${able.has("weapon") ? html`<${Switches} status=${status} device=${device} topic=${topic} command=${command} able=${able} />` : null}</section>
      <section><${Facts} rows=${[[t("robot.power"), t(status.power ? "yes" : "no")], [t("robot.latch"), t(status.emergency_stop ? "yes" : "no")],
    [t("robot.stopped_by"), status.stopped_by ? known(`stopped_by.${status.stopped_by}`, status.stopped_by) : "–"],
    [t("robot.blocked_by"), status.blocked_by && known(`blocked_by.${status.blocked_by}`, status.blocked_by)],
    [t("robot.speed"), `${number((status.speed ?? 0) * 100)} %, ${number(status.direction ?? 0)}°, ${t("robot.turning")} ${number((status.turn ?? 0) * 100)} %`]]} />
        <p id="robot-keys" class="quiet">${t("robot.keys")}</p><p class="quiet">${t("robot.turn")} ${t("robot.gamepad")}</p></section></div></div>`;
}

/** The pads keep their elements, since a press belongs to an element. */
function Sticks({ drive, device, halt }) {
  const pad = useRef(null), turn = useRef(null), newest = useRef(halt);
  newest.current = halt;
  useEffect(() => {
    drive.attachPad(pad.current, "stick");
    drive.attachPad(turn.current, "turn");
    drive.attachKeys(pad.current, () => newest.current());
  }, []);
  const { x, y, turn: rotation } = drive.knobs;
  useEffect(() => {
    const move = (element, right, down) => {
      element.style.setProperty("--x", within(right, -1, 1));
      element.style.setProperty("--y", within(down, -1, 1));
    };
    move(pad.current.firstChild, x, y);
    move(turn.current.firstChild, rotation, 0);
  });
  // A phone that sleeps would end the hold.
  useEffect(() => {
    if (!drive.isHeld || !navigator.wakeLock) return undefined;
    const lock = navigator.wakeLock.request("screen").catch(() => null);
    return () => lock.then((held) => held?.release());
  }, [drive.isHeld]);
  return html`<div ref=${pad} class=${`pad ${drive.isHeld ? "held" : ""}`} tabindex="0" role="application" aria-label=${t("robot.stick")}
      aria-describedby="robot-keys" aria-disabled=${String(!device)}><div class="knob"></div></div>
    <div ref=${turn} class="turn" aria-hidden="true"><div class="knob"></div></div>`;
}

function Cap({ cap }) {
  const [percent, set] = useState(cap.current);
  return html`<${Slider} label="robot.cap" min="10" max="100" step="5" value=${percent} words=${`${percent} %`} oninput=${({ target }) => {
    cap.current = Number(target.value);
    keep("cap", cap.current);
    set(cap.current);
  }} />`;
}

/** The weapon runs for a short time at each press; field orientation and its offset. */
function Switches({ status, topic, command, able }) {
  const [offset, setOffset] = useState(null);
  const now = status.field_offset;
  useEffect(() => setOffset(null), [now]);
  const shown = offset ?? (typeof now === "number" ? now : 0);
  const turn = (degrees) => {
    setOffset(degrees);
    command("field_offset", { field_offset: degrees });
  };
  return html`<div class="row"><${Command} class="danger" topic=${topic("weapon")}
      onclick=${() => command("weapon", { weapon: true, duration_ms: weaponPulse })}>${t("robot.weapon", { ms: weaponPulse })}<//>
      <${Command} topic=${topic("weapon")} onclick=${() => command("weapon", { weapon: false })}>${t("robot.weapon_off")}<//>
      <span>${t(status.weapon ? "robot.weapon_runs" : "robot.weapon_rests")}</span></div>
    ${able.has("field_orientation") ? html`<div class="row"><${Command} topic=${topic("field_orientation")} aria-pressed=${String(Boolean(status.field_orientation))}
      onclick=${() => command("field_orientation", { field_orientation: !status.field_orientation })}>${t("robot.field")}<//>
      <span class="quiet">${t(status.field_orientation ? "robot.field_on" : "robot.field_off")}</span></div>` : null}
    ${able.has("field_offset") ? html`<${Slider} label="robot.offset" min="-180" max="180" step="5" value=${shown} words=${`${number(shown)}°`} onchange=${turn} />
      <${Command} topic=${topic("field_offset")} onclick=${() => turn(0)}>${t("robot.offset_reset")}<//>` : null}`;
}

// Belt: the ring with its motors as commanded, the heading, and a direction in which it leads.

import { features } from "../catalog.js";
import { useDeviceOf } from "../choosing.js";
import { angleOf, directionName, fromRing, keyed, motorAt, motors, onRing, around } from "../compass.js";
import { DeviceState } from "../card.js";
import { isList, json } from "../messages.js";
import { Alert, Answer, ask, Choose, Command, Facts, Field, html, Placeholder, quiet, Slider, useAsk, useEffect, useRedraw, useRef, useState } from "../ui.js";
import { known, number, t } from "../words.js";

const radius = 118;
const place = (angle, far) => [Math.sin((angle * Math.PI) / 180) * far, -Math.cos((angle * Math.PI) / 180) * far];
const watched = ["vibration", "orientation", "navigation", "mode", "intensity"];
const quarters = [0, 90, 180, 270];
const pause = 100; // ms between two directions of a drag
const settleTime = 1000; // ms in which messages from before a command may arrive

export function Belt({ part }) {
  const { store, device, isNone, ...choice } = useDeviceOf("belt", part, ({ name }) => name === "vibration", watched);
  return html`<tb-belt><h1>${t("view.belt")}</h1><${Placeholder} isEmpty=${isNone} empty="belt.none" />
    ${isNone ? null : html`<${Panel} key=${`${device?.address} ${device?.name}`} store=${store} device=${device} ...${choice} />`}</tb-belt>`;
}

function Panel({ store, device, select, note }) {
  const value = (feature) => device && store.value(`${device.name}/${feature}`);
  const navigation = value("navigation") ?? {};
  const heading = value("orientation")?.heading;
  const [reference, setReference] = useState("belt");
  const [error, setError] = useState("");
  const [answer, request] = useAsk();
  const { current } = useRef({ asked: 0, isDragging: false, timer: 0, sent: 0, settling: 0, followed: "", picked: null });
  const redraw = useRedraw();
  // Keys may follow each other faster than the view is drawn.
  const setAsked = (direction) => {
    current.asked = direction;
    redraw();
  };
  const { asked } = current;
  useEffect(() => () => {
    clearTimeout(current.timer);
    clearTimeout(current.settling);
  }, []);
  useFollow(current, device, navigation, setAsked, setReference);
  const topic = (feature) => `${device?.name}/${feature}/set`;
  const send = (feature, payload) => device && request(topic(feature), payload);
  const lead = (direction = asked) => {
    current.sent = Date.now();
    clearTimeout(current.settling);
    current.settling = setTimeout(() => {
      current.settling = 0;
      redraw();
    }, settleTime);
    return send("navigation", { direction, reference, state: "navigating" });
  };
  /** Leads at most ten times a second; the last direction is always sent. */
  const turnTo = (direction) => {
    setAsked(direction);
    current.next = () => lead(direction);
    current.timer ||= setTimeout(() => {
      current.timer = 0;
      current.next();
    }, Math.max(0, current.sent + pause - Date.now()));
  };
  const dial = { current, device, reference, heading, turnTo, fail: () => setError(t("belt.no_heading")) };
  const angle = onRing(asked, reference, heading);
  const words = t("belt.words", { direction: t(directionName(asked, reference === "magnetic")), degrees: number(asked, 1),
    motor: angle === null ? "–" : motorAt(angle) });
  const press = (event) => {
    const direction = keyed(event.key, current.asked);
    if (direction === null || !device || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    turnTo(direction);
  };
  const pick = (word) => {
    current.picked = word;
    setReference(word);
  };
  const button = (word, label) => html`<${Command} topic=${device && topic("navigation")} disabled=${!device} onclick=${() => send("navigation", word)}>${label}<//>`;
  return html`<div class="columns"><section><${Alert} text=${note} />${device ? html`<${DeviceState} device=${device} />` : null}
      <div class="dial" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax="360" aria-valuenow=${asked} aria-valuetext=${words}
        aria-label=${t("belt.direction")} aria-disabled=${String(!device)} onkeydown=${press}>
        <${Ring} dial=${dial} angle=${angle} leads=${navigation.state === "navigating" && device?.online && store.isLive}
          strengths=${strengths(value("vibration"))} /></div>
      <p class="big">${words}</p><${Choose} label="belt.reference" value=${reference} onchange=${pick} choices=${[["magnetic", t("belt.magnetic")], ["belt", t("belt.own")]]} />
      <div class="row">${quarters.map((exact) => html`<${Command} topic=${device && topic("navigation")} disabled=${!device} onclick=${() => turnTo(exact)}>${
    t(directionName(exact, reference === "magnetic"))}<//>`)}</div>${quiet("belt.lead")}</section>
    <section><${Field} label=${t("view.belt")}>${select}<//>
      <div class="row"><${Command} class="primary" topic=${device && topic("navigation")} disabled=${!device} onclick=${() => lead()}>${t("belt.go")}<//>
        ${button("pause", t("log.pause"))}${button("stop", t("belt.stop"))}</div>
      <p class="trouble" role="status">${error}</p>
      <${Intensity} value=${value("intensity")} send=${(percent) => send("intensity", percent)} />
      <${MotorTest} device=${device} send=${(payload) => send("vibrate", payload)} />
      <${Mode} store=${store} device=${device} value=${value("mode")} send=${(payload) => send("mode", payload)} />
      <${State} store=${store} device=${device} navigation=${navigation} heading=${heading} vibration=${value("vibration")} /><${Answer} answer=${answer} /></section></div>`;
}

/** Takes the direction of the belt's messages, each once: what the user has chosen since then stays. */
function useFollow(current, device, navigation, setAsked, setReference) {
  const mark = json([device?.name, navigation]);
  useEffect(() => {
    if (mark === current.followed || current.isDragging || current.timer) return;
    if (current.settling && navigation.direction !== current.asked) return;
    current.followed = mark;
    if (navigation.state !== "navigating" || typeof navigation.direction !== "number") return;
    setAsked(navigation.direction);
    // A message from before the choice may still arrive: the choice stays until the belt follows it.
    if (navigation.reference === current.picked) current.picked = null;
    else if (current.picked === null) setReference(navigation.reference);
  });
}

const strengths = (vibration) => (isList(vibration?.strengths) ? vibration.strengths : []);

function Ring({ dial, angle, leads, strengths: strong }) {
  const ring = useRef(null);
  const { current, device, reference, heading } = dial;
  const drag = (event) => {
    const box = ring.current.getBoundingClientRect();
    const to = angleOf(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    if (reference === "magnetic" && typeof heading !== "number") return dial.fail();
    dial.turnTo(Math.round(fromRing(to, reference, heading)) % 360);
  };
  // The handle and the band take a drag; a swipe from elsewhere scrolls the page.
  const grab = (event) => {
    if (event.button !== 0 || !device) return;
    current.isDragging = true;
    ring.current.setPointerCapture(event.pointerId);
    drag(event);
  };
  const end = () => { current.isDragging = false; };
  // Chromium scrolls in spite of the touch-action of a part of a drawing.
  const hold = (event) => current.isDragging && event.preventDefault();
  return html`<svg ref=${ring} viewBox="-150 -150 300 300" class="ring" aria-hidden="true" onpointermove=${(event) => current.isDragging && drag(event)}
      onpointerup=${end} onpointercancel=${end} ontouchmove=${hold}>
    <ellipse class="body" rx="62" ry="40" /><circle class="body" r="24" cy="-6" /><path class="body" d="M-6 -28 L6 -28 L0 -36 Z" />
    <circle class="band" r=${radius} onpointerdown=${grab} /><path class="front" d="M-7 -146 L7 -146 L0 -134 Z" />
    ${Array.from({ length: motors }, (_, motor) => {
    const [x, y] = place(motor * 22.5, radius);
    const [labelX, labelY] = place(motor * 22.5, radius + 23);
    const strength = Number(strong[motor]) || 0;
    return html`<g key=${motor} onpointerdown=${grab}><circle cx=${x} cy=${y} r="9" class=${`motor ${strength > 0 ? "on" : ""}`} />
      <circle cx=${x} cy=${y} r=${strength ? 4 + (strength / 100) * 8 : 0} class="core" /><text x=${motor ? labelX : 18} y=${labelY + 4}>${motor}</text></g>`;
  })}
    <g class="north" hidden=${typeof heading !== "number"} transform=${`rotate(${around(-(heading ?? 0))})`}><path d="M0 -84 L8 -40 L-8 -40 Z" />
      <path d="M0 84 L5 40 L-5 40 Z" class="south" />${quarters.map((angle) =>
    html`<text y="-88" transform=${`rotate(${angle})`}>${t(directionName(angle, true))[0].toUpperCase()}</text>`)}</g>
    <g class=${`target ${leads ? "live" : ""}`} hidden=${angle === null} transform=${`rotate(${angle ?? 0})`}><line y1="-44" y2="-100" />
      <circle cy="-100" r="14" onpointerdown=${grab} /></g></svg>`;
}

function Intensity({ value, send }) {
  const [own, setOwn] = useState(null);
  useEffect(() => setOwn(null), [value]);
  const shown = own ?? value ?? 5;
  return html`<${Slider} label="belt.intensity" min="5" max="100" step="5" value=${shown} words=${`${shown} %`}
    confirmed=${value === undefined ? "–" : `${number(Number(value))} %`} onchange=${(percent) => {
    setOwn(percent);
    send(percent);
  }} />`;
}

/** Vibrates on one motor, for the half second that every mode of the belt allows. */
function MotorTest({ device, send }) {
  const [motor, choose] = useState("0");
  return html`<div class="row end"><${Choose} label="belt.motor" value=${motor} onchange=${choose} choices=${Array.from({ length: motors }, (_, place) => `${place}`)} />
    <${Command} topic=${device && `${device.name}/vibrate/set`} disabled=${!device?.online}
      onclick=${() => send({ channel: 0, motor: Number(motor), iterations: 1 })}>${t("belt.test")}<//></div>`;
}

function Mode({ store, device, value, send }) {
  const words = device ? features(store, device.name).find(({ name }) => name === "mode")?.set?.fields?.mode?.values ?? [] : [];
  const [own, setOwn] = useState(null);
  // A choice stays until the belt follows it.
  useEffect(() => setOwn((newest) => (newest === value ? null : newest)), [own, value]);
  const mode = own ?? value ?? words[0];
  const set = async () => {
    if (mode !== "standby" && mode !== "calibration") return send({ mode });
    const isSure = await ask({ title: t(`mode.${mode}`), text: t(`belt.confirm.${mode}`), yes: t("belt.set_mode"), danger: true });
    return isSure ? send({ mode, confirm: true }) : setOwn(null);
  };
  return html`<div class="row end"><${Choose} label="belt.mode" value=${mode} onchange=${setOwn}
    choices=${words.map((word) => [word, known(`mode.${word}`, word)])} /><output>${value ? known(`mode.${value}`, value) : "–"}</output>
    <${Command} topic=${device && `${device.name}/mode/set`} disabled=${!device} onclick=${set}>${t("belt.set_mode")}<//></div>`;
}

/** What the belt does, next to whether that is certain. */
function State({ store, device, navigation, heading, vibration }) {
  const isCertain = device?.online && store.isLive;
  const active = strengths(vibration).map((strength, motor) => [motor, strength]).filter(([, strength]) => strength > 0);
  const does = t(`belt.state.${navigation.state ?? "unknown"}`);
  return html`<${Facts} rows=${[
    [t("belt.state"), isCertain ? does : t("belt.last", { state: does })],
    [t("belt.confirmed"), typeof navigation.direction === "number" && navigation.state === "navigating"
      ? `${number(navigation.direction, 1)}° (${t(navigation.reference === "magnetic" ? "belt.magnetic" : "belt.own")})` : "–"],
    [t("belt.heading"), typeof heading === "number" ? `${number(heading)}°` : "–"],
    [t("belt.motors"), active.map(([motor, strength]) => `${motor} (${strength} %)`).join(", ") || t("roster.any")],
    [t("belt.channels"), (isList(vibration?.channels) ? vibration.channels : []).map(({ channel, source, pattern }) =>
      `${channel}: ${source}, ${pattern ?? "?"}`).join("; ") || "–"]]} />`;
}

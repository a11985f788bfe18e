// TAP: the hand with what it taps, the mode, gestures, motion, and vibration.

import { DeviceState, Trouble } from "../card.js";
import { features } from "../catalog.js";
import { useDeviceOf } from "../choosing.js";
import { CommandForm } from "../command-form.js";
import { HandDrawing } from "../drawings.js";
import { Icon } from "../icons.js";
import { isList, pairs, read } from "../messages.js";
import { href } from "../router.js";
import { keyOf, typed } from "../tap-keys.js";
import { Alert, Answer, Choose, Command, Facts, Field, html, page, Placeholder, quiet, useAsk, useMessages, useRedraw, useRef, useState } from "../ui.js";
import { clock, known, number, t, within } from "../words.js";
import { Gestures } from "./gestures.js";

const watched = ["tapped", "keyboard", "gesture", "air_gesture", "air_mouse", "hand", "pointer", "moused", "input_mode", "xr_state", "sensing", "sensitivity",
  "standby", "haptic", "device_name", "action", "action_layer"];
const settings = ["input_mode", "xr_state", "standby", "sensing", "sensitivity", "device_name"];
const limits = { taps: 12, gestures: 6, text: 200, path: 60 };
const pad = { width: 240, height: 140, scale: 0.5 }; // the unit of the velocity is unknown

export function Tap({ part }) {
  const { store, device, isNone, select, note } = useDeviceOf("tap", part, ({ name }) => name === "tapped", watched, { interval: 100 });
  return html`<tb-tap><h1>${t("view.tap")}</h1><${Placeholder} isEmpty=${isNone} empty="tap.none" />
    ${isNone ? null : html`<${Alert} text=${note} /><${Field} label=${t("view.tap")}>${select}<//>`}
    ${device ? html`<${Panel} key=${`${device.address} ${device.name}`} store=${store} device=${device} />` : null}</tb-tap>`;
}

function Panel({ store, device }) {
  const own = features(store, device.name);
  const { taps, text, gestures, path, clear } = useHand(device.name);
  const value = (feature) => store.value(`${device.name}/${feature}`);
  const mayTypist = page.link.hello?.roles.includes("typist");
  const last = taps[0];
  return html`<${DeviceState} device=${device} /><${Trouble} device=${device} />
    <div class="columns"><section><h2>${t("tap.hand")}</h2><${HandDrawing} device=${device.name} />
      ${mayTypist ? null : html`<p class="quiet"><${Icon} name="lock" />${t("tap.typist", { role: t("role.typist") })}</p>`}
      <p class="big">${last ? words(last) : t("tap.nothing")}</p>
      <p class="typed" aria-label=${t("tap.text")}>${text}</p>${quiet("tap.map")}
      <ol class="plain taps" aria-label=${t("tap.last")}>${taps.map((tap) => html`<li key=${tap.id}><time>${clock(tap.at)}</time> ${words(tap)}${
    tap.repeat > 1 ? ` ×${tap.repeat}` : ""}</li>`)}</ol>
      <button onclick=${clear}>${t("log.clear")}</button></section>
    <section><h2>${t("tap.gestures")}</h2><${Facts} rows=${[[t("tap.posture"), value("hand")],
    [t("tap.air_mouse"), typeof value("air_mouse") === "boolean" ? t(value("air_mouse") ? "yes" : "no") : null],
    [t("tap.layer"), plain(value("action_layer"))], [t("tap.action"), plain(value("action")?.action)]]} />
      <ol class="plain taps">${gestures.map(({ id, at, word }) => html`<li key=${id}><time>${clock(at)}</time> ${word}</li>`)}</ol>
      ${gestures.length ? null : quiet("tap.no_gesture")}
      <h2>${t("tap.motion")}</h2><svg class="mouse-pad" viewBox=${`0 0 ${pad.width} ${pad.height}`} role="img" aria-label=${t("tap.motion")}>
        <polyline points=${path.map(([x, y]) => `${x},${y}`).join(" ")} /><circle cx=${path.at(-1)[0]} cy=${path.at(-1)[1]} r="7" /></svg>
      <a class="button" href=${href("live", device.address)}>${t("tap.raw")}</a></section>
    <${Gestures} device=${device} layer=${value("action_layer")} />
    <section><h2>${t("tap.vibration")}</h2><${Vibration} store=${store} device=${device} own=${own} playing=${value("haptic")?.playing} /></section>
    <section><h2>${t("tap.settings")}</h2><${Facts} rows=${settings.map((name) => [t(`tap.set.${name}`), plain(value(name))])} />
      ${settings.map((name) => own.find((feature) => feature.name === name && feature.set)).filter(Boolean).map((feature) =>
    html`<details key=${feature.name}><summary>${t(`tap.set.${feature.name}`)}</summary>
          <${CommandForm} feature=${feature} isAway=${!device.online} /></details>`)}</section></div>`;
}

const plain = (value) => (value === undefined || value === null ? null : typeof value === "object"
  ? pairs(value).map(([key, one]) => `${key} ${one}`).join(", ") : String(value));

/** `thumb + middle · D · 5` */
function words({ fingers, combination }) {
  const key = keyOf(combination);
  return [fingers.map((name) => known(`finger.${name}`, name)).join(" + "), key, number(combination)].filter(Boolean).join(" · ");
}

/** What the hand did since the view was opened. */
function useHand(name) {
  const held = useRef(null);
  const empty = () => ({ taps: [], text: "", gestures: [], path: [[pad.width / 2, pad.height / 2]], last: 0 });
  held.current ??= empty();
  const { current } = held;
  const draw = useRedraw();
  useMessages((topic, payload, at) => {
    if (topic.startsWith(`${name}/`)) take(held.current, topic.slice(name.length + 1), read(topic, payload).value, at, draw);
  });
  const clear = () => {
    held.current = empty();
    draw();
  };
  return { ...current, clear };
}

function take(hand, feature, value, at, draw) {
  if (!value) return;
  const id = ++hand.last;
  const note = (word) => {
    hand.gestures = [{ id, at, word }, ...hand.gestures].slice(0, limits.gestures);
    draw();
  };
  if (feature === "tapped" && isList(value.fingers) && Number.isInteger(value.combination)) {
    hand.taps = [{ id, at, fingers: value.fingers, combination: value.combination, repeat: value.repeat }, ...hand.taps].slice(0, limits.taps);
    hand.text = typed(hand.text, value.combination).slice(-limits.text);
    draw();
  } else if (feature === "gesture" || feature === "air_gesture") {
    note(String(value.gesture).replaceAll("_", " "));
  } else if (feature === "pointer") {
    note([value.action, value.finger].filter(Boolean).join(" "));
  } else if (feature === "moused" && Number.isFinite(value.velocity_x) && Number.isFinite(value.velocity_y)) {
    const [x, y] = hand.path.at(-1);
    hand.path = [...hand.path, [within(x + value.velocity_x * pad.scale, 8, pad.width - 8), within(y + value.velocity_y * pad.scale, 8, pad.height - 8)]].slice(-limits.path);
    draw();
  }
}

function Vibration({ store, device, own, playing }) {
  const [answer, request] = useAsk();
  const patterns = store.value(`bridge/${device.bridge}/patterns`) ?? [];
  const [wanted, setWanted] = useState(null);
  const pattern = patterns.includes(wanted) ? wanted : patterns[0];
  const topic = (feature) => `${device.name}/${feature}/set`;
  const has = (name) => own.some((feature) => feature.name === name && feature.set);
  return html`<${Facts} rows=${[[t("tap.playing"), playing ?? "–"]]} />
    ${has("haptic") ? html`<div class="row end"><${Choose} label="patterns.pattern" value=${pattern}
        onchange=${setWanted} choices=${patterns} />
      <${Command} class="primary" topic=${topic("haptic")} disabled=${!device.online || !pattern} onclick=${() => request(topic("haptic"), { pattern })}>${t("patterns.play")}<//>
      <${Command} topic=${topic("haptic")} disabled=${!device.online} onclick=${() => request(topic("haptic"), "stop")}>${t("patterns.end")}<//></div>` : null}
    ${has("vibrate") ? html`<${Command} topic=${topic("vibrate")} disabled=${!device.online}
      onclick=${() => request(topic("vibrate"), { durations_ms: [200] })}>${t("tap.short")}<//>` : null}
    <${Answer} answer=${answer} />`;
}

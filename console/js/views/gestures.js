// The editor of gesture files: it records what the hand does, and shows the file to copy.

import { gestureFile, inputOf, listed, longest, missing, problem } from "../gestures.js";
import { read } from "../messages.js";
import { Alert, CopyButton, download, html, quiet, Text, useMessages, useRedraw, useState } from "../ui.js";
import { t } from "../words.js";

/** The gestures of the file; they outlive the view. */
let draft = [];

/** `layer` is the layer that applies now. */
export function Gestures({ device, layer }) {
  const redraw = useRedraw();
  const [isOn, setOn] = useState(false);
  const [inputs, setInputs] = useState([]);
  const [fields, setFields] = useState({ action: "", layer: /^(none)?$/.test(layer ?? "") ? "base" : layer, next: "" });
  const [error, setError] = useState("");
  useMessages((topic, payload, at) => {
    const word = isOn && topic.startsWith(`${device.name}/`) && inputOf(topic.slice(device.name.length + 1), read(topic, payload).value);
    if (word) setInputs((before) => [...before, { word, at }].slice(0, longest));
  });
  const record = () => {
    if (!isOn) setInputs([]);
    setOn(!isOn);
  };
  const add = (event) => {
    event.preventDefault();
    const gesture = { inputs, ...fields };
    const found = problem(gesture, draft);
    setError(found ? t(`gesture.problem.${found.key}`, found) : "");
    if (found) return;
    draft = [...draft, gesture];
    setInputs([]);
    setFields({ ...fields, action: "", next: "" });
    setOn(false);
  };
  const remove = (gesture) => {
    draft = draft.filter((one) => one !== gesture);
    redraw();
  };
  const field = (name) => html`<${Text} label=${t(`gesture.${name}`)} value=${fields[name]} onchange=${(value) => setFields({ ...fields, [name]: value.trim() })} />`;
  const chip = (label, act) => html`<button type="button" aria-label=${t("gesture.remove", { name: label })} onclick=${act}>${label} ✕</button>`;
  const file = gestureFile(device.family, draft);
  const lost = missing(draft);
  return html`<section class="gestures"><h2>${t("gesture")}</h2>${quiet("gesture.text")}
    <form onsubmit=${add}><button type="button" class="primary" aria-pressed=${String(isOn)} onclick=${record}>${t("gesture.record")}</button>
      <p role="status">${isOn ? t("gesture.recording") : inputs.length ? t("gesture.recorded") : ""}</p>
      <div class="row">${inputs.map((input, place) => html`<span key=${place}>${chip(input.word, () => setInputs(inputs.filter((one) => one !== input)))}</span>`)}</div>
      <div class="fields">${field("action")}${field("layer")}${field("next")}</div>
      <${Alert} text=${error} /><button>${t("gesture.add")}</button></form>
    ${draft.length ? html`<div class="row">${draft.map((gesture) => html`<span key=${listed(gesture.inputs) + gesture.layer}>${
    chip(`${gesture.layer}: ${listed(gesture.inputs)} → ${gesture.action || gesture.next}`, () => remove(gesture))}</span>`)}</div>
      <p class="trouble">${lost.length ? t("gesture.problem.missing", { name: lost.join(", ") }) : ""}</p>
      <pre tabindex="0" aria-label=${t("gesture.file")}>${file}</pre>
      <div class="row"><${CopyButton} text=${file} /><button onclick=${() => download(`${device.family}.yaml`, "application/yaml", file)}>${t("patterns.download")}</button></div>` : null}</section>`;
}

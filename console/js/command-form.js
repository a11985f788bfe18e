// The form of one command, generated from the device's features: fields, Send, the line for a shell, the answer.

import { json, pairs } from "./messages.js";
import { Alert, CopyButton, english, Field, html, Locked, Outcome, page, quiet, Select, useAsk, useKeyed, useMay, wordsOr } from "./ui.js";
import { language, t } from "./words.js";
import { brokenRule, demand, read, shellLine } from "./payload.js";

/** `feature` as the catalog gives it, with `set`; `isAway` locks commands that are not kept. */
export function CommandForm({ feature, isAway = false }) {
  const { topic, fields = {}, rules, try: example } = feature.set;
  const [texts, setTexts] = useKeyed(topic, {});
  const [error, setError] = useKeyed(topic, "");
  const [answer, ask] = useAsk();
  const may = useMay(topic);
  const isKept = Boolean(feature.set.kept);
  const isLocked = (may !== null && !may.allowed) || (isAway && !isKept);
  const now = payload(texts, fields, rules);
  const change = (name) => (value) => {
    setTexts({ ...texts, [name]: value });
    setError("");
  };
  const send = (event) => {
    event.preventDefault();
    setError(now.error ?? "");
    if (!now.error && !isLocked) ask(topic, now.text);
  };
  const line = now.text === undefined ? now.error : shellLine(page.store.base + topic, now.text);
  const marks = ["hazardous", "kept", "latest"].filter((name) => feature.set[name]);
  return html`<tb-command-form data-topic=${topic}><form novalidate onsubmit=${send}>
    <h3>${feature.name}${marks.map((name) => html`<span class=${`mark ${name}`}>${t(`form.${name}`)}</span>`)}</h3>
    <p>${wordsOr(language === "en" ? "" : `tap.set.${feature.name}`, feature.summary)}</p>
    <div class="fields">${pairs(fields).map(([name, field]) => html`<${Field} key=${name} hint=${hint(field)}
      label=${`${name}${field.required ? ` (${t("form.required")})` : ""}`}>${(joint) => control(field, texts[name] ?? "", change(name), joint)}<//>`)}</div>
    <${Alert} text=${error} />
    <${Locked} may=${may} />
    ${isAway ? quiet(isKept ? "form.will_be_kept" : "form.away") : null}
    <div class="row"><button class="primary" disabled=${isLocked}>${t("form.send")}</button></div>
    <${Outcome} answer=${answer} />
    <div class="row line-row"><code class="line" tabindex="0" role="group" aria-label=${t("form.line")}>${line}</code><${CopyButton} text=${line} /></div>
    ${example ? html`<p class="quiet">${t("form.example")} <code>-t ${page.store.base + topic} -m ${example}</code></p>` : null}
  </form></tb-command-form>`;
}

/** The payload of the controls' texts, or why the command does not accept them. */
function payload(texts, fields, rules) {
  const object = {};
  for (const [name, field] of pairs(fields)) {
    const value = read(field, texts[name] ?? "");
    if (value instanceof Error) return { error: `${name}: ${t(`form.bad.${value.message}`, limits(field))}` };
    if (value === undefined && field.required) return { error: `${name}: ${t("form.required")}` };
    if (value !== undefined) object[name] = value;
  }
  const rule = brokenRule(rules, object, fields);
  const text = Object.keys(fields).length === 0 ? "" : json(object);
  if (!rule) return { text };
  const { key, ...names } = demand(rule);
  return { text, error: t(`form.rule.${key}`, names) };
}

function control(field, value, change, joint) {
  const first = field.required ? t("form.choose")
    : field.default === undefined ? t("form.left_out") : t("form.default", { value: json(field.default) });
  const none = field.nullable ? [["null", "null"]] : [];
  const choose = (choices) => html`<${Select} ...${joint} choices=${[["", first], ...choices, ...none]} value=${value} onchange=${change} />`;
  if (field.type === "boolean") return choose([["true", t("yes")], ["false", t("no")]]);
  if (field.type === "choice") return choose((field.values ?? []).map((word) => [String(word), String(word)]));
  const typed = (event) => change(event.target.value);
  const isPlain = (field.type === "number" || field.type === "integer") && !field.nullable;
  return isPlain
    ? html`<input ...${joint} type="number" min=${field.minimum} max=${field.maximum ?? field.exclusive_maximum} value=${value}
      step=${field.type === "integer" ? 1 : "any"} oninput=${typed} />`
    : html`<input ...${joint} type="text" autocomplete="off" spellcheck=${false} value=${value} oninput=${typed} />`;
}

function limits({ minimum, maximum, exclusive_maximum: below, unit }) {
  const end = below === undefined ? maximum ?? "" : `<${below}`;
  return { range: `${minimum ?? ""} … ${end}${unit ? ` ${unit}` : ""}` };
}

function hint(field) {
  const parts = [english(field.summary)];
  if (field.minimum !== undefined) parts.push(limits(field).range);
  else if (field.unit) parts.push(field.unit);
  if (!["boolean", "choice", "number", "integer", "text", "time"].includes(field.type)) parts.push(english(field.allowed) ?? `JSON: ${field.type ?? ""}`);
  if (field.default !== undefined && field.default !== null) parts.push(t("form.default", { value: json(field.default) }));
  return parts.filter(Boolean).flatMap((part, place) => (place ? [" · ", part] : [part]));
}

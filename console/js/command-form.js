// The form of one command, made out of what the device says of itself: fields, Send, the shell's line, the answer.

import { copy, h, labelled, select } from "./element.js";
import { known, t } from "./words.js";
import { brokenRule, demand, read, shellLine } from "./payload.js";

class CommandForm extends HTMLElement {
  /** `feature` as the catalog gives it, with `set`. */
  show(feature, link) {
    const { topic, fields = {}, rules, try: example } = feature.set;
    this.feature = feature;
    this.link = link;
    this.controls = new Map(Object.entries(fields).map(([name, field]) => [name, control(name, field)]));
    this.line = h("code", { class: "line", tabindex: "0", role: "group", "aria-label": t("form.line") });
    this.error = h("p", { class: "trouble", role: "alert" });
    this.answer = h("div", { class: "answer", role: "status" });
    const marks = ["hazardous", "kept", "latest"].filter((name) => feature.set[name]);
    this.replaceChildren(h("form", { novalidate: true, onsubmit: (event) => this.#send(event), oninput: () => this.#follow() },
      h("h3", {}, feature.name, marks.map((name) => h("span", { class: `mark ${name}` }, t(`form.${name}`)))),
      h("p", {}, feature.summary ?? ""),
      h("div", { class: "fields" }, [...this.controls].map(([name, { element }]) => {
        const field = fields[name];
        return labelled(`${name}${field.required ? ` (${t("form.required")})` : ""}`, element, hint(field));
      })),
      this.error,
      h("div", { class: "row" }, h("button", { class: "primary" }, t("form.send"))),
      h("div", { class: "row line-row" }, this.line,
        h("button", { type: "button", onclick: async (event) => {
          event.target.textContent = t(await copy(this.line.textContent) ? "form.copied" : "form.not_copied");
        } }, t("form.copy"))),
      example ? h("p", { class: "quiet" }, `${t("form.example")} `, h("code", {}, `-t ${topic} -m ${example}`)) : null,
      this.answer));
    this.rules = rules;
    this.fields = fields;
    this.#follow();
  }

  /** The payload that the controls say; the reason where they say none that the command takes. */
  payload() {
    const object = {};
    for (const [name, { element, field }] of this.controls) {
      const value = read(field, element.value);
      if (value instanceof Error) return { error: `${name}: ${t(`form.bad.${value.message}`, limits(field))}` };
      if (value === undefined && field.required) return { error: `${name}: ${t("form.missing")}` };
      if (value !== undefined) object[name] = value;
    }
    const rule = brokenRule(this.rules, object, this.fields);
    const text = this.controls.size === 0 ? "" : JSON.stringify(object);
    if (!rule) return { text };
    const { key, ...names } = demand(rule);
    return { text, error: t(`form.rule.${key}`, names) };
  }

  #follow() {
    const { text, error } = this.payload();
    this.line.textContent = text === undefined ? error : shellLine(this.feature.set.topic, text);
    this.error.textContent = "";
  }

  async #send(event) {
    event.preventDefault();
    const { text, error } = this.payload();
    this.error.textContent = error ?? "";
    if (error) return;
    this.answer.replaceChildren(h("p", {}, t("form.waiting")));
    const response = await this.link.publish(this.feature.set.topic, text);
    this.answer.replaceChildren(answerText(response), h("details", {}, h("summary", {}, t("form.answer")),
      h("pre", { tabindex: "0" }, JSON.stringify(response, null, 1))));
  }
}

/** A sentence that says how a command ended. */
export function answerText(response) {
  if (response.status === "ok") {
    const extra = response.kept ? ` ${t("answer.kept")}` : response.confirmed === false ? ` ${t("answer.unconfirmed")}` : "";
    return h("p", { class: "good" }, `✓ ${t("answer.ok")}${extra}`);
  }
  return h("p", { class: "trouble" }, `✗ ${errorText(response)}`);
}

/** Why a command failed, in words. */
export function errorText({ code, message }) {
  const said = known(`code.${code}`, code);
  return message ? `${said}: ${message}` : said;
}

function control(name, field) {
  const blank = [["", field.default === undefined ? t("form.left_out") : t("form.default", { value: JSON.stringify(field.default) })]];
  const first = field.required ? [["", t("form.choose")]] : blank;
  const none = field.nullable ? [["null", "null"]] : [];
  if (field.type === "boolean") {
    return { field, element: select([...first, ["true", t("yes")], ["false", t("no")], ...none], "") };
  }
  if (field.type === "choice") {
    return { field, element: select([...first, ...(field.values ?? []).map((word) => [word, word]), ...none], "") };
  }
  const plain = (field.type === "number" || field.type === "integer") && !field.nullable;
  return { field, element: h("input", plain
    ? { type: "number", min: field.minimum, max: field.maximum ?? field.exclusive_maximum, step: field.type === "integer" ? 1 : "any" }
    : { type: "text", autocomplete: "off", spellcheck: "false" }) };
}

function limits({ minimum, maximum, exclusive_maximum: below, unit }) {
  const end = below === undefined ? maximum ?? "" : `<${below}`;
  return { range: `${minimum ?? ""} … ${end}${unit ? ` ${unit}` : ""}` };
}

function hint(field) {
  const parts = [field.summary];
  if (field.minimum !== undefined) parts.push(limits(field).range);
  else if (field.unit) parts.push(field.unit);
  if (!["boolean", "choice", "number", "integer", "text", "time"].includes(field.type)) parts.push(field.allowed ?? `JSON: ${field.type ?? ""}`);
  if (field.default !== undefined && field.default !== null) parts.push(t("form.default", { value: JSON.stringify(field.default) }));
  return parts.filter(Boolean).join(" · ");
}

customElements.define("tb-command-form", CommandForm);

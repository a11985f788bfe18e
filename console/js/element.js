// Building the page's elements. A child that is no node becomes text, so what a device says is never markup.

/** An element with attributes, listeners (`onclick: f`) and properties (`.value: x`). */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith(".")) element[key.slice(1)] = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts `children` into `parent`; what had the focus has it again if an element with its `data-key` is there. */
export function replace(parent, ...children) {
  const active = document.activeElement;
  const key = active && parent.contains(active) ? active.dataset.key : null;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

let count = 0;

/** A fresh id for an element. */
export const freshId = (prefix) => `${prefix}-${++count}`;

/** A labelled control; the label stands above it. */
export function labelled(text, control, hint) {
  control.id ||= freshId("control");
  const said = hint ? h("small", { id: `${control.id}-hint` }, hint) : null;
  if (said) control.setAttribute("aria-describedby", said.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, text), control, said);
}

/** A select of `[value, text]` pairs. */
export function select(choices, value, attributes = {}) {
  const control = h("select", attributes, choices.map(([key, text]) => h("option", { value: key }, text)));
  if (choices.some(([key]) => key === value)) control.value = value;
  return control;
}

/** Changes the options of a select only if they differ, and keeps what is chosen; what is gone is not replaced by another. */
export function setChoices(control, choices) {
  const mark = JSON.stringify(choices);
  if (control.dataset.mark === mark) return;
  const { value } = control;
  control.dataset.mark = mark;
  control.replaceChildren(...choices.map(([key, text]) => h("option", { value: key }, text)));
  if (choices.some(([key]) => key === value)) control.value = value;
  else if (value) control.selectedIndex = -1;
}

/** Asks in a dialog. Gives the typed text, true where no text is asked, or null if it was cancelled. */
export function ask({ title, text, yes, no, input = null, danger = false }) {
  return new Promise((resolve) => {
    const heading = h("h2", { id: freshId("dialog") }, title);
    const field = input === null ? null : h("input", { ".value": input.value, autocomplete: "off" });
    const dialog = h("dialog", { "aria-labelledby": heading.id, onclose: () => {
      dialog.remove();
      resolve(dialog.returnValue !== "yes" ? null : field ? field.value : true);
    } }, h("form", { method: "dialog" }, heading, h("p", {}, text), field ? labelled(input.label, field) : null,
      h("div", { class: "row" },
        h("button", { value: "yes", class: danger ? "danger" : "primary" }, yes),
        h("button", { value: "no", formnovalidate: true }, no))));
    document.body.append(dialog);
    dialog.showModal();
    field?.focus();
  });
}

/** Gives the person `text` as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copies text; over plain HTTP, where the clipboard's interface is missing, by a selection. */
export async function copy(text) {
  if (window.isSecureContext && navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { /* refused by the browser: the selection may still work */ }
  }
  const area = h("textarea", { class: "hidden-visually", readonly: true, ".value": text });
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus();
  return done;
}

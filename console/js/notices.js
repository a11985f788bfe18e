// What the page announces: the newest notice, and the history in a dialog.

import { Icon } from "./icons.js";
import { html, inDialog, page, quiet, useEffect, useEvent, useRedraw, useRef, useState } from "./ui.js";
import { clock, t } from "./words.js";

const limit = 100;
const shown = 6000; // ms; a notice of trouble stays until it is over
const history = new EventTarget();
let entries = [];
let unread = 0;

function note(text, trouble) {
  entries = [{ id: (entries[0]?.id ?? 0) + 1, at: Date.now(), text, trouble }, ...entries].slice(0, limit);
  unread += 1;
  history.dispatchEvent(new Event("change"));
}

export function Notices() {
  const [notice, set] = useState(null);
  const timer = useRef(0);
  useEffect(() => {
    page.announce = (text, trouble = false) => {
      clearTimeout(timer.current);
      set({ text, trouble });
      note(text, trouble);
      if (!trouble) timer.current = setTimeout(() => set(null), shown);
    };
    page.calm = () => set((before) => (before?.trouble ? null : before));
  }, []);
  return notice ? html`<p class=${notice.trouble ? "trouble" : ""}>${notice.text}</p>` : null;
}

/** The button that opens the history. */
export function HistoryButton() {
  useEvent(history, "change", useRedraw());
  const open = () => {
    unread = 0;
    history.dispatchEvent(new Event("change"));
    inDialog(History);
  };
  return html`<button class="history" aria-label=${t("notices.open", { count: unread })} onclick=${open}><${Icon} name="bell" /><span aria-hidden="true">${unread || ""}</span></button>`;
}

function History({ done }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current.showModal(), []);
  return html`<dialog ref=${dialog} aria-labelledby="notices-title" onclose=${done}><form method="dialog"><h2 id="notices-title">${t("notices.title")}</h2>
    ${entries.length ? null : quiet("notices.none")}
    <ol class="plain notices" tabindex="0" aria-labelledby="notices-title">${entries.map(({ id, at, text, trouble }) =>
    html`<li key=${id} class=${trouble ? "trouble" : ""}><time>${clock(at)}</time> ${text}</li>`)}</ol>
    <div class="row"><button class="primary">${t("close")}</button></div></form></dialog>`;
}

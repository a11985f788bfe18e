// STOP: in every view, never disabled, by a button and by Shift+Esc.

import { h } from "./element.js";
import { t } from "./words.js";

class Stop extends HTMLElement {
  start(link, announce) {
    const press = async () => {
      document.dispatchEvent(new CustomEvent("stop-all"));
      const isSent = await link.stop();
      announce(t(isSent ? "stop.sent" : "stop.failed"), !isSent);
    };
    this.replaceChildren(h("button", { id: "stop-all", type: "button", onclick: press, "aria-keyshortcuts": "Shift+Escape",
      title: t("stop.hint") }, h("strong", {}, t("stop")), h("span", {}, t("stop.all"))));
    // In the capturing phase, so that no dialog and no view takes the key first.
    window.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !event.shiftKey || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      press();
    }, true);
    // A modal dialog makes what lies outside it dead: the button moves into it and back.
    new MutationObserver(() => {
      const dialog = document.querySelector("dialog[open]");
      const home = dialog ?? document.body;
      if (this.parentNode !== home) home.append(this);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["open"] });
  }
}

customElements.define("tb-stop", Stop);

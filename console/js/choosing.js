// The choice of a device in a view, kept in the address of the page and in the browser's session.

import { Choice } from "./choice.js";
import { href } from "./router.js";
import { html, Select, useEffect, useRef, useState } from "./ui.js";
import { t } from "./words.js";

/**
 * The choice of a view. `ended(reason)` is called when what was chosen must not be controlled any longer.
 *
 * Gives `{choice, select, note}`: the choice, its control for a field, and what the user must know about it.
 */
export function useChoice(view, part, devices, ended = () => {}) {
  const [, redraw] = useState(0);
  const held = useRef(null);
  const storage = `tactile-bridge.${view}`;
  held.current ??= new Choice(part ?? stored(storage));
  const choice = held.current;
  const reason = choice.update(devices);
  if (reason) ended(reason);
  useEffect(() => {
    const { address } = choice;
    const hash = href(view, address);
    if (location.hash !== hash) history.replaceState(null, "", hash);
    if (!address) return;
    try { sessionStorage.setItem(storage, address); } catch { /* private windows may refuse */ }
  }, [choice.address]);
  const change = (address) => {
    ended("chosen");
    choice.choose(address);
    redraw((count) => count + 1);
  };
  const { address, device, missing, renamed } = choice;
  const note = missing ? t("choice.missing", { address }) : renamed ? t("choice.renamed", { name: device.name }) : "";
  const select = (joint) => html`<${Select} ...${joint} value=${address} onchange=${change}
    choices=${choice.options(devices, { none: t("choice.none"), missing: (gone) => t("choice.gone", { address: gone }) })} />`;
  return { choice, select, note };
}

function stored(key) {
  try { return sessionStorage.getItem(key); } catch { return null; }
}

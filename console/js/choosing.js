// The choice of a device in a view, kept in the address of the page and in the browser's session.

import { Choice } from "./choice.js";
import { href } from "./router.js";
import { devices, features } from "./catalog.js";
import { html, isBase, Select, useEffect, useRedraw, useRef, useStore, useWatch } from "./ui.js";
import { t } from "./words.js";

/**
 * What views of one kind of device share: `{store, device, isNone, select, note}`.
 *
 * `isAble(feature)` accepts the feature that these devices have; the view is drawn again for messages on the features `watched`.
 */
export function useDeviceOf(view, part, isAble, watched, { interval = 0, ended } = {}) {
  const name = useRef(null);
  const topicsOf = (device) => watched.map((feature) => `${device}/${feature}`);
  const store = useStore((topic) => isBase(topic) || topicsOf(name.current).includes(topic), interval);
  const able = devices(store).filter((device) => features(store, device.name).some(isAble));
  const { choice, select, note } = useChoice(view, part, able, ended);
  const { device, missing } = choice;
  name.current = device?.name ?? null;
  useWatch(`${view}-view`, device ? topicsOf(device.name) : []);
  return { store, device, select, note, isNone: able.length === 0 && !missing };
}

/**
 * The choice of a view. `ended(reason)` is called when what was chosen must not be controlled any longer.
 *
 * Gives `{choice, select, note}`: the choice, its control for a field, and what the user must know about it.
 */
function useChoice(view, part, devices, ended = () => {}) {
  const redraw = useRedraw();
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
    redraw();
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

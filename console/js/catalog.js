// The devices and what they can do, out of the retained messages. Pure: takes a store, changes nothing.

import { pairs } from "./messages.js";
import { numbers } from "./payload.js";

/** A device's features, each with what its family says of it. */
export function features(store, device) {
  const own = store.value(`${device}/features`);
  if (!own || typeof own !== "object") return [];
  const family = store.value(own.family?.topic ?? "");
  return pairs(own).filter(([name]) => name !== "family").map(([name, entry]) => {
    const shared = family?.[name] ?? {};
    const set = entry.set ? { ...shared.set, ...entry.set } : undefined;
    return { ...shared, ...entry, name, set };
  });
}

export const commands = (store, device) => features(store, device).filter((feature) => feature.set);

export const bridges = (store) => store.topics("bridge/+/availability").map((topic) => topic.split("/")[1]);

export const isBridgeOnline = (store, bridge) => store.value(`bridge/${bridge}/availability`) === "online";

/** All devices of all bridges; one that two bridges name belongs to the one that its `connection` names. */
export function devices(store) {
  const found = new Map();
  for (const topic of store.topics("bridge/+/devices")) {
    const bridge = topic.split("/")[1];
    const listed = store.value(topic);
    for (const { name, family, address } of listed ?? []) {
      const connection = store.value(`${name}/connection`);
      if (found.has(name) && connection?.bridge !== bridge) continue;
      const bridgeOnline = isBridgeOnline(store, bridge);
      const said = store.value(`${name}/availability`);
      found.set(name, {
        name, family, address, bridge, bridgeOnline, connection: connection ?? {},
        online: bridgeOnline && said === "online",
        info: store.value(`${name}/info`) ?? {}, battery: store.value(`${name}/battery`),
        lastSeen: store.value(`${name}/last_seen`),
        isCurrent: store.isLive,
      });
    }
  }
  return [...found.values()].sort(troubleFirst);
}

export const byName = (a, b) => a.name.localeCompare(b.name);

/** Devices that are away or nearly empty come first, then by name. */
export const troubleFirst = (a, b) => rank(a) - rank(b) || byName(a, b);

/** The first number that a device reports on one of its features: `{topic, path, name, unit, value}`, or null. */
export function mainNumber(store, device, reports) {
  for (const { name, unit, fields } of reports) {
    const topic = `${device}/${name}`;
    const [found] = numbers(store.value(topic));
    if (found) return { topic, path: found[0], name: found[0] ? `${name} ${found[0]}` : name, unit: unit ?? fields?.[found[0]]?.unit ?? "", value: found[1] };
  }
  return null;
}

function rank(device) {
  if (device.connection.state === "error") return 0;
  if (!device.online) return 1;
  return lowBattery(device) ? 2 : 3;
}

export const lowBattery = (device) =>
  typeof device.battery?.level === "number" && device.battery.level < 20 && device.battery.power !== "charging";

/** The filters that show all devices' cards and commands: one set for each number of levels that names have. */
export function deviceFilters(store) {
  const depths = new Set(devices(store).map(({ name }) => name.split("/").length));
  // `status` shows whether a robot moves: a stop is not repeated after somebody drives again.
  const own = ["availability", "connection", "info", "battery", "last_seen", "status", "features"];
  const filters = [...depths].sort((a, b) => a - b).flatMap((depth) => own.map((feature) => `${"+/".repeat(depth)}${feature}`));
  // The descriptions are most of the data, so they follow the list of devices, which the page shows meanwhile.
  return filters.length ? [...filters, "bridge/+/features/+"] : [];
}

/** The state that a device is shown in; "unknown" while nothing confirms it. */
export function shownState(device) {
  if (!device.isCurrent) return "unknown";
  if (!device.bridgeOnline) return "bridge_away";
  return device.online ? "online" : device.connection.state ?? "offline";
}

/** The reason and the advice of a device that is away, as keys of the language with the bridge's own words for newer codes. */
export function trouble({ connection, online, isCurrent }) {
  if (online || !isCurrent) return null;
  return { reason: connection.reason, reasonKey: `reason.${connection.reason_code}`,
    advice: connection.advice, adviceKey: `advice.${connection.advice_code}` };
}

/** What every view needs to know. */
export const bridgeFilters = ["availability", "info", "devices", "groups", "patterns", "event"]
  .map((name) => `bridge/+/${name}`);

/** The groups of all bridges, with their members. */
export function groups(store) {
  const found = new Map();
  for (const topic of store.topics("bridge/+/groups")) {
    for (const { group, members } of store.value(topic) ?? []) {
      found.set(group, [...new Set([...(found.get(group) ?? []), ...members])]);
    }
  }
  return [...found].map(([name, members]) => ({ name, members }));
}

// The roster: its contradictions, as `tactile-bridge fleet check` finds them without a file, and messages that change it. Pure.

import { features, isBridgeOnline } from "./catalog.js";
import { isList, isObject, pairs } from "./messages.js";

const addressOf = (key) => /^[0-9a-f]{12}$/.test(key) ? key.toUpperCase().match(/../g).join(":") : null;

/** The entries of the roster by address, and the topics of messages that every bridge refuses. */
export function roster(store) {
  const [entries, refused] = [new Map(), []];
  for (const topic of store.topics("roster/+")) {
    const key = topic.slice("roster/".length);
    const value = store.value(topic);
    const address = addressOf(key);
    const isEntry = isObject(value) && typeof value.name === "string" && typeof value.family === "string";
    if (address && isEntry) entries.set(address, { ...value, topic, preferred: isList(value.preferred) ? value.preferred : [] });
    else if (key !== "groups" || !isObject(value)) refused.push(topic);
  }
  return { entries, refused };
}

/** `{key, …}` for each contradiction: the key of its sentence and remedy in the language, and the names in them. */
export function check(store) {
  const { entries, refused } = roster(store);
  const found = refused.map((topic) => ({ key: "refused", topic }));
  const sorted = [...entries].sort(([, a], [, b]) => a.name.localeCompare(b.name));
  const addresses = new Map();
  for (const [address, { name }] of sorted) addresses.set(name, [...(addresses.get(name) ?? []), address]);
  for (const [name, all] of addresses) if (all.length > 1) found.push({ key: "same_name", device: name, addresses: all.join(", ") });
  const known = new Set([...store.topics("bridge/+/availability"), ...store.topics("bridge/+/info")].map((topic) => topic.split("/")[1]));
  for (const [, { name, preferred }] of sorted) {
    for (const bridge of preferred) if (!known.has(bridge)) found.push({ key: "preferred", device: name, bridge });
  }
  for (const [group, members] of pairs(groupsOf(store))) {
    for (const device of members) if (!addresses.has(device)) found.push({ key: "member", group, device });
  }
  for (const bridge of [...known].sort()) {
    const info = store.value(`bridge/${bridge}/info`);
    if (!isBridgeOnline(store, bridge)) found.push({ key: "offline", bridge });
    else if (info?.draining === true) found.push({ key: "draining", bridge });
    else if (info && info.fleet_protocol === undefined) found.push({ key: "old", bridge, version: info.version ?? "?" });
  }
  return [...found, ...differences(store, entries, known)];
}

/** Devices that a bridge has under another name or family than the roster. */
function differences(store, entries, known) {
  const found = [];
  for (const bridge of [...known].sort()) {
    if (!isBridgeOnline(store, bridge)) continue;
    for (const { name, family, address } of store.value(`bridge/${bridge}/devices`) ?? []) {
      const entry = entries.get(address.toUpperCase());
      if (entry && name !== entry.name) found.push({ key: "other_name", device: entry.name, bridge, name });
      if (entry && family !== entry.family) found.push({ key: "other_family", device: entry.name, bridge, family, expected: entry.family });
    }
  }
  return found;
}

export const groupsTopic = "roster/groups";

/** The members of each group of the roster. */
export function groupsOf(store) {
  const groups = store.value(groupsTopic)?.groups;
  return Object.fromEntries(pairs(isObject(groups) ? groups : {}).filter(([, members]) => isList(members)));
}

/** The roster message on a topic with changes; fields that the page does not know stay. */
const changed = (store, topic, changes) =>
  ({ v: 1, ...store.value(topic), ...changes, by: "console", time: new Date().toISOString() });

/** The message by which a device of the roster prefers bridges; null for a device that has no entry. */
export function preferring(store, address, preferred) {
  const topic = roster(store).entries.get(address)?.topic;
  return topic ? { topic, message: changed(store, topic, { preferred }) } : null;
}

/** The message by which a device joins or leaves a group of the roster. A group ends with its last member. */
export function grouping(store, group, device, isMember) {
  const { [group]: before = [], ...groups } = groupsOf(store);
  const members = [...before.filter((name) => name !== device), ...(isMember ? [device] : [])];
  if (members.length) groups[group] = members;
  return { topic: groupsTopic, message: changed(store, groupsTopic, { groups }) };
}

const reserved = ["bridge", "all", "roster", "claim", "reply", "zone", "homeassistant"];

/** Whether bridges accept the name for a group: no device, family or feature has it, and it is no root of other topics. */
export function mayNameGroup(store, name) {
  const [root, last] = [name.split("/")[0], name.split("/").at(-1)];
  const families = store.topics("bridge/+/features/+").map((topic) => topic.split("/")[3]);
  const listed = store.topics("bridge/+/devices").flatMap((topic) => store.value(topic)).map((device) => device.name);
  const names = [...listed, ...[...roster(store).entries.values()].map((entry) => entry.name)];
  return /^[\w-]+(\/[\w-]+)*$/.test(name) && name.length <= 128 && ![...reserved, ...families].includes(root)
    && !names.some((device) => `${device}/`.startsWith(`${name}/`))
    && !["set", "action", "state", ...listed.flatMap((device) => features(store, device).map((feature) => feature.name))].includes(last);
}

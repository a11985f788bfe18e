// Contradictions in a fleet, as `tactile-bridge fleet check` finds them without a file. Pure.

const addressOf = (key) => /^[0-9a-f]{12}$/.test(key) ? key.toUpperCase().match(/../g).join(":") : null;
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The entries of the roster by address, and the topics of messages that every bridge refuses. */
function roster(store) {
  const [entries, refused] = [new Map(), []];
  for (const topic of store.topics("roster/+")) {
    const key = topic.slice("roster/".length);
    const value = store.value(topic);
    const address = addressOf(key);
    const isEntry = isObject(value) && typeof value.name === "string" && typeof value.family === "string";
    if (address && isEntry) entries.set(address, value);
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
    for (const bridge of Array.isArray(preferred) ? preferred : []) if (!known.has(bridge)) found.push({ key: "preferred", device: name, bridge });
  }
  const groups = store.value("roster/groups")?.groups;
  for (const [group, members] of Object.entries(isObject(groups) ? groups : {})) {
    for (const device of Array.isArray(members) ? members : []) if (!addresses.has(device)) found.push({ key: "member", group, device });
  }
  for (const bridge of [...known].sort()) {
    const info = store.value(`bridge/${bridge}/info`);
    if (store.value(`bridge/${bridge}/availability`) !== "online") found.push({ key: "offline", bridge });
    else if (info?.draining === true) found.push({ key: "draining", bridge });
    else if (info && info.fleet_protocol === undefined) found.push({ key: "old", bridge, version: info.version ?? "?" });
  }
  return [...found, ...differences(store, entries, known)];
}

/** Devices that a bridge has under another name or family than the roster. */
function differences(store, entries, known) {
  const found = [];
  for (const bridge of [...known].sort()) {
    if (store.value(`bridge/${bridge}/availability`) !== "online") continue;
    for (const { name, family, address } of store.value(`bridge/${bridge}/devices`) ?? []) {
      const entry = entries.get(address.toUpperCase());
      if (entry && name !== entry.name) found.push({ key: "other_name", device: entry.name, bridge, name });
      if (entry && family !== entry.family) found.push({ key: "other_family", device: entry.name, bridge, family, expected: entry.family });
    }
  }
  return found;
}

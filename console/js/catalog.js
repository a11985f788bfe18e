// The devices and what they can do, out of the retained messages. Pure: takes a store, changes nothing.

/** A device's features, each with what its family says of it. */
export function features(store, device) {
  const own = store.value(`${device}/features`);
  if (!own || typeof own !== "object") return [];
  const family = store.value(own.family?.topic ?? "");
  return Object.entries(own).filter(([name]) => name !== "family").map(([name, entry]) => {
    const shared = family?.[name] ?? {};
    const set = entry.set ? { ...shared.set, ...entry.set } : undefined;
    return { ...shared, ...entry, name, set };
  });
}

export const commands = (store, device) => features(store, device).filter((feature) => feature.set);

export const bridges = (store) => store.topics("bridge/+/availability").map((topic) => topic.split("/")[1]);

/** All devices of all bridges; one that two bridges name belongs to the one that its `connection` names. */
export function devices(store) {
  const found = new Map();
  for (const topic of store.topics("bridge/+/devices")) {
    const bridge = topic.split("/")[1];
    const listed = store.value(topic);
    for (const { name, family, address } of Array.isArray(listed) ? listed : []) {
      const connection = store.value(`${name}/connection`);
      if (found.has(name) && connection?.bridge !== bridge) continue;
      const bridgeOnline = store.value(`bridge/${bridge}/availability`) === "online";
      const said = store.value(`${name}/availability`);
      found.set(name, {
        name, family, address, bridge, bridgeOnline, connection: connection ?? {},
        online: bridgeOnline && said === "online",
        info: store.value(`${name}/info`) ?? {}, battery: store.value(`${name}/battery`),
        lastSeen: store.value(`${name}/last_seen`),
      });
    }
  }
  return [...found.values()].sort(troubleFirst);
}

/** Devices that are away or nearly empty come first, then by name. */
export function troubleFirst(a, b) {
  return rank(a) - rank(b) || a.name.localeCompare(b.name);
}

function rank(device) {
  if (device.connection.state === "error") return 0;
  if (!device.online) return 1;
  return lowBattery(device) ? 2 : 3;
}

export const lowBattery = (device) =>
  typeof device.battery?.level === "number" && device.battery.level < 20 && device.battery.power !== "charging";

/** The filters that show all devices' cards and commands: a name has one to three levels, a deeper one is named. */
export function deviceFilters(store) {
  const own = ["availability", "connection", "features", "info", "battery", "last_seen"];
  const deep = devices(store).map(({ name }) => name).filter((name) => name.split("/").length > 3).slice(0, 5);
  // Whether a robot moves: a stop is not repeated after somebody drives again.
  const statuses = ["+/status", "+/+/status", "+/+/+/status"];
  return [...["+", "+/+", "+/+/+", ...deep].flatMap((name) => own.map((feature) => `${name}/${feature}`)), ...statuses];
}

/** What every view needs to know. */
export const bridgeFilters = ["availability", "info", "devices", "groups", "patterns", "event", "features/+"]
  .map((name) => `bridge/+/${name}`);

/** The groups of all bridges, with their members. */
export function groups(store) {
  const found = new Map();
  for (const topic of store.topics("bridge/+/groups")) {
    const listed = store.value(topic);
    for (const { group, members } of Array.isArray(listed) ? listed : []) {
      found.set(group, [...new Set([...(found.get(group) ?? []), ...members])]);
    }
  }
  return [...found].map(([name, members]) => ({ name, members }));
}

// The boundary of the page: each message of the broker is parsed and checked here, and nowhere else. Pure.

// Short names, since the page has a limit of size.
export const isList = Array.isArray, pairs = Object.entries, json = JSON.stringify;
export const isObject = (value) => value !== null && typeof value === "object" && !isList(value);
const isText = (value) => typeof value === "string" && value !== "";

/** A list of which only valid entries are used. */
const list = (isValid, shape) => (value) => {
  if (!isList(value)) return { value: [], problem: `found ${kind(value)}; allowed: a list of ${shape}` };
  const bad = value.filter((entry) => !isValid(entry));
  return { value: value.filter(isValid), problem: bad.length ? `found ${kind(bad[0])} in the list; allowed: ${shape}` : null };
};
const object = (value) => isObject(value) ? { value } : { value: undefined, problem: `found ${kind(value)}; allowed: an object` };
const word = (...words) => (value) => words.includes(value) ? { value } : { value: undefined, problem: `found ${kind(value)}; allowed: ${words.join(", ")}` };

const ofBridge = {
  devices: list((entry) => isObject(entry) && ["name", "family", "address"].every((key) => isText(entry[key])), "objects with name, family and address"),
  groups: list((entry) => isObject(entry) && isText(entry.group) && isList(entry.members) && entry.members.every(isText), "objects with group and members"),
  patterns: list(isText, "texts"),
  availability: word("online", "offline"),
  info: object, stats: object, event: object, log: object,
};
const ofDevice = { availability: word("online", "offline"), connection: object, info: object, battery: object, status: object, features,
  tapped: object, gesture: object, air_gesture: object, pointer: object, moused: object };

/** The payload of a message as a JSON value, or as text where it is none. */
export function parse(payload) {
  try { return JSON.parse(payload); } catch { return payload; }
}

/** `{value, problem}` of a message; `base` is the prefix of every topic, which the topics inside a message have too. */
export function read(topic, payload, base = "") {
  const value = parse(payload);
  const levels = topic.split("/");
  const last = levels.at(-1);
  let check = null;
  if (levels[0] === "bridge") check = levels.length === 3 ? ofBridge[last] : levels[2] === "features" ? features : null;
  else if (levels.length > 1 && !["homeassistant", "zone"].includes(levels[0])) check = ofDevice[last];
  return check ? check(value, base) : { value };
}

/** What a device or a family can do: entries that are no objects are ignored, and topics lose the prefix. */
function features(value, base) {
  if (!isObject(value)) return object(value);
  const own = (topic) => isText(topic) && topic.startsWith(base) ? topic.slice(base.length) : topic;
  const found = {};
  let problem = null;
  for (const [name, entry] of pairs(value)) {
    if (!isObject(entry) || (entry.set !== undefined && !isObject(entry.set))) {
      problem ??= `found ${kind(entry)} for ${name}; allowed: an object`;
      continue;
    }
    found[name] = { ...entry, topic: own(entry.topic) };
    if (entry.set) {
      found[name].set = { ...entry.set };
      if (entry.set.topic) found[name].set.topic = own(entry.set.topic);
      if (entry.set.fields !== undefined && (!isObject(entry.set.fields) || !Object.values(entry.set.fields).every(isObject))) {
        problem ??= `found ${kind(entry.set.fields)} as the fields of ${name}; allowed: an object of objects`;
        delete found[name].set;
      }
    }
  }
  return { value: found, problem };
}

function kind(value) {
  if (value === null) return "null";
  if (isList(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `"${value.slice(0, 40)}"` : String(value);
}

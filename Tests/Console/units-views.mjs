// Tests of what views compute: the fleet's contradictions, a TAP's keys, a device's main number, the requests that have a control.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { mainNumber } from "../../console/js/catalog.js";
import { check, grouping, groupsOf, mayNameGroup, preferring } from "../../console/js/fleet.js";
import { gestureFile, inputOf, missing, problem } from "../../console/js/gestures.js";
import { Store } from "../../console/js/store.js";
import { keyOf, typed } from "../../console/js/tap-keys.js";
import { flat } from "../../console/js/words.js";

const root = new URL("../../", import.meta.url);
const text = (path) => readFileSync(new URL(path, root), "utf8");

const entry = (name, more = {}) => JSON.stringify({ v: 1, name, family: "belt", by: "attic", time: "2026-01-31T12:00:00.000Z", ...more });
const good = {
  "bridge/attic/availability": "online",
  "bridge/attic/info": '{"version":"0.2.0","fleet_protocol":1,"draining":false}',
  "bridge/attic/devices": '[{"name":"belt","family":"belt","address":"C0:FF:EE:00:BE:01"}]',
  "roster/c0ffee00be01": entry("belt", { preferred: ["attic"] }),
  "roster/groups": '{"v":1,"groups":{"g":["belt"]},"by":"a","time":"2026-01-31T12:00:00Z"}',
};

function stored(messages) {
  const store = new Store();
  store.begin();
  store.take(Object.entries(messages).map(([topic, payload]) => [topic, payload, "s"]));
  store.complete();
  return store;
}

test("A consistent fleet has no contradictions, and one without a roster has none either", () => {
  assert.deepEqual(check(stored(good)), []);
  assert.deepEqual(check(stored({ ...good, "roster/c0ffee00be01": "", "roster/groups": "" })), []);
});

for (const [topic, payload, key, word] of [
  ["bridge/attic/availability", "offline", "offline", "attic"],
  ["bridge/attic/info", '{"version":"0.1.0"}', "old", "0.1.0"],
  ["bridge/attic/info", '{"fleet_protocol":1,"draining":true}', "draining", "attic"],
  ["roster/c0ffee00be02", entry("belt"), "same_name", "C0:FF:EE:00:BE:01, C0:FF:EE:00:BE:02"],
  ["roster/c0ffee00be01", entry("hall"), "other_name", "hall"],
  ["roster/c0ffee00be01", entry("belt", { family: "robot" }), "other_family", "robot"],
  ["roster/c0ffee00be01", '{"v":1}', "refused", "roster/c0ffee00be01"],
  ["roster/here", entry("belt"), "refused", "roster/here"],
  ["roster/groups", "[]", "refused", "roster/groups"],
  ["roster/c0ffee00be01", entry("belt", { preferred: ["cellar"] }), "preferred", "cellar"],
  ["roster/groups", '{"v":1,"groups":{"g":["x"]}}', "member", "x"],
]) {
  test(`A contradiction of the fleet is found, and has a sentence and a remedy: ${key} of ${topic}`, () => {
    const found = check(stored({ ...good, [topic]: payload })).find((finding) => finding.key === key);
    assert.ok(found, key);
    assert.ok(Object.values(found).some((value) => value.includes(word)), JSON.stringify(found));
    const language = flat(JSON.parse(text("console/lang/en.json")));
    for (const kind of ["found", "remedy"]) {
      const sentence = language[`fleet.${kind}.${key}`];
      for (const [, name] of sentence.matchAll(/\{(\w+)\}/g)) assert.ok(name in found, `${sentence}: ${name}`);
    }
  });
}

test("The keys of a TAP are those of its protocol's page", () => {
  const rows = [...text("docs/protocols/tap.md").matchAll(/^\| K(\d\d) \|.*"key":"(\w+)"/gm)];
  assert.equal(rows.length, 31);
  for (const [, number, key] of rows) assert.equal(keyOf(Number(number)), key);
  assert.equal([5, 1, 31, 7, 1, 14].reduce(typed, ""), "DA ");
  assert.equal(typed("A", 25), "A\n");
});

test("The main number of a device is its first reported number, with its unit", () => {
  const store = stored({ "lamp/mode": '"on"', "lamp/climate": '{"seq":3,"humidity":40}' });
  const reports = [{ name: "mode" }, { name: "climate", fields: { humidity: { unit: "%" } } }];
  assert.deepEqual(mainNumber(store, "lamp", reports), { topic: "lamp/climate", path: "humidity", name: "climate humidity", unit: "%", value: 40 });
  assert.equal(mainNumber(store, "lamp", [{ name: "mode" }]), null);
});

test("Each request of the contract has a control in the page, or the guide states why not", () => {
  const contract = JSON.parse(text("docs/reference/contract-2.json"));
  const requests = Object.entries(contract.bridge).filter(([, { set }]) => set?.topic.includes("/request/")).map(([name]) => name);
  assert.ok(requests.length > 15);
  const sources = readdirSync(new URL("console/js/", root), { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => text(`console/js/${name}`)).join("\n");
  const guide = text("docs/guides/console-views.md").split("## Requests without a control")[1] ?? "";
  for (const name of requests) {
    const isUsed = sources.includes(`request="${name}"`) || new RegExp(`requestTo\\([\\w.]+, "${name}"\\)`).test(sources)
      || sources.includes(`button("${name}"`) || sources.includes(`button("${name}",`) || sources.includes(`topic("${name}")`);
    assert.notEqual(isUsed, guide.includes(`\`${name}\``), `${name}: a control or a line in the guide, and not both`);
  }
});

const withoutTime = ({ topic, message: { time, ...message } }) => {
  assert.ok(!Number.isNaN(Date.parse(time)));
  return { topic, message };
};

test("A device of the roster prefers a bridge by its entry, whose other fields stay", () => {
  const store = stored({ ...good, "roster/c0ffee00be01": entry("belt", { preferred: ["attic"], settings: { intent_s: 20 }, newer: 1 }) });
  assert.deepEqual(withoutTime(preferring(store, "C0:FF:EE:00:BE:01", ["cellar"])), { topic: "roster/c0ffee00be01",
    message: { v: 1, name: "belt", family: "belt", settings: { intent_s: 20 }, preferred: ["cellar"], newer: 1, by: "console" } });
  assert.equal(preferring(store, "C0:FF:EE:00:BE:02", ["attic"]), null);
});

test("A device joins and leaves groups of the roster; other groups stay, and a group ends with its last member", () => {
  const groups = (message) => withoutTime(message).message.groups;
  const store = stored({ ...good, "roster/groups": '{"v":1,"groups":{"g":["belt"],"h":["belt","tap"]},"by":"a","time":"2026-01-31T12:00:00Z"}' });
  assert.deepEqual(groups(grouping(store, "g", "tap", true)), { g: ["belt", "tap"], h: ["belt", "tap"] });
  assert.deepEqual(groups(grouping(store, "h", "belt", true)), { g: ["belt"], h: ["tap", "belt"] });
  assert.deepEqual(groups(grouping(store, "g", "belt", false)), { h: ["belt", "tap"] });
  const first = grouping(stored({}), "g", "belt", true);
  assert.deepEqual(withoutTime(first), { topic: "roster/groups", message: { v: 1, groups: { g: ["belt"] }, by: "console" } });
  assert.deepEqual(groupsOf(stored({ "roster/groups": '{"groups":{"g":3,"h":["x"]}}' })), { h: ["x"] });
});

test("A group has a name that bridges accept", () => {
  const store = stored({ ...good, "bridge/attic/features/belt": "{}", "belt/features": '{"navigation":{}}',
    "bridge/attic/devices": '[{"name":"belt","family":"belt","address":"C0:FF:EE:00:BE:01"},{"name":"hall/lamp","family":"x","address":"2"}]' });
  for (const name of ["room", "hall/room", "a_b-C/2"]) assert.equal(mayNameGroup(store, name), true, name);
  for (const name of ["", "a b", "/a", "a//b", "a/+", "ü", "belt", "belt/x", "hall", "hall/lamp", "bridge", "bridge/x", "all", "roster", "zone/x",
    "room/set", "room/navigation", "x".repeat(129)]) assert.equal(mayNameGroup(store, name), false, name);
});

test("An event of a TAP is an input of a gesture file, and a relaxed hand is none", () => {
  for (const [feature, value, input] of [
    ["tapped", { combination: 3, fingers: ["thumb", "index"] }, "tapped thumb+index"],
    ["gesture", { gesture: "one_finger_up", code: 2 }, "gesture one_finger_up"],
    ["air_gesture", { gesture: "fist", code: 1 }, "air_gesture fist"],
    ["pointer", { action: "drag", finger: "index" }, "pointer drag index"],
    ["air_gesture", { gesture: "none", code: 1 }, null], ["pointer", { action: "drag" }, null],
    ["tapped", { fingers: [] }, null], ["tapped", undefined, null], ["moused", { velocity_x: 1 }, null],
  ]) assert.equal(inputOf(feature, value), input);
});

const recorded = (...inputs) => inputs.map((word, place) => ({ word, at: 1000 + place * 640 }));
const gesture = (inputs, more = {}) => ({ inputs: recorded(...inputs), action: "go", layer: "base", next: "", ...more });

test("A gesture file has the gestures by layer, and a time limit that covers the recorded pauses", () => {
  const file = gestureFile("tap", [gesture(["tapped thumb"], { next: "media" }), gesture(["tapped index", "tapped index"], { layer: "media", action: "", next: "base" }),
    gesture(["air_gesture fist"])]);
  assert.equal(file, `version: 1
family: tap
within_ms: 800
layers:
  base:
    - { inputs: tapped thumb, action: go, layer: media }
    - { inputs: air_gesture fist, action: go }
  media:
    - { inputs: [tapped index, tapped index], layer: base }
`);
  const within = (pause) => gestureFile("tap", [{ ...gesture([]), inputs: [{ word: "a", at: 0 }, { word: "b", at: pause }] }]).match(/within_ms: (\d+)/)[1];
  assert.deepEqual([100, 400, 401, 5000].map(within), ["500", "500", "600", "5000"]);
});

test("What the bridge would refuse in a gesture file is found before", () => {
  const key = (gesture, others = []) => problem(gesture, others)?.key ?? null;
  assert.equal(key(gesture(["tapped thumb"])), null);
  assert.equal(key(gesture([])), "inputs");
  assert.equal(key(gesture(["tapped thumb"], { action: "" })), "action");
  assert.deepEqual(problem(gesture(["tapped thumb"], { action: "Go now" }), []), { key: "name", name: "Go now" });
  assert.equal(key(gesture(["tapped thumb"], { layer: "" })), "name");
  assert.equal(key(gesture(["tapped thumb"], { next: "x".repeat(65) })), "name");
  assert.equal(key({ ...gesture([]), inputs: [{ word: "tapped thumb", at: 0 }, { word: "tapped thumb", at: 5001 }] }), "pause");
  assert.equal(key(gesture(["tapped thumb"]), [gesture(["tapped thumb"])]), "same");
  assert.equal(key(gesture(["tapped thumb"]), [gesture(["tapped thumb"], { layer: "media" })]), null);
  assert.deepEqual(missing([gesture(["a"], { next: "media" }), gesture(["b"], { next: "base" })]), ["media"]);
});

test("In German too, different actions have different words", () => {
  const words = flat(JSON.parse(text("console/lang/de.json")));
  const actions = ["log.clear", "fleet.drain", "bulk.clear", "devices.forget", "devices.disconnect", "stop.cancel", "patterns.end", "belt.stop", "cancel", "close"];
  assert.equal(new Set(actions.map((key) => words[key])).size, actions.length);
});

test("Each code of the contract has words in each language", () => {
  const tables = text("docs/reference/error-codes.md").split("\n\n");
  for (const language of ["en", "de"]) {
    const words = flat(JSON.parse(text(`console/lang/${language}.json`)));
    for (const [head, prefix, none] of [["code", "code", []], ["reason_code", "reason", ["between_visits"]], ["advice_code", "advice", ["see_advice"]]]) {
      const [, , ...rows] = tables.find((table) => table.startsWith(`| \`${head}\` |`)).trim().split("\n");
      const codes = rows.map((row) => row.match(/^\| `(\w+)`/)[1]);
      assert.ok(codes.length > 10);
      // A device between two visits has no reason, and the words of `see_advice` are in `advice`.
      assert.deepEqual(codes.filter((code) => !words[`${prefix}.${code}`]), none);
    }
  }
});

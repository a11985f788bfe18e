// Tests of the console's pure functions; they run in node without a browser: node --test Tests/Console/units.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { around, fromRing, keyed, motorAt, onRing, directionName, angleOf } from "../../console/js/compass.js";
import { brokenRule, csv, numbers, quoted, read, shellLine } from "../../console/js/payload.js";
import { capped, gamepadMotion, Hold, keyMotion } from "../../console/js/hold.js";
import { deviceFilters, troubleFirst, devices, features, shownState } from "../../console/js/catalog.js";
import { read as readMessage } from "../../console/js/messages.js";
import { href, route } from "../../console/js/router.js";
import { Choice } from "../../console/js/choice.js";
import { MotionWatch, StopRule } from "../../console/js/stop-rule.js";
import { matches, Store } from "../../console/js/store.js";

/** A hold that records its messages. */
function held() {
  const sent = [];
  const hold = new Hold("robot", (message) => sent.push(message), () => 7);
  hold.press(0);
  return { hold, sent };
}
const motion = { x: 0, y: 1, turn: 0 };
const tick = (n) => ({ type: "tick", device: "robot", n });

test("A hold drives once for each tick, and only its first drive asks for an answer", () => {
  const { hold, sent } = held();
  for (let n = 1; n <= 3; n++) hold.tick(tick(n), n * 100, motion, () => "1");
  assert.deepEqual(sent.map(({ type }) => type), ["press", "drive", "drive", "drive"]);
  assert.deepEqual(sent.slice(1).map(({ id }) => id), ["1", undefined, undefined]);
  assert.deepEqual(sent.slice(1).map(({ tick: n }) => n), [1, 2, 3]);
});

test("A release is said once, and nothing is driven after it", () => {
  const { hold, sent } = held();
  hold.tick(tick(1), 100, motion, () => "1");
  assert.equal(hold.release(), true);
  assert.equal(hold.release(), false);
  hold.tick(tick(2), 200, motion, () => "2");
  assert.deepEqual(sent.map(({ type }) => type), ["press", "drive", "release"]);
});

test("Ticks that stay away end a hold, and ticks that come back move nothing", () => {
  const { hold, sent } = held();
  hold.tick(tick(1), 100, motion, () => "1");
  assert.equal(hold.late(450), false);
  assert.equal(hold.late(501), true);
  hold.tick(tick(2), 510, motion, () => "2");
  assert.equal(sent.at(-1).type, "release");
});

test("Another one's stick and the server's end are the end of a hold", () => {
  const first = held();
  first.hold.stick({ device: "robot", holder: "", yours: true, hold: "7" });
  assert.equal(first.hold.granted, true);
  assert.equal(first.hold.stick({ device: "robot", holder: "anna", yours: false, hold: null }), true);
  assert.equal(first.hold.active, false);
  const second = held();
  assert.equal(second.hold.over({ device: "robot", hold: "6", reason: "late" }), false);
  assert.equal(second.hold.over({ device: "robot", hold: "7", reason: "late" }), true);
});

test("The cap holds for the vector and for the turn", () => {
  assert.deepEqual(capped({ x: 3, y: 4, turn: -2 }, 0.5), { x: 0.3, y: 0.4, turn: -0.5 });
  assert.deepEqual(capped({ x: 0, y: 0.5, turn: 0 }, 1), { x: 0, y: 0.5, turn: 0 });
});

test("Keys that oppose each other cancel out", () => {
  assert.deepEqual(keyMotion(new Set(["up", "down", "right", "counter"])), { x: 1, y: 0, turn: -1 });
});

test("A gamepad drives only while its dead man's button is held (a stub of a gamepad)", () => {
  const pad = (pressed) => ({ connected: true, axes: [0.5, -1, 0.02], buttons: Array.from({ length: 6 }, (_, n) => ({ pressed: n === 5 && pressed })) });
  assert.equal(gamepadMotion(pad(false)), null);
  assert.deepEqual(gamepadMotion(pad(true)), { x: 0.5, y: 1, turn: 0 });
  assert.equal(gamepadMotion({ ...pad(true), connected: false }), null);
});

test("A direction and its place on the ring agree for both references", () => {
  for (const reference of ["belt", "magnetic"]) {
    for (let direction = 0; direction < 360; direction += 7.5) {
      assert.equal(fromRing(onRing(direction, reference, 90), reference, 90), direction);
    }
  }
  assert.equal(onRing(90, "magnetic", undefined), null);
  assert.equal(motorAt(90), 4);
  assert.equal(motorAt(355), 0);
  assert.equal(directionName(90, true), "direction.e");
  assert.equal(directionName(350, false), "side.front");
  assert.equal(Math.round(angleOf(1, 0)), 90);
});

test("Keys turn by 5 and by 22.5 degrees, across north too", () => {
  assert.equal(keyed("ArrowLeft", 0), 355);
  assert.equal(keyed("PageUp", 350), 12.5);
  assert.equal(keyed("End", 10), 180);
  assert.equal(keyed("x", 10), null);
  assert.equal(around(-1), 359);
});

test("A control's text becomes the value that its field declares, or says what is wrong", () => {
  const reason = (field, text) => read(field, text).message;
  assert.equal(read({ type: "integer", minimum: 5, maximum: 100 }, "60"), 60);
  assert.equal(reason({ type: "integer" }, "1.5"), "integer");
  assert.equal(reason({ type: "number", minimum: 0, exclusive_maximum: 360 }, "360"), "range");
  assert.equal(read({ type: "boolean" }, "false"), false);
  assert.equal(read({ type: "integer", nullable: true }, "null"), null);
  assert.equal(read({ type: "text" }, ""), undefined);
  assert.deepEqual(read({ type: "list" }, "[0,8]"), [0, 8]);
  assert.equal(reason({ type: "list" }, "[0,"), "json");
});

test("Each kind of rule is held to", () => {
  const broken = (rule, object, fields) => brokenRule([rule], object, fields) !== null;
  assert.equal(broken({ at_most_one: ["motor", "direction"] }, { motor: 1, direction: 2 }), true);
  assert.equal(broken({ exactly_one: ["a", "b"] }, {}), true);
  assert.equal(broken({ at_least_one: ["x", "turn"] }, {}, { turn: { default: 0 } }), false);
  assert.equal(broken({ requires: ["speed"], given: ["direction"] }, { direction: 90 }), true);
  assert.equal(broken({ requires: ["speed"], given: ["direction"] }, {}), false);
  assert.equal(broken({ excludes: ["b"], when: { a: [1] } }, { a: 1, b: 1 }), true);
  const confirm = { any_is: { keys: ["confirm"], value: true }, when: { mode: ["standby"] } };
  assert.equal(broken(confirm, { mode: "standby" }, { confirm: { default: false } }), true);
  assert.equal(broken(confirm, { mode: "standby", confirm: true }), false);
  assert.equal(broken(confirm, { mode: "app" }), false);
});

test("The shell's line quotes what a shell would read", () => {
  assert.equal(shellLine("belt/stop/set", ""), "mosquitto_pub -t belt/stop/set -n");
  assert.equal(shellLine("belt/x/set", `{"a":"it's"}`), `mosquitto_pub -t belt/x/set -m '{"a":"it'\\''s"}'`);
  assert.equal(quoted("90"), "90");
  assert.equal(quoted("a;b"), "'a;b'");
});

test("CSV escapes quotes and disarms what a table would take as a formula", () => {
  const text = csv([{ time: "t", topic: "a", kind: "event", payload: '=1+"x"' }, { time: "t", topic: "a", kind: "event", payload: "-5" }]);
  assert.match(text, /"'=1\+""x"""\r\n/);
  assert.match(text, /,"-5"\r\n$/);
});

test("A device of its messages alone has its commands, and trouble comes first", () => {
  const store = new Store();
  store.take([
    ["bridge/attic/devices", '[{"name":"a","family":"f","address":"1"},{"name":"b","family":"f","address":"2"}]', "s"],
    ["bridge/attic/availability", "online", "s"], ["a/availability", "online", "s"], ["b/availability", "offline", "s"],
    ["a/features", '{"family":{"topic":"bridge/attic/features/f"},"motor":{"kind":"command","set":{"topic":"a/motor/set"}}}', "s"],
    ["bridge/attic/features/f", '{"family":{"name":"f"},"motor":{"kind":"command","summary":"Turns.","set":{"fields":{"on":{"type":"integer"}}}}}', "s"],
  ]);
  assert.deepEqual(devices(store).map(({ name, online }) => [name, online]), [["b", false], ["a", true]]);
  const [motor] = features(store, "a");
  assert.deepEqual(motor.set, { fields: { on: { type: "integer" } }, topic: "a/motor/set" });
  store.take([["bridge/attic/availability", "offline", "s"]]);
  assert.equal(devices(store).some(({ online }) => online), false);
  assert.ok(troubleFirst({ name: "z", online: false, connection: {} }, { name: "a", online: true, connection: {} }) < 0);
});

test("Filters, numbers and cleared states", () => {
  assert.equal(matches("a/#", "a"), true);
  assert.equal(matches("a/+", "a/b/c"), false);
  assert.equal(matches("+/b", "a/b"), true);
  assert.deepEqual(numbers({ a: 1, s: { b: 2 }, seq: 9, t: "x" }), [["a", 1], ["s.b", 2]]);
  const store = new Store();
  store.take([["a", "1", "s"], ["a", "", "s"]]);
  assert.equal(store.value("a"), undefined);
});

/** The rule of a stop that records its attempts. */
function stopping(device = null) {
  const sent = [];
  const rule = new StopRule((what, id) => sent.push([what, id]));
  rule.press(0, "a", device);
  return { rule, sent };
}
const silent = { status: "open", silent: ["hall"] };

test("A stop is sent at once, and confirmed only by the outcome of its own id", () => {
  const { rule, sent } = stopping();
  assert.deepEqual([rule.state, sent], ["sending", [[null, "a"]]]);
  rule.answered("other", { status: "confirmed" });
  assert.equal(rule.state, "sending");
  rule.answered("a", { status: "confirmed" });
  rule.tick(20_000);
  assert.deepEqual([rule.state, sent.length], ["confirmed", 1]);
});

test("After 1.5 s without a word it was not sent, and that stays until it is acknowledged", () => {
  const { rule } = stopping();
  rule.tick(1499);
  assert.equal(rule.state, "sending");
  rule.tick(1500);
  assert.deepEqual([rule.state, rule.outcome.status], ["failed", "not_sent"]);
  rule.tick(60_000);
  assert.equal(rule.state, "failed");
  rule.acknowledge();
  assert.equal(rule.state, "idle");
});

test("It is repeated with its id until it is confirmed, for at most 10 s", () => {
  const { rule, sent } = stopping();
  for (let now = 0; now <= 20_000; now += 100) {
    rule.tick(now);
    if (now % 500 === 0) rule.answered("a", silent);
  }
  assert.equal(rule.repeating, false);
  assert.ok(sent.length >= 9 && sent.length <= 11, String(sent.length));
  assert.ok(sent.every(([what, id]) => what === null && id === "a"));
  const second = stopping();
  second.rule.answered("a", silent);
  second.rule.tick(1000);
  second.rule.answered("a", { status: "confirmed" });
  second.rule.tick(5000);
  assert.deepEqual([second.rule.state, second.sent.length], ["confirmed", 2]);
});

test("It is not repeated after it is cancelled, nor after somebody drives again", () => {
  for (const end of [(rule) => rule.acknowledge(), (rule) => rule.drives(), (rule) => rule.answered("a", { status: "driven" })]) {
    const { rule, sent } = stopping();
    rule.answered("a", silent);
    end(rule);
    for (let now = 0; now <= 12_000; now += 100) rule.tick(now);
    assert.equal(sent.length, 1);
  }
});

test("A stop of one device does not take the place of one of everything that is not confirmed", () => {
  const { rule, sent } = stopping();
  rule.press(100, "b", "robot");
  assert.deepEqual(sent.at(-1), [null, "b"]);
  rule.answered("b", { status: "confirmed" });
  rule.press(200, "c", "robot");
  assert.deepEqual(sent.at(-1), ["robot", "c"]);
});

test("A robot drives again if it stood and moves", () => {
  const watch = new MotionWatch();
  const seen = [{ moving: true }, { moving: true }, { moving: false }, { moving: true }, null].map((status) => watch.take("r", status));
  assert.deepEqual(seen, [false, false, false, true, false]);
});

const one = { name: "robot", address: "A", online: true };
const two = { name: "tank", address: "B", online: true };

test("A choice is by address: it survives a rename, which is told, and never falls to another device", () => {
  const choice = new Choice("B");
  assert.equal(choice.update([one, two]), null);
  assert.equal(choice.device.name, "tank");
  assert.equal(choice.update([one, { ...two, name: "mule" }]), "renamed");
  assert.deepEqual([choice.device.name, choice.renamed], ["mule", true]);
  assert.equal(choice.update([one]), "gone");
  assert.deepEqual([choice.device, choice.missing], [null, true]);
  assert.equal(choice.update([one]), null);
  assert.deepEqual(choice.options([one], { missing: (address) => `${address}?`, none: "-" }), [["B", "B?"], ["A", "robot"]]);
  assert.equal(choice.update([two, one]), "renamed");
});

test("Only a single device is chosen without being asked for", () => {
  const choice = new Choice();
  assert.equal(choice.update([one, two]), null);
  assert.deepEqual([choice.device, choice.missing], [null, false]);
  assert.equal(choice.options([one, two], { none: "-", missing: String })[0][0], "");
  const single = new Choice();
  single.update([one]);
  single.update([two, one]);
  assert.equal(single.device.name, "robot");
});

test("An address that cannot be decoded is taken as it is, and an unknown view is the start", () => {
  assert.deepEqual(route("#/explore/%"), { view: "live", part: "%", tab: null });
  assert.deepEqual(route("#/no/such"), { view: "home", part: "such", tab: null });
  assert.deepEqual(route("#/d/C0%3AFF/control"), { view: "device", part: "C0:FF", tab: "control" });
  assert.equal(href("device", "C0:FF", "log"), "#/d/C0%3AFF/log");
  assert.deepEqual(route(href("belt", "a/b")), { view: "belt", part: "a/b", tab: null });
});

test("An invalid entry of a list is named and hides no other, and the prefix of topics is removed", () => {
  const list = readMessage('bridge/zz/devices', '[null,{"name":"a","family":"f","address":"1"},3]');
  assert.deepEqual(list.value, [{ name: "a", family: "f", address: "1" }]);
  assert.match(list.problem, /found null in the list/);
  assert.equal(readMessage("a/connection", "[]").value, undefined);
  assert.equal(readMessage("a/availability", "online").value, "online");
  assert.match(readMessage("a/availability", "maybe").problem, /"maybe"; allowed: online, offline/);
  const features = readMessage("a/features", '{"x":{"set":{"topic":"site/a/x/set"}},"bad":3,"family":{"topic":"site/bridge/b/features/f"}}', "site/");
  assert.deepEqual(features.value.x.set.topic, "a/x/set");
  assert.deepEqual([features.value.family.topic, "bad" in features.value], ["bridge/b/features/f", false]);
});

test("A snapshot replaces the store, and a lost connection makes it stale since the newest message", () => {
  const store = new Store();
  assert.equal(store.freshness.state, "unknown");
  store.begin();
  store.take([["a", "1", "s"], ["b", "1", "s"]]);
  store.complete();
  assert.equal(store.freshness.state, "live");
  store.lost("console", 5000);
  assert.deepEqual(store.freshness, { state: "stale", since: 5000, cause: "console" });
  store.lost("console", 9000);
  assert.equal(store.freshness.since, 5000);
  store.begin();
  store.found();
  store.take([["a", "2", "s"]]);
  assert.deepEqual([store.value("b"), store.freshness.state], [1, "stale"]);
  store.complete();
  assert.deepEqual([store.value("a"), store.value("b"), store.freshness.state], [2, undefined, "live"]);
});

test("Devices of any number of levels are watched, with a set of filters for each number", () => {
  const store = new Store();
  store.take([["bridge/b/devices", JSON.stringify(["a", "b/c/d/e/f"].map((name, n) => ({ name, family: "f", address: String(n) }))), "s"]]);
  const filters = deviceFilters(store);
  assert.ok(filters.includes("+/availability") && filters.includes("+/+/+/+/+/availability"));
  assert.equal(filters.length, 15);
});

test("Nothing is shown as online while the store is not fresh", () => {
  const device = { isCurrent: true, bridgeOnline: true, online: true, connection: {} };
  assert.equal(shownState(device), "online");
  assert.equal(shownState({ ...device, isCurrent: false }), "unknown");
  assert.equal(shownState({ ...device, bridgeOnline: false }), "bridge_away");
});

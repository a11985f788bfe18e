// Devices: a card each, trouble first, and how new ones join.

import { ask, h, labelled, replace } from "../element.js";
import { clock, known, number, t } from "../words.js";
import { bridges, devices, lowBattery } from "../catalog.js";
import { errorText } from "../command-form.js";
import { View } from "../view.js";

class Devices extends View {
  #cards = new Map();
  #found = new Map();
  #joins = new Map();

  build() {
    this.join = h("div", { class: "grid" });
    this.list = h("div", { class: "grid" });
    this.discovered = h("div", {});
    this.figures = h("div", { class: "grid" });
    this.empty = h("p", { class: "quiet" }, t("devices.none"));
    this.replaceChildren(h("h1", {}, t("view.devices")), this.empty, this.list,
      h("section", {}, h("h2", {}, t("join.title")), h("p", {}, t("join.text")), this.join, this.discovered),
      h("section", {}, h("h2", {}, t("bridges.title")), this.figures));
    this.watch(["bridge/+/stats"]);
    this.every(1000, () => this.#countDown());
  }

  take({ messages }) {
    for (const [topic, payload] of messages) {
      if (!/^bridge\/[^/]+\/event$/.test(topic)) continue;
      const event = JSON.parse(payload);
      const bridge = topic.split("/")[1];
      if (event.event === "device_discovered") this.#found.set(event.address, { ...event, bridge });
      if (event.event === "device_joined") this.#found.delete(event.address);
      const text = known(`event.${event.event}`, null);
      if (text) this.announce(t(`event.${event.event}`, { device: event.device ?? event.name ?? event.address ?? "" }));
    }
  }

  draw() {
    const all = devices(this.store);
    this.empty.hidden = all.length > 0;
    const cards = all.map((device) => this.#card(device));
    if (cards.length !== this.list.children.length || cards.some((card, place) => this.list.children[place] !== card)) {
      replace(this.list, cards);
    }
    for (const name of this.#cards.keys()) {
      if (!all.some((device) => device.name === name)) this.#cards.delete(name);
    }
    this.#drawJoin();
    this.#drawDiscovered();
    this.#drawFigures();
  }

  /** A card is made anew only when what it says has changed. */
  #card(device) {
    const mark = JSON.stringify(device);
    const entry = this.#cards.get(device.name) ?? { card: h("article", { class: "card" }), mark: "" };
    this.#cards.set(device.name, entry);
    if (entry.mark === mark) return entry.card;
    const said = this.store.entry(`${device.name}/availability`)
      && this.store.entry(`bridge/${device.bridge}/availability`);
    if (entry.known && entry.online !== device.online) {
      this.announce(t(device.online ? "devices.back" : "devices.gone", { device: device.name }));
    }
    entry.mark = mark;
    entry.known = Boolean(said);
    entry.online = device.online;
    entry.card.className = `card ${device.online ? "" : "away"}`;
    replace(entry.card, ...this.#content(device));
    return entry.card;
  }

  #content(device) {
    const { connection, info, battery } = device;
    const state = !device.bridgeOnline ? "bridge_away" : device.online ? "online" : connection.state ?? "offline";
    const rows = [
      battery && [t("devices.battery"), `${number(battery.level ?? 0)} %${lowBattery(device) ? ` – ${t("devices.low")}` : ""}`],
      typeof connection.rssi === "number" && [t("devices.signal"), `${connection.rssi} dBm`],
      connection.since && [t("devices.since"), clock(connection.since)],
      !device.online && device.lastSeen && [t("devices.last_seen"), clock(device.lastSeen)],
      connection.next_attempt && [t("devices.next"), clock(connection.next_attempt)],
      [t("devices.bridge"), device.bridge],
      [t("devices.model"), [info.manufacturer, info.model].filter(Boolean).join(" ") || device.family],
      [t("devices.address"), device.address],
    ].filter(Boolean);
    const reason = connection.reason && known(`reason.${connection.reason_code}`, connection.reason);
    const advice = connection.advice ?? known(`advice.${connection.advice_code}`, "");
    return [
      h("h2", {}, device.name),
      h("p", { class: `state ${device.online ? "good" : "bad"}` }, h("span", { "aria-hidden": "true" }, device.online ? "● " : "○ "),
        known(`link.${state}`, state)),
      reason && !device.online ? h("p", {}, reason) : null,
      advice && !device.online ? h("p", { class: "advice" }, h("strong", {}, `${t("devices.do")} `), advice) : null,
      h("dl", {}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      this.#actions(device),
    ];
  }

  #actions(device) {
    const said = h("p", { role: "status", class: "said" });
    const act = (name, title, run) => h("button", { "data-key": `${device.name} ${name}`, onclick: run,
      "aria-label": t("devices.action", { action: title, device: device.name }) }, title);
    const request = async (name, payload) => {
      said.textContent = t("form.waiting");
      const response = await this.link.publish(`bridge/${device.bridge}/request/${name}`, payload);
      said.textContent = response.status === "ok" ? t("answer.ok") : errorText(response);
    };
    const plain = (name) => act(name, t(`devices.${name}`), () => request(name, { device: device.name }));
    const configured = device.connection.configured === true;
    const rename = async () => {
      const to = await ask({ title: t("devices.rename"), text: t("devices.rename.text", { device: device.name }),
        yes: t("devices.rename"), no: t("cancel"), input: { label: t("devices.rename.to"), value: device.name } });
      if (to && to !== device.name) await request("rename", { device: device.name, to });
    };
    const forget = async () => {
      const sure = await ask({ title: t("devices.forget"), text: t("devices.forget.text", { device: device.name }),
        yes: t("devices.forget"), no: t("cancel"), danger: true });
      if (sure) await request("forget", { device: device.name });
    };
    return h("details", { class: "more" }, h("summary", { "data-key": `${device.name} more` }, t("devices.more")),
      h("div", { class: "row" }, device.online ? plain("disconnect") : plain("connect"), plain("pair"),
        configured ? null : act("rename", t("devices.rename"), rename),
        configured ? null : act("forget", t("devices.forget"), forget)),
      configured ? h("p", { class: "quiet" }, t("devices.configured")) : null, said);
  }

  #drawJoin() {
    const names = bridges(this.store);
    if (this.join.dataset.names === JSON.stringify(names)) return this.#countDown();
    this.join.dataset.names = JSON.stringify(names);
    this.#joins.clear();
    this.join.replaceChildren(...names.map((bridge) => {
      const said = h("p", { role: "status" });
      const left = h("p", { class: "count" });
      const seconds = h("select", {}, [30, 60, 180, 600].map((value) => h("option", { value }, `${value} s`)));
      seconds.value = "60";
      const send = async (value) => {
        const response = await this.link.publish(`bridge/${bridge}/request/permit_join`, { seconds: value });
        said.textContent = response.status === "ok" ? response.warning ?? "" : errorText(response);
      };
      const start = h("button", { class: "primary", onclick: () => send(Number(seconds.value)) }, t("join.start", { bridge }));
      const end = h("button", { hidden: true, onclick: () => send(0) }, t("join.end"));
      this.#joins.set(bridge, { left, end });
      return h("div", { class: "card" }, labelled(t("join.seconds"), seconds), h("div", { class: "row" }, start, end), left, said);
    }));
  }

  #countDown() {
    for (const [bridge, { left, end }] of this.#joins) {
      const until = this.store.value(`bridge/${bridge}/info`)?.permit_join_until;
      const seconds = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : 0;
      left.textContent = seconds > 0 ? t("join.left", { seconds }) : "";
      end.hidden = seconds <= 0;
    }
  }

  #drawDiscovered() {
    const mark = [...this.#found.keys()].join();
    if (this.discovered.dataset.mark === mark) return;
    this.discovered.dataset.mark = mark;
    replace(this.discovered, this.#found.size ? h("h3", {}, t("join.found")) : null, h("ul", { class: "plain" },
      [...this.#found.values()].map((found) => h("li", { class: "card" },
        h("strong", {}, found.name ?? t("join.unnamed")), ` ${found.family ?? ""} · ${found.address}`,
        typeof found.rssi === "number" ? ` · ${found.rssi} dBm` : "", h("br"),
        h("button", { "data-key": found.address, onclick: () => this.#admit(found) }, t("join.admit"))))));
  }

  /** A keyboard joins only after its address was confirmed; other advice says only that a plain window is not enough. */
  async #admit({ address, name, bridge, advice }) {
    const isKeyboard = advice?.includes("keyboard") ?? false;
    const text = t(isKeyboard ? "join.keyboard" : "join.confirm", { name: name ?? t("join.unnamed"), address });
    const typed = await ask({ title: t("join.admit"), text, yes: t("join.admit"), no: t("cancel"),
      input: isKeyboard ? { label: t("join.type_address"), value: "" } : null, danger: isKeyboard });
    if (typed === null) return;
    if (isKeyboard && typed.trim().toUpperCase() !== address.toUpperCase()) {
      this.announce(t("join.other_address"), true);
      return;
    }
    const response = await this.link.publish(`bridge/${bridge}/request/permit_join`, { seconds: 60, address });
    if (response.status !== "ok") this.announce(errorText(response), true);
  }

  #drawFigures() {
    const shown = bridges(this.store).map((bridge) => {
      const info = this.store.value(`bridge/${bridge}/info`) ?? {};
      const stats = this.store.value(`bridge/${bridge}/stats`);
      return { bridge, info, stats, online: this.store.value(`bridge/${bridge}/availability`) === "online" };
    });
    const mark = JSON.stringify(shown);
    if (this.figures.dataset.mark === mark) return;
    this.figures.dataset.mark = mark;
    replace(this.figures, shown.map(({ bridge, info, stats, online }) => {
      const rows = [
        [t("bridges.version"), info.version], [t("bridges.host"), info.host], ["BlueZ", info.bluez],
        [t("bridges.adapters"), (info.adapters ?? []).map(({ name, powered }) => `${name}${powered ? "" : ` (${t("bridges.off")})`}`).join(", ")],
        [t("bridges.devices"), info.devices && t("bridges.of", info.devices)],
        [t("bridges.started"), info.started && clock(info.started)],
        [t("bridges.memory"), stats?.memory_bytes && `${number(stats.memory_bytes / 1e6)} MB`],
        [t("bridges.commands"), stats?.commands?.count && `${stats.commands.count}, p99 ${number(stats.commands.p99_ms, 1)} ms`],
        [t("bridges.messages"), stats?.mqtt && `${number(stats.mqtt.in)} / ${number(stats.mqtt.out)}`],
        [t("bridges.dropped"), stats?.mqtt?.dropped && number(Object.values(stats.mqtt.dropped).reduce((a, b) => a + b, 0))],
      ].filter(([, value]) => value);
      return h("article", { class: "card" }, h("h3", {}, bridge),
        h("p", { class: `state ${online ? "good" : "bad"}` }, h("span", { "aria-hidden": "true" }, online ? "● " : "○ "),
          t(online ? "link.online" : "link.offline")),
        h("dl", {}, rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
    }));
  }
}

customElements.define("tb-devices", Devices);

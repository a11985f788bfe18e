// The start of the page: language, login, connection, the frame, and which view is shown.

import { json, pairs } from "./messages.js";
import { Choose, Field, html, isBase, page, quiet, render, useEffect, useEvent, useInterval, useRedraw, useRef, useState, useStore } from "./ui.js";
import { ago, clock, known, languages, language, loadLanguage, store as keep, t } from "./words.js";
import { Store } from "./store.js";
import { Link } from "./link.js";
import { bridgeFilters, bridges, deviceFilters, devices, isBridgeOnline, shownState } from "./catalog.js";
import { Icon } from "./icons.js";
import { Login } from "./login.js";
import { HistoryButton, Notices } from "./notices.js";
import { href, route, views } from "./router.js";
import { Stop } from "./stop.js";
import { applyTheme, setTheme, theme, themes } from "./theme.js";
import { Add } from "./views/add.js";
import { Belt } from "./views/belt.js";
import { Device } from "./views/device.js";
import { Devices } from "./views/devices.js";
import { Fleet } from "./views/fleet.js";
import { Home } from "./views/home.js";
import { Live } from "./views/live.js";
import { Patterns } from "./views/patterns.js";
import { Robot } from "./views/robot.js";
import { Tap } from "./views/tap.js";

const shown = { add: Add, belt: Belt, device: Device, devices: Devices, fleet: Fleet, home: Home, live: Live, patterns: Patterns, robot: Robot, tap: Tap };
const main = document.getElementById("main");

const session = async () => (await fetch("api/session", { cache: "no-store" })).json();

/** A token of the address is used once, and removed from the address and the history. */
async function useToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("api/login", { method: "POST", body: json({ token }) });
}

async function logOut() {
  await fetch("api/logout", { method: "POST" });
  page.link.end();
  location.reload();
}

function Header({ who, view }) {
  const choose = (event) => {
    keep("language", event.target.value);
    location.reload();
  };
  const current = view === "device" || view === "add" ? "devices" : view;
  const skip = (event) => {
    event.preventDefault();
    main.focus();
  };
  const close = ({ key, shiftKey, currentTarget }) => {
    if (key !== "Escape" || shiftKey) return;
    currentTarget.open = false;
    currentTarget.firstChild.focus();
  };
  const canLogOut = who?.logged_in && (who.login === "token" || who.login === "broker");
  return html`<a class="skip" href="#main" onclick=${skip}>${t("skip")}</a>
    <div class="brand"><strong>Tactile Bridge</strong>${who?.ready ? html`<${State} />` : null}</div>
    ${who?.ready ? html`<nav aria-label=${t("views")}>${views.map((name) => html`<a key=${name} href=${href(name)}
      aria-current=${name === current ? "page" : null}><${Icon} name=${name} /><span>${t(`view.${name}`)}</span></a>`)}</nav>` : null}
    <div class="account">${who?.ready ? html`<${HistoryButton} />` : null}
      <details class="settings" onkeydown=${close}><summary aria-label=${t("settings")} title=${t("settings")}><${Icon} name="settings" /></summary><div class="card">
        ${who?.user ? html`<p>${t("settings.user", { user: who.user })}</p>` : null}
        ${who?.ready ? html`<${Roles} />` : null}
        <${Field} label=${t("language")}>${(joint) => html`<select ...${joint} onchange=${choose}>${pairs(languages).map(([key, name]) =>
    html`<option value=${key} lang=${key} selected=${key === language}>${name}</option>`)}</select>`}<//>
        <${Choose} label="theme" value=${theme()} onchange=${setTheme}
          choices=${themes.map((name) => [name, t(`theme.${name}`)])} />
        ${canLogOut ? html`<button onclick=${logOut}>${t("logout")}</button>` : null}</div></details></div>`;
}

/** The roles of the session, which say why a command is locked. */
function Roles() {
  useStore(() => false);
  return quiet("settings.roles", { roles: page.link.hello?.roles.map((role) => known(`role.${role}`, role)).join(", ") ?? "–" });
}

/** The connection, the age of what the page shows, and how many bridges are online. */
function State() {
  useStore(() => false);
  useInterval(1000, useRedraw());
  const { store } = page;
  const { state, since, cause } = store.freshness;
  const names = bridges(store);
  const key = cause ? `no_${cause}` : state === "live" ? "connected" : "loading";
  return html`<span id="state" data-state=${state} class=${key === "connected" ? "good" : "bad"}>${t(`state.${key}`)}${
    since ? html` <small>${t("state.since", { time: clock(since), ago: ago(since) })}</small>` : null}</span>
    ${store.isLive && names[0] ? html`<small>${t("devices.bridge")}: ${
    t("bridges.of", { online: names.filter((name) => isBridgeOnline(store, name)).length, known: names.length })}</small>` : null}`;
}

function Frame({ who }) {
  const [place, setPlace] = useState(route(location.hash));
  // A link shows the start of a view; the way back keeps the browser's position.
  const pressed = useRef(null);
  useEvent(window, "click", ({ target }) => { pressed.current = target.closest("a"); });
  useEvent(window, "hashchange", () => {
    setPlace(route(location.hash));
    if (pressed.current) scrollTo(0, 0);
    pressed.current = null;
    main.focus({ preventScroll: true });
  });
  const store = useStore(isBase, 250);
  const away = devices(store).filter((device) => shownState(device) !== "online").length;
  useEffect(() => {
    const trouble = store.isLive ? away : 0;
    document.title = `${trouble ? `(${trouble}) ` : ""}${t(`view.${place.view}`)} – Tactile Bridge`;
    document.querySelector("[rel=icon]").href = trouble ? "icon-trouble.svg" : "icon.svg";
    navigator.setAppBadge?.(trouble); // the number on the icon of an installed page
  });
  useEffect(() => {
    render(html`<${Header} who=${who} view=${place.view} />`, document.getElementById("header"));
    // On a phone the row of views scrolls.
    document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [place.view]);
  const View = shown[place.view];
  return html`<${View} key=${place.view} part=${place.part} tab=${place.tab} />`;
}

/** Speaks of devices that go away or come back, in every view. */
function watchDevices(store) {
  const known = new Map();
  let isFirst = true;
  const check = () => {
    if (!store.isLive) return;
    for (const { address, online, name } of devices(store)) {
      // A device that joins is online for the first time, not again.
      const [before, isOld] = known.get(address) ?? [online, isFirst];
      known.set(address, [online, isOld || online]);
      if (before !== online) page.announce(online && !isOld ? `${name}: ${t("link.online")}` : t(online ? "devices.back" : "devices.gone", { device: name }));
    }
    isFirst = false;
  };
  store.addEventListener("change", ({ detail }) => detail.messages.some(([topic]) => /\/(availability|devices)$/.test(topic)) && check());
  store.addEventListener("freshness", check);
}

/** Announced once: repeated attempts to connect would hide other messages, such as the outcome of a stop. */
function watchFreshness(store, link) {
  let before = null;
  store.addEventListener("freshness", () => {
    const { cause } = store.freshness;
    if (cause === before) return;
    before = cause;
    if (cause) page.announce(`${t(`state.no_${cause}.long`)} ${cause === "broker" ? link.broker?.reason ?? "" : ""}`, true);
    else page.calm();
  });
}

async function begin() {
  applyTheme();
  const asked = useToken().then(session);
  await loadLanguage();
  const store = page.store = new Store();
  const link = page.link = new Link(store);
  document.getElementById("messages").setAttribute("aria-label", t("messages"));
  render(html`<${Notices} />`, document.getElementById("notices"));
  page.stop = new Stop(document.querySelector("tb-stop"), link, store);
  // A link with a token works in a page that is open too, and in its login.
  window.addEventListener("hashchange", () => location.hash.includes("token=") && location.reload());
  let who = await asked;
  const header = () => render(html`<${Header} who=${who} view="home" />`, document.getElementById("header"));
  if (!who.logged_in && (who.login === "token" || who.login === "broker")) {
    header();
    await new Promise((resolve) => render(html`<${Login} kind=${who.login} done=${resolve} />`, main));
    who = await session();
  }
  who.ready = true;
  watchDevices(store);
  watchFreshness(store, link);
  // A session may have ended while the console was restarted: then the page asks for a login.
  link.addEventListener("closed", async () => {
    const now = await session().catch(() => null);
    if (now && !now.logged_in) location.reload();
  });
  link.addEventListener("bye", ({ detail }) => page.announce(`${t("bye")} ${detail.message}`, true));
  const watchBase = () => {
    link.watch("bridges", bridgeFilters);
    link.watch("devices", deviceFilters(store));
  };
  store.addEventListener("change", ({ detail }) => {
    if (detail.messages.some(([topic]) => /^bridge\/[^/]+\/devices$/.test(topic))) watchBase();
    if (detail.dropped) page.announce(t("dropped", { count: detail.dropped }));
  });
  render(null, main);
  main.replaceChildren();
  link.start();
  watchBase();
  header();
  render(html`<${Frame} who=${who} />`, main);
}

begin().catch((error) => {
  const text = document.createElement("p");
  text.className = "trouble";
  text.textContent = `The console does not answer: ${error.message}. Load the page again.`;
  main.replaceChildren(text);
});

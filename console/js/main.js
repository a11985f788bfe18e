// The start of the page: language, login, connection, and which view is shown.

import { h } from "./element.js";
import { languages, language, loadLanguage, store as keep, t } from "./words.js";
import { Store } from "./store.js";
import { Link } from "./link.js";
import { bridgeFilters, deviceFilters } from "./catalog.js";
import { showLogin } from "./login.js";
import "./stop.js";
import "./plot.js";
import "./command-form.js";
import "./views/devices.js";
import "./views/explore.js";
import "./views/belt.js";
import "./views/patterns.js";
import "./views/robot.js";

const views = ["devices", "explore", "belt", "patterns", "robot"];
const main = document.getElementById("main");
const notices = document.getElementById("notices");
const store = new Store();
const link = new Link(store);

/** Says something in the live region; `trouble` stays until it is replaced. */
let noticeTimer = 0;
export function announce(text, trouble = false) {
  clearTimeout(noticeTimer);
  notices.replaceChildren(h("p", { class: trouble ? "trouble" : "" }, text));
  if (!trouble) noticeTimer = setTimeout(() => notices.replaceChildren(), 6000);
}

async function session() {
  return (await fetch("api/session", { cache: "no-store" })).json();
}

/** A token of the address is used once, and taken out of the address and the history. */
async function useToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  await fetch("api/login", { method: "POST", body: JSON.stringify({ token }) });
}

function header(user, login) {
  const place = document.getElementById("header");
  const chooser = h("select", { "aria-label": t("language"), onchange: () => {
    keep("language", chooser.value);
    location.reload();
  } }, Object.entries(languages).map(([key, name]) => h("option", { value: key, lang: key }, name)));
  chooser.value = language;
  place.replaceChildren(
    h("a", { class: "skip", href: "#main", onclick: (event) => {
      event.preventDefault();
      main.focus();
    } }, t("skip")),
    h("div", { class: "brand" }, h("strong", {}, "Tactile Bridge"), h("span", { id: "state" }, "")),
    h("nav", { "aria-label": t("views") }, views.map((name) => h("a", { href: `#/${name}` }, t(`view.${name}`)))),
    h("div", { class: "account" }, user ? h("span", {}, user) : null, chooser,
      login === "token" || login === "broker" ? h("button", { onclick: logOut }, t("logout")) : null));
}

async function logOut() {
  await fetch("api/logout", { method: "POST" });
  link.end();
  location.reload();
}

/** A console that was restarted knows the login no more: the page begins anew and asks for it. */
async function logInAgain() {
  const who = await session().catch(() => null);
  if (who && !who.logged_in) location.reload();
}

function route() {
  const [, wanted, ...rest] = location.hash.split("/");
  const name = views.includes(wanted) ? wanted : "devices";
  for (const anchor of document.querySelectorAll("#header nav a")) {
    if (anchor.hash === `#/${name}`) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  document.title = `${t(`view.${name}`)} – Tactile Bridge`;
  const view = document.createElement(`tb-${name}`);
  Object.assign(view, { store, link, announce, device: rest.map(decodeURIComponent).join("/") || null });
  main.replaceChildren(view);
}

function watchBase() {
  link.watch("bridges", bridgeFilters);
  link.watch("devices", deviceFilters(store));
}

/** Says it once: each try to connect again that fails would cover what was said meanwhile, such as of a stop. */
function showState() {
  const place = document.getElementById("state");
  const broker = link.broker;
  const key = !link.open ? "no_console" : broker && !broker.connected ? "no_broker" : "connected";
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.className = key === "connected" ? "good" : "bad";
  place.textContent = t(`state.${key}`);
  if (key === "connected") notices.querySelector(".trouble")?.remove();
  else announce(`${t(`state.${key}.long`)} ${key === "no_broker" ? broker.reason ?? "" : ""}`, true);
}

async function begin() {
  await loadLanguage();
  document.getElementById("messages").setAttribute("aria-label", t("messages"));
  document.querySelector("tb-stop").start(link, store);
  window.addEventListener("hashchange", () => location.hash.includes("token=") && location.reload());
  await useToken();
  let who = await session();
  if (!who.logged_in && (who.login === "token" || who.login === "broker")) {
    await showLogin(main, who.login);
    who = await session();
  }
  header(who.user, who.login);
  for (const name of ["broker", "open", "closed"]) link.addEventListener(name, showState);
  link.addEventListener("closed", logInAgain);
  link.addEventListener("bye", ({ detail }) => announce(`${t("bye")} ${detail.message}`, true));
  store.addEventListener("change", ({ detail }) => {
    if (detail.messages.some(([topic]) => topic.startsWith("bridge/") && topic.endsWith("/devices"))) watchBase();
    if (detail.dropped) announce(t("dropped", { count: detail.dropped }));
  });
  window.addEventListener("hashchange", () => {
    route();
    main.focus({ preventScroll: true });
  });
  link.start();
  watchBase();
  route();
}

begin().catch((error) => {
  main.replaceChildren(h("p", { class: "trouble" }, `The console does not answer: ${error.message}. Reload the page.`));
});

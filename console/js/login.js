// The login by a token or by an account of the broker.

import { Field, html, useEffect, useRef, useState } from "./ui.js";
import { t } from "./words.js";

/** Shows the form until the login has worked. */
export function Login({ kind, done }) {
  const form = useRef(null);
  const [error, setError] = useState("");
  useEffect(() => form.current.querySelector("input").focus(), []);
  const send = async (event) => {
    event.preventDefault();
    setError("");
    const { token, user, password } = Object.fromEntries(new FormData(form.current));
    const body = kind === "token" ? { token: token.trim() } : { user, password };
    const response = await fetch("api/login", { method: "POST", body: JSON.stringify(body) }).catch(() => null);
    if (response?.ok) return done();
    const known = { 401: "login.wrong", 429: "login.often" };
    setError(t(response ? known[response.status] ?? "login.failed" : "state.no_console.long"));
  };
  const secret = (name, label, hint) => html`<${Field} label=${label} hint=${hint}>${(joint) =>
    html`<input ...${joint} name=${name} type="password" autocomplete="current-password" required />`}<//>`;
  return html`<form class="card narrow" ref=${form} onsubmit=${send}><h1>${t("login.title")}</h1>
    ${kind === "token" ? secret("token", t("login.token"), t("login.token.hint"))
    : [html`<${Field} label=${t("login.user")}>${(joint) => html`<input ...${joint} name="user" autocomplete="username" required />`}<//>`,
      secret("password", t("login.password"))]}
    <p class="trouble" role="alert">${error}</p><button class="primary">${t("login.title")}</button></form>`;
}

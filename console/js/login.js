// The login by a token or by an account of the broker.

import { h, labelled } from "./element.js";
import { t } from "./words.js";

/** Shows the form until the login has worked. */
export function showLogin(place, kind) {
  return new Promise((resolve) => {
    const token = h("input", { type: "password", autocomplete: "current-password", required: true });
    const user = h("input", { autocomplete: "username", required: true });
    const password = h("input", { type: "password", autocomplete: "current-password", required: true });
    const error = h("p", { class: "trouble", role: "alert" });
    const fields = kind === "token" ? [labelled(t("login.token"), token, t("login.token.hint"))]
      : [labelled(t("login.user"), user), labelled(t("login.password"), password)];
    const send = async (event) => {
      event.preventDefault();
      error.textContent = "";
      const body = kind === "token" ? { token: token.value.trim() } : { user: user.value, password: password.value };
      const response = await fetch("api/login", { method: "POST", body: JSON.stringify(body) }).catch(() => null);
      if (response?.ok) return resolve();
      const known = { 401: "login.wrong", 429: "login.often" };
      error.textContent = t(response ? known[response.status] ?? "login.failed" : "state.no_console.long");
    };
    place.replaceChildren(h("form", { class: "card narrow", onsubmit: send },
      h("h1", {}, t("login.title")), fields, error, h("button", { class: "primary" }, t("login.do"))));
    place.querySelector("input").focus();
  });
}

// The color scheme: the system's, light or dark, as the browser keeps it.

import { store as keep, stored } from "./words.js";

export const themes = ["system", "light", "dark"];
/** Tells drawings on canvases that colors have changed. */
export const changes = new EventTarget();

const dark = matchMedia("(prefers-color-scheme: dark)");

export const theme = () => (themes.includes(stored("theme")) ? stored("theme") : "system");

/** Applies the scheme, and keeps it. */
export function setTheme(name) {
  keep("theme", name);
  applyTheme();
}

export function applyTheme() {
  const isDark = theme() === "system" ? dark.matches : theme() === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  changes.dispatchEvent(new Event("change"));
}

dark.addEventListener("change", applyTheme);

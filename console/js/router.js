// The page's addresses: `#/view/part`. Pure, except for `go`.

export const views = ["home", "devices", "belt", "tap", "robot", "patterns", "live", "fleet"];

/** `{view, part, tab}` of a hash; an address that cannot be decoded is taken as it is. */
export function route(hash) {
  const [, wanted = "", part = "", tab = ""] = hash.split("/");
  if (wanted === "d" && part) return { view: "device", part: decoded(part), tab: decoded(tab) || null };
  const view = { explore: "live" }[wanted] ?? wanted;
  if (view === "add") return { view, part: null, tab: null };
  return { view: views.includes(view) ? view : "home", part: decoded(part) || null, tab: null };
}

function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/** The hash of a view. */
export function href(view, part = null, tab = null) {
  const name = view === "device" ? "d" : view;
  return `#/${[name, part, tab].filter((one) => one !== null).map(encodeURIComponent).join("/")}`;
}

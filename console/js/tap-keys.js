// The keys of a TAP's factory map by combination. Pure. docs/protocols/tap.md has the table.

const keys = ["", "A", "E", "N", "I", "D", "T", "Shift", "O", "K", "M", "F", "L", "G", "Backspace", "R", "U", "Y", "B", "P", "Z", "W", "Q", "J", "S",
  "Return", "X", "V", "Switch", "C", "H", "Space"];

/** The name of a combination's key, or "". */
export const keyOf = (combination) => keys[combination] ?? "";

/** The text after one more tap; taps of Shift and Switch type nothing. */
export function typed(text, combination) {
  const key = keyOf(combination);
  if (key === "Backspace") return text.slice(0, -1);
  return text + ({ Space: " ", Return: "\n" }[key] ?? (key.length === 1 ? key : ""));
}

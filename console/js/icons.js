// Line drawings of the views and of small signs, on a square of 24.

import { html } from "../lib/preact.js";

const shapes = {
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  settings: "M4 7h8M16 7h4M4 12h2M10 12h10M4 17h8M16 17h4M14 5v4M8 10v4M14 15v4",
  home: "M3 11l9-8 9 8M6 9v11h12V9M10 20v-6h4v6",
  tap: "M8 20c-3-2-4-5-5-8l2-1 3 3V5h2v6V3h2v8V4h2v7l1-5h2v9l-2 5z",
  fleet: "M4 4h16v5H4zM4 12h16v5H4zM7 6.5h.01M7 14.5h.01M12 17v4M8 21h8",
  devices: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  live: "M3 12h4l3-8 4 16 3-8h4",
  belt: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 3v5M12 8l-3 3M12 8l3 3",
  patterns: "M4 20V12M8 20V6M12 20v-4M16 20V4M20 20v-9",
  robot: "M5 9h14v8H5zM8 17v3M16 17v3M12 9V5M9 5h6M9 13h.01M15 13h.01",
};

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${shapes[name]} /></svg>`;

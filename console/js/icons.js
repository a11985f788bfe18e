// Line drawings of the views, on a square of 24.

import { html } from "./ui.js";

const shapes = {
  devices: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  live: "M3 12h4l3-8 4 16 3-8h4",
  belt: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM12 3v5M12 8l-3 3M12 8l3 3",
  patterns: "M4 20V12M8 20V6M12 20v-4M16 20V4M20 20v-9",
  robot: "M5 9h14v8H5zM8 17v3M16 17v3M12 9V5M9 5h6M9 13h.01M15 13h.01",
};

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${shapes[name]} /></svg>`;

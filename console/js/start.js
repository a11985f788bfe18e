// Loads the page, and shows why if it cannot be loaded.

import("./main.js").catch((error) => {
  const text = document.createElement("p");
  text.className = "trouble";
  text.textContent = `The page cannot be loaded: ${error.message}. In a clone, run deploy/console-library first.`;
  document.getElementById("main").replaceChildren(text);
});

// Runs before anything is drawn, so that a chosen theme does not flash.
"use strict";
(() => {
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("plumbline-theme"); } catch { return null; } };
  const store = (name) => { try { localStorage.setItem("plumbline-theme", name); } catch { /* it holds for this page */ } };
  const dark = () => root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  if (["light", "dark"].includes(stored())) root.dataset.theme = stored();
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = dark() ? "☀ Light" : "☾ Dark"; };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      store(root.dataset.theme);
      label();
    });
  });
})();

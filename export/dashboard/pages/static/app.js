// Enhancement only: every page works without this file. It is loaded in <head>
// without defer, so that a stored theme is set before the first paint.
"use strict";
(() => {
  const root = document.documentElement;
  const get = (k) => { try { return localStorage.getItem(k); } catch { return null; } };
  const set = (k, v) => { try { localStorage.setItem(k, v); } catch { /* private mode */ } };
  const $ = (s) => document.querySelector(s);
  const all = (s) => [...document.querySelectorAll(s)];
  const themes = ["system", "light", "dark"];
  let theme = themes.includes(get("theme")) ? get("theme") : "system";
  const show = () => {
    if (theme === "system") root.removeAttribute("data-theme"); else root.dataset.theme = theme;
    for (const b of all("[data-theme-switch]")) b.textContent = "Theme: " + theme;
  };
  show();
  root.classList.add("js");

  const say = (text) => { const said = $("#said"); if (said) said.textContent = text; };

  // What is clicked is looked up when it happens, so that a swapped page needs nothing.
  const clicks = {
    "[data-theme-switch]": () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      set("theme", theme);
      show();
    },
    "[data-copy]": async (b) => {
      try { await navigator.clipboard.writeText(b.dataset.copy); say("Copied"); b.textContent = "Copied"; }
      catch { say("Copying is not allowed here"); }
    },
    "[data-keys]": () => $("#keys")?.showModal(),
  };
  document.addEventListener("click", (e) => {
    for (const [selector, act] of Object.entries(clicks)) {
      const b = e.target.closest(selector);
      if (b) act(b);
    }
  });

  // Narrows the rows that are on the page; the form itself asks the server.
  const narrow = (filter) => {
    const want = filter.value.toLowerCase();
    let n = 0;
    for (const r of all("[data-rows] tbody tr")) {
      r.hidden = want !== "" && !r.textContent.toLowerCase().includes(want);
      if (!r.hidden) n++;
    }
    say(n + " rows on this page; Enter asks the whole ledger");
  };
  document.addEventListener("input", (e) => { if (e.target.matches("[data-filter]")) narrow(e.target); });

  // Rows of the page's main list: j and k move the focus, so Enter opens.
  const move = (step) => {
    const rows = all("[data-rows] tbody tr, ul[data-rows] > li").filter((r) => !r.hidden);
    if (!rows.length) return;
    const at = rows.findIndex((r) => r.classList.contains("at"));
    rows[at]?.classList.remove("at");
    const row = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    row.classList.add("at");
    row.querySelector("a")?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  const keys = {
    j: () => move(1), k: () => move(-1),
    "/": () => ($("[data-filter]") ?? $(".find input"))?.focus(),
    "?": () => $("#keys")?.showModal(),
  };
  // The letters of the tabs are the last in the list of keys, in the order of the tabs.
  const tabOf = (letter) => all("[data-go]")[all("#keys dd:last-of-type kbd").findIndex((k) => k.textContent === letter)];
  let g = false;
  document.addEventListener("keydown", (e) => {
    // WCAG 2.1.4: single-character keys can be turned off.
    if (e.ctrlKey || e.metaKey || e.altKey || $("#keys")?.open || get("keys") === "off") return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { if (e.key === "Escape") e.target.blur(); return; }
    if (g && tabOf(e.key)) { tabOf(e.key).click(); g = false; return; }
    g = e.key === "g";
    if (keys[e.key]) { e.preventDefault(); keys[e.key](); }
  });

  document.addEventListener("DOMContentLoaded", () => {
    show();
    const tab = $(".tabs [aria-current]"); // may be out of sight where the window is narrow
    if (tab) tab.closest("ul").scrollLeft = tab.offsetLeft - 40;
    const on = $("[data-keys-on]");
    if (on) { on.checked = get("keys") !== "off"; on.addEventListener("change", () => set("keys", on.checked ? "on" : "off")); }
  });

  // Live: the server is asked for the number of the ledger's state, and the page is
  // fetched again when it is another one, or when something on it is running.
  const focusable = "a[href], button, input, select, summary, [tabindex]";
  const swap = (main) => {
    const old = $("main");
    const at = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
    const href = document.activeElement?.getAttribute?.("href");
    const states = [["details", "open"], [".scroll", "scrollLeft"]].map(([s, k]) => [s, k, [...old.querySelectorAll(s)].map((d) => d[k])]);
    const typed = old.querySelector("[data-filter]")?.value;
    const y = scrollY;
    old.replaceChildren(...main.childNodes);
    for (const [s, k, values] of states) old.querySelectorAll(s).forEach((d, i) => { if (i < values.length) d[k] = values[i]; });
    const filter = old.querySelector("[data-filter]");
    if (filter && typed) { filter.value = typed; narrow(filter); }
    const now = [...old.querySelectorAll(focusable)];
    const target = at < 0 ? null : (now[at]?.getAttribute("href") === href ? now[at] : now.find((n) => n.getAttribute("href") === href) ?? now[at]);
    target?.focus({ preventScroll: true });
    if (target) target.closest("[data-rows] tr, [data-rows] > li")?.classList.add("at");
    scrollTo({ top: y, behavior: "instant" });
  };
  // While somebody writes or chooses, the page stays; the server refuses what is no longer true.
  const busy = () => document.activeElement?.closest("main input, main select, main textarea, dialog")
    || all("main textarea").some((t) => t.value !== "");
  const refresh = async () => {
    if (busy()) return false;
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.querySelector("main") || busy()) return false;
    swap(page.querySelector("main"));
    $("footer span").textContent = page.querySelector("footer span").textContent;
    if (!document.activeElement?.closest(".tabs")) $(".tabs ul").replaceChildren(...page.querySelector(".tabs ul").childNodes);
    return true;
  };
  let tag = root.dataset.version, stale = false, wait = 2000, ticks = 0;
  const poll = async () => {
    try {
      if (document.visibilityState === "visible") {
        const answer = await fetch(root.dataset.live, { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} });
        const running = ++ticks % 5 === 0 && $("main .c-running");
        if (answer.status === 200) {
          const now = answer.headers.get("ETag") ?? tag;
          stale ||= tag !== undefined && now !== tag;
          tag = now;
        }
        if ((stale || running) && await refresh()) stale = false;
      }
      wait = 2000;
    } catch { wait = Math.min(60000, 2 * wait); } // the server has ended, or restarts
    setTimeout(poll, wait);
  };
  if (root.dataset.live) setTimeout(poll, wait);
})();

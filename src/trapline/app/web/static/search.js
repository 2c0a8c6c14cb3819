// The search page while one types: answers, filters, history. Stale answers are dropped.

import { moveByArrows } from "./arrows.js";
import { fetchPage, replaceParts, showTemplate } from "./parts.js";
import { suggestWhileTyping } from "./suggestions.js";

const PAUSE_MS = 120; // of typing, after which it is worth asking
const SHOW_WAIT_MS = 200; // a faster answer needs no sign of waiting
const SETTLE_MS = 500; // after which even half a word is meant
const AGAIN_MS = 1000;
const MOST_TRIES = 5;

const form = document.getElementById("ask");
const box = document.getElementById("q");
const answers = document.getElementById("answers");
const bar = document.getElementById("bar");
const said = document.getElementById("said");

let asking = null; // what stops the question under way
let pause = 0;
let others = null; // who follows other engines, where there are some
let editing = false; // whether what is typed belongs to a step of the history already

function addressOf() {
  const chosen = [...new FormData(form)].filter(([, value]) => value.trim());
  const isPlain = ([name, value]) => name === "sort" && value === "best";
  const words = new URLSearchParams(chosen.filter((one) => !isPlain(one)));
  const engines = words.getAll("engines");
  if (engines.length > 1) words.set("engines", engines.join(","));
  return words.has("q") ? `/search?${words}` : "/";
}

function waitSign(on) {
  bar.classList.toggle("busy", on);
  answers.setAttribute("aria-busy", String(on));
}

// A question that is whole is counted; its beginnings are not.
async function show(address, whole = false, tries = 1) {
  asking?.abort();
  others?.stop();
  const mine = new AbortController();
  asking = mine;
  const sign = setTimeout(() => waitSign(true), SHOW_WAIT_MS);
  try {
    const headers = whole ? {} : { "Trapline-Typing": "1" };
    const { status, page } = await fetchPage(address, mine.signal, headers);
    if (asking !== mine) return;
    if (!page.getElementById("answers")) return showTrouble("broken", address, page);
    // half a word seldom finds anything: what was found before stays until one has paused
    const hasty = !whole && !page.querySelector(".hit") && answers.querySelector(".hit");
    if (hasty) setTimeout(() => asking === mine && put(page, whole), SETTLE_MS);
    else put(page, whole);
    if (status === 503 && tries < MOST_TRIES) {
      const again = () => asking === mine && show(address, whole, tries + 1);
      setTimeout(again, AGAIN_MS * tries);
    }
  } catch (trouble) {
    if (trouble.name !== "AbortError") showTrouble("gone", address);
  } finally {
    clearTimeout(sign);
    if (asking === mine) waitSign(false);
  }
}

function put(page, whole) {
  replaceParts(page, ["engine", "intro", "answers"]);
  document.title = page.title;
  document.body.className = `${page.body.className} scripted`;
  const told = answers.querySelector("#count, .notice h2");
  said.textContent = told ? told.textContent : "";
  suggestions.makeRoom();
  others?.follow(whole);
}

// Nothing of an older question stays below a newer one that has no answer.
function showTrouble(kind, address, page) {
  suggestions.close();
  showTemplate(kind, "answers");
  const problem = page?.querySelector("main [role=alert]");
  if (problem) answers.querySelector("p").textContent = problem.textContent;
  said.textContent = answers.querySelector("h2").textContent;
  answers.querySelector("button").addEventListener("click", () => show(address, true));
}

// The first letter makes a step that one can take back; those after it replace it.
function remember(address) {
  if (isHere(address)) return;
  history[editing ? "replaceState" : "pushState"](null, "", address);
}

function isHere(address) {
  return address === location.pathname + location.search;
}

function askTyped() {
  const address = addressOf();
  if (isHere(address)) return;
  remember(address);
  editing = true;
  show(address);
}

function askWhole() {
  clearTimeout(pause);
  const address = addressOf();
  remember(address);
  editing = false;
  show(address, true);
}

function tellOpened(link) {
  const q = box.value;
  if (link.dataset.page) tell("/api/opened", { page: Number(link.dataset.page), q });
  if (others && link.closest(".hit h3")) tell("/api/result-opened", { url: link.href, q });
}

function tell(address, told) {
  const body = new Blob([JSON.stringify(told)], { type: "application/json" });
  navigator.sendBeacon(address, body);
}

box.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(askTyped, PAUSE_MS);
});
box.addEventListener("blur", () => {
  editing = false;
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  askWhole();
});
answers.addEventListener("change", (event) => {
  if (event.target.matches(".filters select, .filters input")) askWhole();
});
answers.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  tellOpened(link);
  const plain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
  if (!plain || link.origin !== location.origin || link.pathname !== "/search") return;
  event.preventDefault();
  goTo(link);
});
answers.addEventListener("auxclick", (event) => {
  const link = event.target.closest("a");
  if (link) tellOpened(link);
});

async function goTo(link) {
  history.pushState(null, "", link.href);
  box.value = new URL(link.href).searchParams.get("q") ?? "";
  await show(link.href, true);
  if (link.classList.contains("pages")) scrollTo({ top: 0 });
  // the link is gone with the answer that it stood in: go on where the new one begins
  const isLost = document.activeElement === document.body;
  if (isLost) (answers.querySelector(".hit h3 a") ?? answers).focus({ preventScroll: true });
}

addEventListener("popstate", () => {
  clearTimeout(pause);
  editing = false;
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  show(location.href);
});

document.body.classList.add("scripted");
if (document.body.classList.contains("home")) box.focus();
const suggestions = suggestWhileTyping(box, askWhole);
moveByArrows(box, answers, suggestions);
if (document.getElementById("better")) {
  const { followOthers } = await import("./federation.js");
  others = followOthers(answers, said);
  others.follow(true);
}

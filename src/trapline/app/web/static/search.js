// The search page while one types: answers, filters, history. Stale answers are dropped.

import { moveByArrows } from "./arrows.js";
import { fetchPage, replaceParts, showTemplate } from "./parts.js";
import { suggestWhileTyping } from "./suggestions.js";

const PAUSE_MS = 120; // of typing, after which it is worth asking
const SHOW_WAIT_MS = 200; // a faster answer needs no sign of waiting
const AGAIN_MS = 1000;
const MOST_TRIES = 5;

const form = document.getElementById("ask");
const box = document.getElementById("q");
const answers = document.getElementById("answers");
const bar = document.getElementById("bar");
const said = document.getElementById("said");

let asking = null; // what stops the question under way
let pause = 0;

function addressOf() {
  const chosen = [...new FormData(form)].filter(([, value]) => value.trim());
  const isPlain = ([name, value]) => name === "sort" && value === "best";
  const words = new URLSearchParams(chosen.filter((one) => !isPlain(one)));
  return words.has("q") ? `/search?${words}` : "/";
}

function waitSign(on) {
  bar.classList.toggle("busy", on);
  answers.setAttribute("aria-busy", String(on));
}

// A question that is whole is counted; its beginnings are not.
async function show(address, whole = false, tries = 1) {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const sign = setTimeout(() => waitSign(true), SHOW_WAIT_MS);
  try {
    const headers = whole ? {} : { "Trapline-Typing": "1" };
    const { status, page } = await fetchPage(address, mine.signal, headers);
    if (asking !== mine) return;
    put(page);
    if (status === 503 && tries < MOST_TRIES) {
      const again = () => asking === mine && show(address, whole, tries + 1);
      setTimeout(again, AGAIN_MS * tries);
    }
  } catch (trouble) {
    if (trouble.name !== "AbortError") showGone(address);
  } finally {
    clearTimeout(sign);
    if (asking === mine) waitSign(false);
  }
}

function put(page) {
  replaceParts(page, ["engine", "intro", "answers"]);
  document.title = page.title;
  document.body.className = `${page.body.className} scripted`;
  const told = answers.querySelector("#count, .notice h2");
  said.textContent = told ? told.textContent : "";
}

function showGone(address) {
  showTemplate("gone", "answers");
  said.textContent = answers.querySelector("h2").textContent;
  answers.querySelector("button").addEventListener("click", () => show(address));
}

// What is typed replaces its own beginnings; what is chosen is a step that one can take back.
function ask({ step }) {
  clearTimeout(pause);
  const address = addressOf();
  const here = location.pathname + location.search;
  if (address === here && !step) return;
  history[step && address !== here ? "pushState" : "replaceState"](null, "", address);
  show(address, step);
}

function tellOpened(link) {
  const told = { page: Number(link.dataset.page), q: box.value };
  const body = new Blob([JSON.stringify(told)], { type: "application/json" });
  navigator.sendBeacon("/api/opened", body);
}

box.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => ask({ step: false }), PAUSE_MS);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask({ step: true });
});
answers.addEventListener("change", (event) => {
  if (event.target.matches(".filters select")) ask({ step: true });
});
answers.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  if (link.dataset.page) tellOpened(link);
  const plain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
  if (!plain || link.origin !== location.origin || link.pathname !== "/search") return;
  event.preventDefault();
  goTo(link);
});
answers.addEventListener("auxclick", (event) => {
  const link = event.target.closest("a[data-page]");
  if (link) tellOpened(link);
});

async function goTo(link) {
  history.pushState(null, "", link.href);
  box.value = new URL(link.href).searchParams.get("q") ?? "";
  await show(link.href);
  if (link.classList.contains("pages")) scrollTo({ top: 0 });
}

addEventListener("popstate", () => {
  box.value = new URLSearchParams(location.search).get("q") ?? "";
  show(location.href);
});

document.body.classList.add("scripted");
if (document.body.classList.contains("home")) box.focus();
const suggestions = suggestWhileTyping(box, () => ask({ step: true }));
moveByArrows(box, answers, suggestions);

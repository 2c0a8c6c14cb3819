// Answers of other engines, as they come. What one has begun to read keeps its place: what is
// better is offered, and what is not goes below.

import { replaceParts } from "./parts.js";

const READING_MS = 1000; // results that were shown so long are being read
const PAUSE_MS = 600; // of typing: others are not asked for half a word
const MOST_NAMES = 3;

const better = document.getElementById("better");
const offer = better.querySelector("button");

export function followOthers(answers, said) {
  let source = null;
  let pause = 0;
  let clock = 0;
  let begun = false;
  let waiting = null; // the results that are offered

  const items = (part) => [...part.querySelectorAll(".results > li")];
  const keyOf = (item) => item.querySelector("h3 a").href;

  // `whole`: the question was asked, and is not being typed any more; only that is counted.
  function follow(whole) {
    stop();
    watchReader();
    const address = answers.querySelector("#who")?.dataset.stream;
    if (!address) return;
    if (whole) listen(address);
    else pause = setTimeout(() => listen(`${address}&typing=1`), PAUSE_MS);
  }

  function stop() {
    clearTimeout(pause);
    clearTimeout(clock);
    clock = 0;
    source?.close();
    source = null;
    begun = false;
    withdraw();
  }

  function listen(address) {
    source = new EventSource(address);
    source.onmessage = (event) => {
      const { html, complete } = JSON.parse(event.data);
      take(new DOMParser().parseFromString(html, "text/html"));
      if (complete) finish();
    };
    // asking again would ask everybody again
    source.onerror = () => {
      source.close();
      const line = document.getElementById("who-line");
      if (line) line.textContent += " · the others could not be heard";
    };
  }

  function finish() {
    source.close();
    if (!better.hidden) return;
    const told = answers.querySelectorAll("#count, #who-line, .notice h2");
    said.textContent = [...told].map((one) => one.textContent).join(". ");
  }

  function take(page) {
    if (begun && items(answers).length) return weave(page);
    const hasFilters = answers.querySelector(".filters");
    replaceParts(page, hasFilters ? ["count", "who", "found"] : ["answers"]);
    watchReader();
  }

  function weave(page) {
    const shown = new Set(items(answers).map(keyOf));
    const ranked = items(page);
    const isNew = ranked.map((item) => !shown.has(keyOf(item)));
    const kept = isNew.filter((fresh) => !fresh).length;
    // what was pushed out of the best stands behind all of them
    const last = kept < shown.size ? ranked.length : isNew.lastIndexOf(false);
    const fresh = ranked.filter((_, place) => isNew[place]);
    const above = ranked.filter((_, place) => isNew[place] && place < last);
    if (above.length) propose(above, page.cloneNode(true));
    else withdraw();
    const below = fresh.filter((item) => !above.includes(item));
    answers.querySelector(".results").append(...below);
    turnPages(page);
    replaceParts(page, ["count", "who"]);
  }

  function turnPages(page) {
    answers.querySelector(".pager")?.remove();
    const pager = page.querySelector(".pager");
    if (pager) document.getElementById("found").append(pager);
  }

  function propose(above, page) {
    waiting = page;
    offer.textContent = `${sayBetter(above)} — show`;
    better.hidden = false;
    said.textContent = sayBetter(above);
  }

  function withdraw() {
    waiting = null;
    better.hidden = true;
  }

  function showBetter() {
    const page = waiting;
    const before = new Set(items(answers).map(keyOf));
    withdraw();
    replaceParts(page, ["found"]);
    const first = items(answers).find((item) => !before.has(keyOf(item)));
    first?.querySelector("h3 a").focus();
  }

  // Reading begins with a move among the results, or after a while.
  function watchReader() {
    if (!clock && items(answers).length) clock = setTimeout(begin, READING_MS);
  }

  function begin() {
    begun = items(answers).length > 0;
  }

  const among = (event) => event.target.closest?.("#found");
  const byHand = (event) => event.movementX || event.movementY;
  offer.addEventListener("click", showBetter);
  answers.addEventListener("pointermove", (event) => among(event) && byHand(event) && begin());
  for (const kind of ["pointerdown", "keydown", "focusin"]) {
    answers.addEventListener(kind, (event) => among(event) && begin());
  }
  addEventListener("scroll", () => scrollY > 0 && begin(), { passive: true });
  foldChoice(answers);
  return { follow, stop };
}

// The list of engines is closed by Escape, and by whatever is done elsewhere.
function foldChoice(answers) {
  const choice = () => document.getElementById("filter-engines");
  document.addEventListener("click", (event) => {
    if (choice() && !choice().contains(event.target)) choice().open = false;
  });
  answers.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !choice()?.contains(event.target)) return;
    choice().open = false;
    choice().querySelector("summary").focus();
  });
}

function sayBetter(items) {
  const names = items.flatMap((item) =>
    [...item.querySelectorAll(".origins bdi")].map((name) => name.textContent),
  );
  const engines = [...new Set(names)];
  const from = engines.length > MOST_NAMES ? `${engines.length} engines` : engines.join(", ");
  return `${items.length} better result${items.length > 1 ? "s" : ""} from ${from}`;
}

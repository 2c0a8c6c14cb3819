// How a query may go on: a list below the box, chosen by arrows or pointer.

const PAUSE_MS = 80;
const READ_MS = 600; // after which whoever has stopped typing looks at the answers
const MOST = 5;

export function suggestWhileTyping(box, choose) {
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  box.parentElement.append(list);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);

  let pause = 0;
  let asking = null;
  let leaving = 0;
  let typed = box.value;
  let chosen = -1;
  let wanted = false; // whether suggestions that come now may be shown

  function open() {
    list.hidden = !wanted || !list.children.length || document.activeElement !== box;
    mark(-1);
  }

  function hide() {
    wanted = false;
    list.hidden = true;
    mark(-1);
  }

  // What was typed stands in the box again, unless a suggestion was taken.
  function close() {
    clearTimeout(pause);
    clearTimeout(leaving);
    asking?.abort();
    if (chosen >= 0) box.value = typed;
    hide();
  }

  function take(text) {
    mark(-1);
    box.value = text;
    typed = text;
    list.replaceChildren();
    close();
  }

  // The list lies over the answers: it goes when they are there and nobody types.
  function makeRoom() {
    clearTimeout(leaving);
    leaving = setTimeout(() => chosen < 0 && hide(), READ_MS);
  }

  function mark(place) {
    chosen = place;
    [...list.children].forEach((item, other) => {
      item.setAttribute("aria-selected", String(other === place));
    });
    if (place < 0) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", list.children[place].id);
    box.setAttribute("aria-expanded", String(!list.hidden));
  }

  function fill(texts) {
    const items = texts.slice(0, MOST).map((text, place) => {
      const item = document.createElement("li");
      item.id = `suggestion-${place}`;
      item.dir = "auto";
      item.setAttribute("role", "option");
      item.textContent = text;
      return item;
    });
    list.replaceChildren(...items);
    open();
  }

  async function ask() {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const address = `/api/suggest?${new URLSearchParams({ q: typed })}`;
      const answer = await fetch(address, { signal: mine.signal });
      if (!answer.ok) return;
      const { suggestions } = await answer.json();
      if (asking === mine) fill(suggestions.filter((text) => text !== typed));
    } catch (trouble) {
      if (asking === mine) close(); // they are a help; without them all else works
    }
  }

  // Go `by` places; false = there is none, and what was typed stands in the box.
  function step(by) {
    if (list.hidden && by > 0 && box.value === typed) {
      wanted = true;
      open();
    }
    const next = chosen + by;
    if (list.hidden || next >= list.children.length || next < -1) return false;
    mark(next);
    box.value = next < 0 ? typed : list.children[next].textContent;
    return true;
  }

  box.addEventListener("input", () => {
    typed = box.value;
    wanted = true;
    clearTimeout(pause);
    clearTimeout(leaving);
    if (typed.trim()) pause = setTimeout(ask, PAUSE_MS);
    else take(typed);
  });
  box.addEventListener("blur", (event) => {
    if (box.form.contains(event.relatedTarget)) hide(); // its button sends what is shown
    else close();
  });
  box.form.addEventListener("submit", () => take(box.value));
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    take(item.textContent);
    choose();
  });
  hide();
  return { step, close, makeRoom, isOpen: () => !list.hidden };
}

// How a query may go on: a list below the box, chosen by arrows or pointer.

const PAUSE_MS = 80;

export function suggestWhileTyping(box, choose) {
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  box.parentElement.append(list);
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);

  let pause = 0;
  let asking = null;
  let typed = box.value;
  let chosen = -1;

  function close() {
    clearTimeout(pause);
    asking?.abort();
    list.hidden = true;
    mark(-1);
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
    const items = texts.map((text, place) => {
      const item = document.createElement("li");
      item.id = `suggestion-${place}`;
      item.dir = "auto";
      item.setAttribute("role", "option");
      item.textContent = text;
      return item;
    });
    list.replaceChildren(...items);
    list.hidden = items.length === 0 || document.activeElement !== box;
    mark(-1);
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

  function step(by) {
    if (list.hidden) return false;
    const next = chosen + by;
    if (next >= list.children.length || next < -1) return false;
    mark(next);
    box.value = next < 0 ? typed : list.children[next].textContent;
    return true;
  }

  box.addEventListener("input", () => {
    typed = box.value;
    clearTimeout(pause);
    if (typed.trim()) pause = setTimeout(ask, PAUSE_MS);
    else close();
  });
  box.addEventListener("blur", () => setTimeout(close, 100));
  box.form.addEventListener("submit", close);
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    box.value = item.textContent;
    close();
    choose();
  });
  return { step, close, isOpen: () => !list.hidden };
}

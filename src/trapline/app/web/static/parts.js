// Parts of a page are taken from the page that the server makes: there is one place where HTML is
// written, and it works without any of this.

export async function fetchPage(url, signal, headers = {}) {
  const answer = await fetch(url, { signal, headers: { Accept: "text/html", ...headers } });
  const text = await answer.text();
  return {
    status: answer.status,
    page: new DOMParser().parseFromString(text, "text/html"),
  };
}

// Put the parts with these ids in place of those shown. Whoever is in one of them stays there.
export function replaceParts(page, ids) {
  for (const id of ids) {
    const shown = document.getElementById(id);
    const fresh = page.getElementById(id);
    if (!shown || !fresh || shown.innerHTML === fresh.innerHTML) continue;
    const focused = shown.contains(document.activeElement) ? document.activeElement : null;
    const open = openDetails(shown);
    shown.replaceChildren(...document.adoptNode(fresh).childNodes);
    reopenDetails(shown, open);
    if (focused) focusLike(shown, focused);
  }
}

export function showTemplate(id, place) {
  const copy = document.getElementById(id).content.cloneNode(true);
  document.getElementById(place).replaceChildren(copy);
}

function openDetails(part) {
  return [...part.querySelectorAll("details")].map((one) => one.open);
}

function reopenDetails(part, open) {
  [...part.querySelectorAll("details")].forEach((one, place) => {
    if (open[place]) one.open = true;
  });
}

function focusLike(part, former) {
  const same = former.id
    ? document.getElementById(former.id)
    : [...part.querySelectorAll("a")].find((link) => link.href === former.href);
  if (same) same.focus({ preventScroll: true });
}

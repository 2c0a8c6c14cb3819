// Arrows go through suggestions and results, Escape goes back.

export function moveByArrows(box, answers, suggestions) {
  const links = () => [...answers.querySelectorAll(".hit h3 a")];

  function fromBox(event) {
    if (event.key === "Escape" && suggestions.isOpen()) {
      suggestions.close();
      event.preventDefault();
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      if (suggestions.step(1)) return;
      suggestions.close();
      links()[0]?.focus();
    } else if (event.key === "ArrowUp" && suggestions.step(-1)) {
      event.preventDefault();
    }
  }

  function fromResults(event) {
    const all = links();
    const item = event.target.closest?.(".results > li");
    const here = item ? all.findIndex((link) => item.contains(link)) : -1;
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") box.focus();
    else if (event.key === "ArrowDown") all[Math.min(here + 1, all.length - 1)].focus();
    else if (event.key === "ArrowUp") (all[here - 1] ?? box).focus();
    else return;
    event.preventDefault();
  }

  box.addEventListener("keydown", fromBox);
  answers.addEventListener("keydown", fromResults);
}

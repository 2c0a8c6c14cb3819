// On every page `/` goes to the search box.

document.addEventListener("keydown", (event) => {
  const withOthers = event.ctrlKey || event.metaKey || event.altKey;
  if (event.key !== "/" || withOthers || event.defaultPrevented) return;
  if (event.target.matches?.("input, textarea, select")) return;
  event.preventDefault();
  const box = document.getElementById("q");
  if (!box) location.assign("/");
  box?.focus();
  box?.select();
});

() => {
  const faults = [];
  const shown = (one) => one.getClientRects().length > 0;
  const told = (one) => one.outerHTML.slice(0, 120);

  function nameOf(one) {
    const labels = [...(one.labels ?? [])].map((label) => label.textContent);
    const named = one.getAttribute("aria-label") ?? "";
    return [named, ...labels, one.textContent, one.alt ?? ""].join(" ").trim();
  }
  for (const one of document.querySelectorAll("a, button, input, select, summary")) {
    const own = one.matches("input") ? one.getAttribute("aria-label") || one.labels.length : nameOf(one);
    if (shown(one) && !own) faults.push(`has no name: ${told(one)}`);
  }
  for (const one of document.querySelectorAll("img:not([alt])")) faults.push(`no alt: ${told(one)}`);
  for (const one of document.querySelectorAll("svg:not([aria-hidden]):not([role])")) {
    if (!one.closest(".plot")) faults.push(`a picture without words: ${told(one)}`);
  }

  const headings = [...document.querySelectorAll("h1, h2, h3, h4")].filter(shown);
  const levels = headings.map((one) => Number(one.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) faults.push(`headings: ${levels}`);
  levels.reduce((before, level) => {
    if (level > before + 1) faults.push(`a heading's level is skipped: ${levels}`);
    return level;
  }, 0);
  for (const name of ["header", "nav", "main", "footer", ".skip"]) {
    if (!document.querySelector(name)) faults.push(`there is no ${name}`);
  }
  if (!document.documentElement.lang || !document.title) faults.push("no language, or no title");
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  if (twice.length) faults.push(`ids twice: ${twice}`);
  for (const one of document.querySelectorAll("[aria-controls], [aria-activedescendant]")) {
    const id = one.getAttribute("aria-activedescendant") ?? one.getAttribute("aria-controls");
    if (!document.getElementById(id)) faults.push(`controls nothing: ${told(one)}`);
  }
  for (const table of document.querySelectorAll("table")) {
    if (shown(table) && !table.querySelector("th")) faults.push("a table without headings");
  }
  for (const one of document.querySelectorAll("th[scope=row]")) {
    const narrow = one.clientWidth < 64 && one.textContent.length > 8;
    if (shown(one) && narrow) faults.push(`letter by letter: ${told(one)}`);
  }
  for (const one of innerWidth < 400 ? document.querySelectorAll(".hit a, .hit summary") : []) {
    const { height } = one.getBoundingClientRect();
    if (shown(one) && height < 24) faults.push(`too low for a finger: ${height} ${told(one)}`);
  }
  const hint = document.querySelector("input[placeholder]");
  if (hint) {
    const [ink, ground] = [getComputedStyle(hint, "::placeholder").color, groundOf(hint)];
    const ratio = contrastOf(over(channels(ink), ground), ground);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)} of the placeholder`);
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) faults.push(`scrolls sideways: ${wide} > ${innerWidth}`);

  function channels(colour) {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    return numbers.length < 4 ? [...numbers.slice(0, 3), 1] : numbers;
  }
  function over(top, below) {
    const share = top[3];
    return [0, 1, 2].map((i) => top[i] * share + below[i] * (1 - share)).concat(1);
  }
  function groundOf(one) {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const paint = channels(getComputedStyle(at).backgroundColor);
      if (paint[3] > 0) layers.push(paint);
      if (paint[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  }
  function light([red, green, blue]) {
    const [r, g, b] = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function contrastOf(ink, ground) {
    const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  }
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(one) || !shown(one)) continue;
    if (one.closest(".unseen, .skip, template, script, option, noscript, title")) continue;
    seen.add(one);
    const style = getComputedStyle(one);
    const ground = groundOf(one);
    const ink = over(channels(one.closest("svg") ? style.fill : style.color), ground);
    const ratio = contrastOf(ink, ground);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      faults.push(`contrast ${ratio.toFixed(2)}: ${one.textContent.slice(0, 40)} ${told(one)}`);
    }
  }
  return faults;
}

// Charts by Plotly's own bundle, which is fetched only where there is something to draw. Colours
// are those of the page, also when it turns dark.

const BUNDLE = "/static/plotly.min.js";
// The bundle brings styles for maps, which nothing here draws, unless the page has them by this id.
const MAP_STYLES = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";
const drawn = new Map();
let loading = null;

function loadPlotly() {
  loading ??= new Promise((done, fail) => {
    document.head.append(Object.assign(document.createElement("meta"), { id: MAP_STYLES }));
    const script = document.createElement("script");
    script.src = BUNDLE;
    script.onload = () => done(window.Plotly);
    script.onerror = () => fail(new Error("no Plotly"));
    document.head.append(script);
  });
  return loading;
}

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function layoutOf(own) {
  const axis = {
    gridcolor: colour("line"),
    zerolinecolor: colour("line"),
    linecolor: colour("edge"),
    automargin: true,
    fixedrange: true,
    rangemode: "tozero",
    title: { font: { size: 12 }, standoff: 8 },
  };
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: colour("soft"), size: 12, family: getComputedStyle(document.body).fontFamily },
    margin: { l: 48, r: 14, t: 12, b: 40 },
    hoverlabel: { bgcolor: colour("card"), bordercolor: colour("edge"),
      font: { color: colour("ink") } },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    dragmode: false,
    ...own,
    xaxis: { ...axis, ...own.xaxis, title: { ...axis.title, ...own.xaxis?.title } },
    yaxis: { ...axis, ...own.yaxis, title: { ...axis.title, ...own.yaxis?.title } },
  };
}

// `make()` gives the traces and what is special in the layout; it is asked again when colours change.
export async function draw(id, make) {
  const place = document.getElementById(id);
  if (!place) return;
  drawn.set(id, make);
  try {
    const plotly = await loadPlotly();
    const { traces, layout } = make();
    const config = { displayModeBar: false, responsive: true, scrollZoom: false };
    await plotly.react(place, traces, layoutOf(layout), config);
    // where it measures texts: no part of the page
    document.getElementById("js-plotly-tester")?.setAttribute("aria-hidden", "true");
  } catch (trouble) {
    place.classList.add("failed");
    place.textContent = "The chart cannot be drawn; its numbers are on this page.";
  }
}

export function readData() {
  return JSON.parse(document.getElementById("data").textContent);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const [id, make] of drawn) draw(id, make);
});

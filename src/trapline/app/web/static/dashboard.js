// The dashboard, live: parts of it are replaced, charts are drawn anew.

import { colour, draw, readData } from "./charts.js";
import { listen } from "./live.js";
import { fetchPage, replaceParts, showTemplate } from "./parts.js";

const KEPT = 600; // points of the course of visits
const LINES = {
  live: ["live", "on"],
  asking: ["asking every few seconds", "on"],
  gone: ["the server does not answer", "bad"],
};
const course = { times: [], rates: [] };

function addPoint(data) {
  const when = new Date(data.time_s * 1000);
  if (course.times.at(-1)?.getTime() === when.getTime()) return;
  course.times.push(when);
  course.rates.push(data.visits_per_s);
  if (course.times.length > KEPT) {
    course.times.shift();
    course.rates.shift();
  }
}

function ratePicture(data) {
  const traces = [{
    x: [...course.times], y: [...course.rates], mode: "lines+markers", name: "visits a second",
    line: { color: colour("series-1"), width: 2 }, marker: { size: 4 }, showlegend: false,
    hovertemplate: "%{y:.3g} a second<extra></extra>",
  }];
  const shapes = data.budget ? [{
    type: "line", xref: "paper", x0: 0, x1: 1, y0: data.budget, y1: data.budget,
    line: { color: colour("series-2"), dash: "dot", width: 1.5 },
  }] : [];
  const annotations = data.budget ? [{
    xref: "paper", x: 1, y: data.budget, text: "budget", showarrow: false, yshift: 9,
    font: { color: colour("warn") }, xanchor: "right",
  }] : [];
  const yaxis = { title: { text: "visits a second" } };
  const xaxis = { type: "date", tickangle: 0, nticks: 4, tickformat: "%H:%M:%S" };
  return { traces, layout: { shapes, annotations, yaxis, xaxis } };
}

function stepTrace(values, from, name, shade) {
  return {
    x: values.map((_, place) => place + from), y: values, name, mode: "lines",
    line: { shape: "hv", color: colour(shade), width: 2 },
    hovertemplate: `%{x} awake: up to a queue of %{y}<extra>${name}</extra>`,
  };
}

function queuePicture({ fetchers }) {
  const traces = [];
  if (fetchers?.curve) {
    const { departure, arrival } = fetchers.curve;
    traces.push(stepTrace(departure, 0, "wake one more", "series-1"));
    traces.push(stepTrace(arrival, 1, "send it out again", "series-3"));
  }
  if (fetchers) {
    traces.push({
      x: [fetchers.awake], y: [fetchers.queue], mode: "markers", name: "now",
      marker: { size: 13, color: colour("series-2"), line: { width: 2, color: colour("card") } },
      hovertemplate: "%{x} fetchers awake, %{y} answers in the queue<extra>now</extra>",
    });
  }
  const most = Math.max(fetchers?.most ?? 1, 1);
  const room = Math.max(fetchers?.queue_room ?? 1, 1);
  return {
    traces,
    layout: {
      xaxis: { title: { text: "fetchers awake" }, range: [-0.5, most + 0.5] },
      yaxis: { title: { text: "answers in the queue" }, range: [-1.5, room + 1] },
    },
  };
}

function drawAll() {
  const data = readData();
  addPoint(data);
  document.getElementById("charts").hidden = data.robot === "never ran";
  draw("chart-rate", () => ratePicture(data));
  draw("chart-queue", () => queuePicture(data));
}

function showState(state) {
  const [text, kind] = LINES[state];
  const line = document.getElementById("line");
  if (line.textContent !== text) line.textContent = text;
  document.getElementById("line-light").className = `light ${kind}`;
  if (state === "gone") showTemplate("gone", "state");
}

// Nobody reads, copies or follows what is taken away under the hand.
function isInUse(id) {
  const part = document.getElementById(id);
  const selection = getSelection();
  const isSelected = !selection.isCollapsed && selection.containsNode(part, true);
  return part.contains(document.activeElement) || isSelected;
}

async function refresh() {
  const { status, page } = await fetchPage("/dashboard");
  if (status !== 200) throw new Error(`status ${status}`);
  const read = ["numbers", "tables"].filter((id) => !isInUse(id));
  replaceParts(page, ["engine", "state", ...read, "data-place"]);
  drawAll();
}

drawAll();
listen("/api/live", refresh, showState);

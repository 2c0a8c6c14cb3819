// What a budget buys: freshness, news and finds, with the present point.

import { colour, draw, readData } from "./charts.js";

const unit = readData().unit;

function line(points, field, name, shade) {
  return {
    x: points.map((point) => point.budget), y: points.map((point) => point[field]), name,
    mode: "lines", line: { color: colour(shade), width: 2, shape: "spline", smoothing: 0.5 },
    hovertemplate: `%{y:.3g} at %{x:.3g} ${unit} a second<extra>${name}</extra>`,
  };
}

function presentPoint(point, field, shade, showlegend) {
  return {
    x: [point.budget], y: [point[field]], mode: "markers", name: "now", showlegend,
    marker: { size: 12, color: colour(shade), line: { width: 2, color: colour("card") } },
    hovertemplate: "%{y:.3g} now<extra></extra>",
  };
}

// Budgets are compared by their ratio: each step of the axis is about twice the one before.
function budgetAxis(curve) {
  const least = curve[0].budget;
  const most = curve.at(-1).budget;
  const steps = [];
  for (let power = 10 ** Math.floor(Math.log10(least)); power <= most; power *= 10) {
    steps.push(...[1, 2, 5].map((digit) => digit * power));
  }
  const tickvals = steps.filter((step) => step >= least && step <= most);
  const ticktext = tickvals.map((step) => String(Number(step.toPrecision(1))));
  return { title: { text: `${unit} a second` }, type: "log", tickvals, ticktext };
}

function freshnessPicture({ curve, present }) {
  const traces = [line(curve, "freshness", "freshness", "series-1")];
  if (present) traces.push(presentPoint(present, "freshness", "series-2", true));
  const yaxis = { title: { text: "freshness" }, tickformat: ".0%", range: [0, 1.02] };
  return { traces, layout: { xaxis: budgetAxis(curve), yaxis } };
}

function newsPicture({ curve, present }) {
  const traces = [
    line(curve, "news_a_day", "news", "series-3"),
    line(curve, "finds_a_day", "finds", "series-4"),
  ];
  if (present) {
    traces.push(presentPoint(present, "news_a_day", "series-2", true));
    traces.push(presentPoint(present, "finds_a_day", "series-2", false));
  }
  const yaxis = { title: { text: "relevance a day" } };
  return { traces, layout: { xaxis: budgetAxis(curve), yaxis } };
}

const data = readData();
if (data.curve.length) {
  draw("chart-freshness", () => freshnessPicture(data));
  draw("chart-news", () => newsPicture(data));
}

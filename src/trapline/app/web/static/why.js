// The price of a visit as time passes, up to what a visit should cost.

import { colour, draw, readData } from "./charts.js";

const UNITS = [["days", 86400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];

function pricePicture(data) {
  const longest = data.ages_s.at(-1);
  const [unit, size] = UNITS.find(([, seconds]) => longest >= 2 * seconds) ?? UNITS.at(-1);
  const ages = data.ages_s.map((age) => age / size);
  const traces = [
    {
      x: ages, y: data.prices, mode: "lines", name: "price of a visit",
      line: { color: colour("series-1"), width: 2 },
      hovertemplate: `%{y:.3g} after %{x:.3g} ${unit}<extra></extra>`,
    },
    {
      x: [ages[0], ages.at(-1)], y: [data.cost, data.cost], mode: "lines", name: "what a visit should cost",
      line: { color: colour("series-2"), dash: "dot", width: 1.5 }, hoverinfo: "skip",
    },
    {
      x: [data.age_s / size], y: [data.price], mode: "markers", name: "now",
      marker: { size: 12, color: colour("series-3"), line: { width: 2, color: colour("card") } },
      hovertemplate: "%{y:.3g} now<extra></extra>",
    },
  ];
  return {
    traces,
    layout: {
      xaxis: { title: { text: `${unit} since the last visit` } },
      yaxis: { title: { text: "price" } },
    },
  };
}

const data = readData();
if (data.ages_s.length) draw("chart-price", () => pricePicture(data));
else document.getElementById("chart-price")?.closest("figure").remove();

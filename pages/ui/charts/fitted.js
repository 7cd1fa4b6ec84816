// A figure as its window takes it: larger in a room, and on a phone labels above their bars.
const PHONE = 520;  // pixels; below, a chart has no room beside its bars
const LABEL = 9;  // pixels from a bar to the middle of the label above it
const GAP = 0.55;  // of a row that holds the label

// How much larger the page's letters are than usual: more than 1 in a presentation.
function letters() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

// Charts that fit on one small screen, and all that is shown to a room, use a higher one.
function heightOf({ height, grows }) {
  if (!grows && letters() <= 1) return height;
  return Math.round(height * Math.min(Math.max(1, window.innerHeight / 720), 1.5));
}

// The rows of a figure that have names, as [where, name]; those of a matrix have no room above.
function namedRows(data, { yaxis }) {
  if (data.some(({ type }) => type === "heatmap")) return [];
  if (yaxis?.ticktext) return yaxis.ticktext.map((name, row) => [yaxis.tickvals[row], name]);
  const bars = data.filter(({ type, orientation }) => type === "bar" && orientation === "h");
  return [...new Set(bars.flatMap(({ y }) => [...y]))].map((name) => [name, name]);
}

// Words of our own: plotly would make room beside the bars for labels inside of a figure, too.
function labelsAboveBars(data, layout, height) {
  const rows = namedRows(data, layout);
  if (!rows.length) return layout;
  const { t = 44, b = 52 } = layout.margin ?? {};
  const yshift = Math.round((height - t - b) / rows.length * (1 - GAP) / 2 + LABEL);
  const place = { xref: "paper", x: 0, xanchor: "left", yref: "y", yshift, showarrow: false };
  const names = rows.map(([y, text]) => ({ ...place, y, text }));
  const yaxis = { ...layout.yaxis, showticklabels: false };
  const annotations = [...(layout.annotations ?? []), ...names];
  return { ...layout, yaxis, annotations, bargap: GAP, margin: { r: 12, ...layout.margin, l: 12 } };
}

function fitted({ data, layout }, node) {
  if (node.clientWidth >= PHONE) return { data, layout };
  return { data, layout: labelsAboveBars(data, layout, node.clientHeight) };
}

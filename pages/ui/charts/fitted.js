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

// How many rows with a name of their own a figure has, one above the other.
function namedRows(data, { yaxis }) {
  const bars = data.filter(({ type, orientation }) => type === "bar" && orientation === "h");
  return yaxis?.ticktext?.length ?? new Set(bars.flatMap(({ y }) => [...y])).size;
}

function labelsAboveBars(data, layout, height, ink) {
  const rows = namedRows(data, layout);
  if (!rows) return layout;
  const { t = 44, b = 52 } = layout.margin ?? {};
  const shift = Math.round((height - t - b) / rows * (1 - GAP) / 2 + LABEL);
  // Plotly takes a label inside of a figure for one on a bar, and its ground for white.
  const tickfont = { ...layout.yaxis?.tickfont, color: ink };
  const inside = { ticklabelposition: "inside", ticklabelshift: -shift, automargin: false, tickfont };
  const margin = { ...layout.margin, l: 12, r: 12 };
  return { ...layout, yaxis: { ...layout.yaxis, ...inside }, bargap: GAP, margin };
}

function fitted({ data, layout }, node, { ink }) {
  if (node.clientWidth >= PHONE) return { data, layout };
  return { data, layout: labelsAboveBars(data, layout, node.clientHeight, ink) };
}

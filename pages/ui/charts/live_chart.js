// One chart, one DOM node for as long as the page shows it: Plotly.react redraws in place, and
// a constant uirevision keeps zoom, pan and legend clicks. Streamlit calls the default export
// again for new data and for a change of theme.
function plotly() {
  if (!window.anylossPlotly) {
    let ready;
    const promise = new Promise((resolve) => { ready = resolve; });
    window.anylossPlotly = { promise, ready };
  }
  return window.anylossPlotly.promise;
}

function themeOf(node) {
  const css = getComputedStyle(node);
  const read = (name) => css.getPropertyValue("--st-" + name).trim();
  return { ink: read("text-color"), paper: read("background-color"), font: read("font") };
}

function faded(ink, percent) {
  return `color-mix(in srgb, ${ink} ${percent}%, transparent)`;
}

// Plotly wants rgb(): let the browser resolve color-mix(), at once: where motion is reduced, every
// change is a transition of a moment, which begins with the colour of before.
function resolved(node, colour) {
  node.style.setProperty("transition", "none", "important");
  node.style.color = colour;
  const seen = getComputedStyle(node).color;
  node.style.color = "";
  node.style.removeProperty("transition");
  const srgb = seen.match(/color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)/);
  if (!srgb) return seen;
  const [r, g, b] = srgb.slice(1, 4).map((part) => Math.round(255 * Number(part)));
  return `rgba(${r},${g},${b},${srgb[4] ?? 1})`;
}

function dressed(layout, node) {
  const { ink, paper, font } = themeOf(node);
  const line = resolved(node, faded(ink, 14));
  const strong = resolved(node, faded(ink, 45));
  const axis = { gridcolor: line, zerolinecolor: strong, linecolor: strong, tickcolor: strong };
  const own = layout.template?.layout ?? {};
  const template = {
    ...(layout.template ?? {}),
    layout: {
      ...own,
      font: { ...own.font, size: (own.font?.size ?? 12) * letters(), color: ink, family: font },
      xaxis: { ...(own.xaxis ?? {}), ...axis },
      yaxis: { ...(own.yaxis ?? {}), ...axis },
      hoverlabel: { ...(own.hoverlabel ?? {}), bgcolor: paper, bordercolor: strong,
                    font: { color: ink, family: font } },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: strong, activecolor: ink },
    },
  };
  return { ...layout, template, autosize: true, width: undefined, height: undefined,
           uirevision: layout.uirevision ?? "keep" };
}

const DISK = { width: 24, height: 24, path: "M5 20h14v-2H5v2zM19 9h-4V3H9v6H5l7 7 7-7z" };

function settings(Plotly, node) {
  const save = (format) => () => {
    const size = { width: node.clientWidth, height: node.clientHeight };
    const { filename } = node.wanted;
    Plotly.downloadImage(node, { format, filename, scale: format === "png" ? 2 : 1, ...size });
  };
  return {
    displaylogo: false, showSendToCloud: false, responsive: false, typesetMath: false, doubleClick: "reset",
    modeBarButtonsToRemove: ["toImage", "select2d", "lasso2d", "autoScale2d"],
    modeBarButtonsToAdd: [
      { name: "png", title: "Save as PNG", icon: DISK, click: save("png") },
      { name: "svg", title: "Save as SVG", icon: DISK, click: save("svg") },
    ],
  };
}

function answerClicks(node) {
  if (node.answering || !node.clicked) return;
  node.answering = true;
  node.on("plotly_click", (event) => {
    const point = event.points[0];
    node.clicked({ x: point.x, y: point.y, trace: point.curveNumber, index: point.pointNumber,
                   custom: point.customdata ?? null });
  });
}

// What a slider changes in the figure while it is dragged away from the value the figure is for.
function frameOf({ channels, key }) {
  for (const [channel, value] of channels) {
    const shared = window.anylossFrames?.[channel];
    const wanted = window.anylossValues?.[channel];
    const moved = shared && wanted !== undefined && wanted !== value;
    const frame = moved ? shared.at(key, wanted) : null;
    if (frame) return frame;
  }
  return null;
}

function framed({ data, layout }, frame) {
  if (!frame) return { data, layout };
  const traces = data.slice();
  frame.traces.forEach((index, i) => { traces[index] = { ...traces[index], ...frame.data[i] }; });
  return { data: traces, layout: { ...layout, ...frame.layout } };
}

async function draw(node) {
  const Plotly = await plotly();
  if (!node.isConnected || !node.wanted) return;
  // A rerun that brings the same figure in the same theme has nothing to draw.
  const frame = frameOf(node.wanted);
  const look = [themeOf(node), letters(), node.clientWidth < PHONE];
  const picture = node.wanted.figure + JSON.stringify([look, frame]);
  if (node.picture === picture && node.layout) return upToDate(node);
  node.picture = picture;
  const { data, layout } = fitted(framed(JSON.parse(node.wanted.figure), frame), node);
  // Only the first draw carries a config: buttons with functions never compare equal, and
  // Plotly.react with a "changed" config starts over again and again.
  const config = node.layout ? undefined : settings(Plotly, node);
  try {
    await Plotly.react(node, data, dressed(layout, node), config);
  } catch (fault) {
    if (node.wanted) throw fault;
    return;  // taken off the page in the middle of a draw
  }
  answerClicks(node);
  oneTabStop(node);
  node.dataset.drawn = String(Number(node.dataset.drawn ?? 0) + 1);
  upToDate(node);
}

function upToDate(node) {
  if (!node.queued) delete node.dataset.late;
}

// A draw soon after a click or a key is its answer.
const ANSWER = 2000;  // milliseconds
function noteActs() {
  if (window.anylossActed !== undefined) return;
  window.anylossActed = -Infinity;
  for (const kind of ["pointerdown", "keydown", "input"]) {
    document.addEventListener(kind, () => { window.anylossActed = performance.now(); }, true);
  }
}

// What is scrolled away is drawn when it comes into view: a page answers with what can be seen.
function watchVisibility(node) {
  node.visibilityWatcher = new IntersectionObserver((entries) => {
    node.isVisible = entries.at(-1).isIntersecting;
    if (node.isVisible && node.dataset.late) drawQueued(node);
  }, { scrollMargin: "300px" });
  node.visibilityWatcher.observe(node);
}

// Charts that grow are drawn one after the other, and after a draw that nobody asked for the page rests as long as the
// draw took: on a slow machine they are drawn less often, and clicks are still answered.
function drawQueued(node) {
  node.dataset.late = "yes";
  if (!node.isVisible || node.queued) return;
  if (!node.layout) return draw(node);
  node.queued = true;
  window.anylossQueue = (window.anylossQueue ?? Promise.resolve()).then(async () => {
    node.queued = false;
    const began = performance.now();
    await draw(node).catch(console.error);
    const ended = performance.now();
    const asked = ended - window.anylossActed < ANSWER;
    await new Promise((go) => { setTimeout(go, asked ? 0 : ended - began); });
  });
}

function follow(node, channels) {
  const names = channels.map(([name]) => "anyloss:" + name);
  if (String(node.followed ?? []) === String(names)) return;
  (node.followed ?? []).forEach((name) => document.removeEventListener(name, node.onMove));
  node.followed = names;
  node.onMove = () => drawQueued(node);
  names.forEach((name) => document.addEventListener(name, node.onMove));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const node = parentElement.querySelector(".live-chart");
  noteActs();
  node.wanted = data;
  node.clicked = data.clickable ? (point) => setTriggerValue("click", point) : null;
  node.style.height = heightOf(data) + "px";
  node.dataset.chart = data.key;
  node.setAttribute("role", "figure"); // not img: the toolbar in it has buttons
  node.setAttribute("aria-label", data.alt);
  if (!node.watcher) {
    node.watcher = new ResizeObserver(() => {
      if (window.Plotly && node.layout && node.clientWidth) window.Plotly.Plots.resize(node);
    });
    node.watcher.observe(node);
    watchVisibility(node);
  }
  follow(node, data.channels);
  drawQueued(node);
  return () => {
    follow(node, []);
    node.watcher.disconnect();
    node.watcher = null;
    node.visibilityWatcher.disconnect();
    node.wanted = null;
    if (window.Plotly) window.Plotly.purge(node);
  };
}

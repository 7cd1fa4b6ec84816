// A curve drawn by hand: one value at each x. Drag with mouse or finger; with keys, left and right
// choose a point, up and down move it. Python hears of it when the hand is lifted.
const NS = "http://www.w3.org/2000/svg";
const BOX = { width: 640, height: 300, left: 46, right: 12, top: 10, bottom: 40 };
const WIDEST = 640, NARROWEST = 240;  // pixels; in a wider field all grows, letters included

function shape(name, attributes, parent) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.append(node);
  return node;
}

function scales({ x, low, high }) {
  const wide = BOX.width - BOX.left - BOX.right;
  const tall = BOX.height - BOX.top - BOX.bottom;
  const first = x[0], span = x.at(-1) - x[0];
  return {
    across: (value) => BOX.left + wide * (value - first) / span,
    up: (value) => BOX.top + tall * (high - value) / (high - low),
    place: (pixel) => Math.round((pixel - BOX.left) / wide * (x.length - 1)),
    value: (pixel) => high - (pixel - BOX.top) / tall * (high - low),
  };
}

function label(parent, text, x, y, anchor) {
  shape("text", { x, y, "text-anchor": anchor }, parent).textContent = text;
}

function grid(svg, data, { across, up }) {
  const { x, low, high } = data;
  for (const share of [0, 0.5, 1]) {
    const value = low + share * (high - low);
    const line = { x1: across(x[0]), x2: across(x.at(-1)), y1: up(value), y2: up(value) };
    shape("line", line, svg);
    label(svg, String(value), BOX.left - 8, up(value) + 5, "end");
    const at = x[0] + share * (x.at(-1) - x[0]);
    label(svg, String(at), across(at), BOX.height - BOX.bottom + 20, "middle");
  }
  label(svg, data.xTitle, across((x[0] + x.at(-1)) / 2), BOX.height - 4, "middle");
}

function draw(svg, data) {
  BOX.width = Math.min(Math.max(svg.clientWidth || WIDEST, NARROWEST), WIDEST);
  svg.setAttribute("viewBox", `0 0 ${BOX.width} ${BOX.height}`);
  const scale = scales(data);
  svg.replaceChildren();
  grid(svg, data, scale);
  const points = data.x.map((x, i) => `${scale.across(x)},${scale.up(svg.values[i])}`);
  shape("polyline", { points: points.join(" "), class: svg.touched ? "" : "unset" }, svg);
  const [cx, cy] = points[svg.place].split(",");
  shape("circle", { cx, cy, r: 7 }, svg);
  const spoken = `${data.xTitle} = ${data.x[svg.place]}: ${svg.values[svg.place].toFixed(2)}`;
  const said = { valuemin: data.low, valuemax: data.high, valuenow: svg.values[svg.place],
                 valuetext: spoken };
  for (const [name, value] of Object.entries(said)) svg.setAttribute("aria-" + name, value);
}

// What no hand has reached yet goes on as high as the nearest point that one has.
function set(svg, data, place, value) {
  svg.touched = true;
  svg.values[place] = Math.min(Math.max(value, data.low), data.high);
  svg.known[place] = true;
  const known = [...svg.known.keys()].filter((i) => svg.known[i]);
  svg.values.forEach((_, i) => {
    const nearest = known.reduce((a, b) => (Math.abs(b - i) < Math.abs(a - i) ? b : a));
    svg.values[i] = svg.values[nearest];
  });
}

// A fast hand skips points: those between the last and this one lie on the straight line.
function dragTo(svg, data, event) {
  const box = svg.getBoundingClientRect();
  const { place, value } = scales(data);
  const pixel = { x: (event.clientX - box.left) / box.width * BOX.width,
                  y: (event.clientY - box.top) / box.height * BOX.height };
  const to = Math.min(Math.max(place(pixel.x), 0), data.x.length - 1);
  const from = svg.dragged ? svg.place : to;
  const [start, end] = [svg.dragged ? svg.values[from] : value(pixel.y), value(pixel.y)];
  const steps = Math.max(Math.abs(to - from), 1);
  for (let step = 0; step <= steps; step += 1) {
    const at = from + Math.round((to - from) * step / steps);
    set(svg, data, at, start + (end - start) * step / steps);
  }
  svg.place = to;
  svg.dragged = true;
  draw(svg, data);
}

const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const LIFTS = { ArrowUp: 0.05, ArrowDown: -0.05, PageUp: 0.2, PageDown: -0.2 };

function press(svg, data, event, send) {
  if (event.key in MOVES) {
    svg.place = Math.min(Math.max(svg.place + MOVES[event.key], 0), data.x.length - 1);
  } else if (event.key in LIFTS) {
    const by = LIFTS[event.key] * (data.high - data.low);
    set(svg, data, svg.place, svg.values[svg.place] + by);
    clearTimeout(svg.waiting);
    svg.waiting = setTimeout(send, 400); // several steps are one change
  } else return;
  event.preventDefault();
  draw(svg, data);
}

export default function ({ data, parentElement, setStateValue }) {
  const svg = parentElement.querySelector("svg");
  const send = () => setStateValue("value", [...svg.values]);
  svg.setAttribute("aria-label", data.label);
  svg.values ??= data.value ? [...data.value] : data.x.map(() => (data.low + data.high) / 2);
  svg.touched ??= Boolean(data.value);
  svg.known ??= data.x.map(() => svg.touched);
  svg.place ??= 0;
  svg.onpointerdown = (event) => {
    svg.setPointerCapture(event.pointerId);
    svg.dragged = false;
    dragTo(svg, data, event);
  };
  svg.onpointermove = (event) => { if (svg.hasPointerCapture(event.pointerId)) dragTo(svg, data, event); };
  svg.onpointerup = send;
  svg.onkeydown = (event) => press(svg, data, event, send);
  draw(svg, data);
}

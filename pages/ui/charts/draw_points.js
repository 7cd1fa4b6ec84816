// A plane to draw points of two classes on, by mouse, touch and keys. The lines of trained models,
// one frame every few epochs, are played over the points; they come ready to be drawn.
const SVG = "http://www.w3.org/2000/svg";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LEVELS = LETTERS.length ** 2;  // of a coordinate: two letters
const REACH = 5;  // the plane is a square from -REACH to REACH
const SHAPES = [  // a circle and a diamond around 0
  "M-.11 0a.11 .11 0 1 0 .22 0a.11 .11 0 1 0-.22 0Z", "M0-.17L.17 0L0 .17L-.17 0Z",
];
const ERASE = 2;  // the third tool, after the two classes
const RUBBER = 0.35;  // reach of the eraser
const GAP = 0.3;  // between two points of a brush
const SPRAY = 0.5;  // how far a brush scatters them
const STEP = 0.25;  // of an arrow key; with Shift a fifth of it
const PACE = 45;  // milliseconds a frame
const WAIT = 500;  // milliseconds after the last key, before the points are learnt

function read(text) {
  return text.split(".").flatMap((part, kind) => {
    const codes = part.match(/.{4}/g) ?? [];
    return codes.map((code) => ({ x: place(code.slice(0, 2)), y: place(code.slice(2)), kind }));
  });
}

function place(code) {
  const level = LETTERS.indexOf(code[0]) * LETTERS.length + LETTERS.indexOf(code[1]);
  return (level / (LEVELS - 1) * 2 - 1) * REACH;
}

function letters(value) {
  const level = Math.round((value / REACH + 1) / 2 * (LEVELS - 1));
  return LETTERS[Math.floor(level / LETTERS.length)] + LETTERS[level % LETTERS.length];
}

function written(points) {
  return [0, 1].map((kind) => points.filter((point) => point.kind === kind)
    .map(({ x, y }) => letters(x) + letters(y)).join("")).join(".");
}

function within(value) {
  return Math.min(Math.max(value, -REACH), REACH);
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function drawPoints(node) {
  node.svg.querySelector(".points").replaceChildren(...node.points.map(({ x, y, kind }) => element(
    "path", { d: SHAPES[kind], class: `kind${kind}`, transform: `translate(${x} ${y})` })));
  const counts = [0, 1].map((kind) => node.points.filter((point) => point.kind === kind).length);
  node.querySelector(".count").textContent = `${counts[0]} negative, ${counts[1]} positive`;
}

// What the tool does at a place of the plane; whether anything changed.
function act(node, x, y) {
  const before = node.points.length;
  if (node.tool === ERASE) {
    node.points = node.points.filter((point) => Math.hypot(point.x - x, point.y - y) > RUBBER);
  } else if (before < node.most) {
    node.points.push({ x: within(x), y: within(y), kind: node.tool });
  }
  const full = node.tool !== ERASE && before >= node.most;
  node.querySelector(".told").textContent = full ? `${node.most} points are the most.` : "";
  drawPoints(node);
}

function send(node) {
  const text = written(node.points);
  if (text === node.text) return;
  node.text = text;
  node.sent.push(text);
  node.tell(text);
}

function sendSoon(node) {
  clearTimeout(node.waiting);
  node.waiting = setTimeout(() => send(node), WAIT);
}

function spot(node, event) {
  const point = new DOMPoint(event.clientX, event.clientY);
  const { x, y } = point.matrixTransform(node.svg.getScreenCTM().inverse());
  return { x, y: -y };
}

function answerPointer(node) {
  const spray = () => SPRAY * (Math.random() + Math.random() - 1);
  node.svg.onpointerdown = (event) => {
    if (!node.editable || event.button > 0) return;
    node.svg.setPointerCapture(event.pointerId);
    node.last = spot(node, event);
    act(node, node.last.x, node.last.y);
  };
  node.svg.onpointermove = (event) => {
    if (!node.last) return;
    const { x, y } = spot(node, event);
    if (Math.hypot(x - node.last.x, y - node.last.y) < GAP) return;
    node.last = { x, y };
    const rubs = node.tool === ERASE;
    act(node, x + (rubs ? 0 : spray()), y + (rubs ? 0 : spray()));
  };
  node.svg.onpointerup = node.svg.onpointercancel = () => {
    if (node.last) send(node);
    node.last = null;
  };
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function answerKeys(node) {
  node.svg.onkeydown = (event) => {
    if (!node.editable) return;
    const { key } = event;
    if (ARROWS[key]) {
      const step = event.shiftKey ? STEP / 5 : STEP;
      node.cross = node.cross.map((value, axis) => within(value + step * ARROWS[key][axis]));
      drawCross(node);
    } else if ("123".includes(key)) {
      node.querySelectorAll("input[type=radio]")[Number(key) - 1].click();
    } else if (key === " " || key === "Enter") {
      act(node, ...node.cross);
      sendSoon(node);
    } else return;
    event.preventDefault();
  };
}

function drawCross(node) {
  const [x, y] = node.cross;
  node.svg.querySelector(".cross").setAttribute("transform", `translate(${x} ${y})`);
  node.querySelector(".told").textContent = `at ${x.toFixed(2)}, ${y.toFixed(2)}`;
}

function showFrame(node, index) {
  const frame = node.frames[index];
  node.bar.value = index;
  node.querySelector(".epoch").textContent = frame ? `epoch ${frame.epoch}` : "";
  node.svg.querySelectorAll(".lines path").forEach((path, line) => {
    path.setAttribute("d", frame?.paths[line] ?? "");
  });
  node.svg.querySelectorAll(".marks path").forEach((path, line) => {
    path.setAttribute("d", frame?.marks[line] ?? "");
  });
  node.querySelectorAll(".legend b").forEach((score, line) => {
    score.textContent = frame?.scores[line] ?? "";
  });
}

function play(node, going) {
  clearInterval(node.timer);
  node.playing = going && node.frames.length > 1;
  node.querySelector(".play").textContent = node.playing ? "Pause" : "Play";
  if (!node.playing) return;
  if (Number(node.bar.value) >= node.frames.length - 1) showFrame(node, 0);
  node.timer = setInterval(() => {
    const next = Number(node.bar.value) + 1;
    showFrame(node, next);
    if (next >= node.frames.length - 1) play(node, false);
  }, PACE);
}

function legend(node, lines) {
  node.svg.querySelector(".lines").replaceChildren(...lines.map(({ colour, dash }) => element(
    "path", { stroke: colour, "stroke-dasharray": dash })));
  node.svg.querySelector(".marks").replaceChildren(...lines.map(({ colour }) => element(
    "path", { fill: colour })));
  node.querySelector(".legend").replaceChildren(...lines.map(({ name, colour, dash }) => {
    const item = document.createElement("li");
    const swatch = element("svg", { viewBox: "0 0 30 6", "aria-hidden": "true" });
    swatch.append(element("path", { d: "M0 3H30", stroke: colour, "stroke-dasharray": dash }));
    item.append(swatch, `${name} `, document.createElement("b"));
    return item;
  }));
}

function begin(node, parent) {
  node.svg = parent.querySelector(".plane");
  node.bar = parent.querySelector("input[type=range]");
  Object.assign(node, { points: [], sent: [], frames: [], cross: [0, 0], tool: 1 });
  node.querySelectorAll("input[type=radio]").forEach((radio, tool) => {
    radio.onchange = () => { node.tool = tool; };
  });
  node.querySelector(".clear").onclick = () => {
    node.points = [];
    drawPoints(node);
    send(node);
  };
  node.querySelector(".play").onclick = () => play(node, !node.playing);
  node.bar.oninput = () => { play(node, false); showFrame(node, Number(node.bar.value)); };
  answerPointer(node);
  answerKeys(node);
}

// Points that were sent before and come back late must not undo what was drawn since.
function adopt(node, text) {
  const index = node.sent.indexOf(text);
  const known = index >= 0 || node.received === text;
  node.sent.splice(0, known ? index + 1 : node.sent.length);
  node.received = text;
  if (known || node.last) return;
  node.text = text;
  node.points = read(text);
  drawPoints(node);
}

function begins(node, packed) {
  node.packed = packed;
  const { lines, frames } = JSON.parse(packed);
  play(node, false);
  node.frames = frames;
  node.bar.max = Math.max(frames.length - 1, 0);
  legend(node, lines);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  showFrame(node, still ? frames.length - 1 : 0);
  if (!still) play(node, true);
}

export default function ({ data, parentElement, setStateValue }) {
  const node = parentElement.querySelector(".draw");
  if (!node.svg) begin(node, parentElement);
  node.tell = (text) => setStateValue("points", text);
  Object.assign(node, { most: data.most, editable: data.editable });
  node.querySelector(".tools").style.display = data.editable ? "" : "none";
  node.svg.setAttribute("aria-label", data.label);
  adopt(node, data.text);
  const stale = node.text !== data.text;  // something was drawn since: its own answer is coming
  if (!stale && node.packed !== data.frames) begins(node, data.frames);
  return () => clearInterval(node.timer);
}

// A confusion matrix whose counts are dragged or typed. Python hears of them while they move, a few
// times a second, and works out what follows from them.
const CELLS = ["tn", "fp", "fn", "tp"];  // as they stand, row by row
const WAIT = 150;  // milliseconds between two messages

function shade(node) {
  const most = Math.max(...CELLS.map((name) => node.counts[name]), 1);
  node.querySelectorAll(".cell").forEach((cell, index) => {
    cell.style.setProperty("--part", `${10 + 45 * node.counts[CELLS[index]] / most}%`);
  });
}

function show(node) {
  node.querySelectorAll(".cell").forEach((cell, index) => {
    const value = node.counts[CELLS[index]];
    const [slider, number] = cell.querySelectorAll("input");
    slider.max = Math.max(node.reach, value);
    slider.value = value;
    if (document.activeElement !== number) number.value = value;
  });
  shade(node);
}

function send(node) {
  clearTimeout(node.waiting);
  node.waiting = null;
  node.heard = performance.now();
  const text = CELLS.map((name) => node.counts[name]).join(";");
  if (text === node.text) return;
  node.text = text;
  node.sent.push(text);
  node.tell(text);
}

function set(node, name, value) {
  if (!(value >= 0)) return;
  node.counts[name] = Math.min(Math.round(value), node.most);
  show(node);
  if (node.waiting) return;
  node.waiting = setTimeout(() => send(node), Math.max(0, WAIT - (performance.now() - node.heard)));
}

function begin(node) {
  node.sent = [];
  node.heard = -WAIT;
  node.querySelectorAll(".cell").forEach((cell, index) => {
    for (const input of cell.querySelectorAll("input")) {
      input.oninput = () => { if (input.value !== "") set(node, CELLS[index], Number(input.value)); };
      input.onchange = () => { show(node); send(node); };
      input.onblur = () => show(node);
    }
  });
}

export default function ({ data, parentElement, setStateValue }) {
  const node = parentElement.querySelector(".matrix");
  if (!node.sent) begin(node);
  node.tell = (text) => setStateValue("counts", text);
  Object.assign(node, { most: data.most, reach: data.reach });
  // An answer that comes late must not pull a count out of the hand.
  const index = node.sent.indexOf(data.text);
  const known = index >= 0 || node.received === data.text;
  node.sent.splice(0, known ? index + 1 : node.sent.length);
  node.received = data.text;
  if (!known) {
    node.text = data.text;
    node.counts = Object.fromEntries(data.text.split(";").map((n, i) => [CELLS[i], Number(n)]));
  }
  show(node);
  return () => clearTimeout(node.waiting);
}

// A slider that tells the charts of its channel at every move, and Python when it is let go.
function tell(channel, value) {
  window.anylossValues ??= {};
  window.anylossValues[channel] = value;
  document.dispatchEvent(new CustomEvent("anyloss:" + channel));
}

function shown(value) {
  return String(Number(value.toPrecision(6)));
}

// Where a value lies on the slider, and what lies at a position of its thumb. A slider with stops
// counts them: they need not be evenly spaced.
function nearest(stops, value) {
  let best = 0;
  stops.forEach((stop, index) => {
    if (Math.abs(stop - value) < Math.abs(stops[best] - value)) best = index;
  });
  return best;
}

function position({ stops }, value) {
  return stops ? nearest(stops, value) : value;
}

function valueAt({ stops }, at) {
  return stops ? stops[at] : at;
}

function limits({ stops, low, high, step }) {
  return stops ? { min: 0, max: stops.length - 1, step: 1 } : { min: low, max: high, step };
}

// Where the middle of the thumb is, which is 16 pixels wide.
function place(value, data) {
  const { min, max } = limits(data);
  const share = (position(data, value) - min) / (max - min);
  return `calc(${100 * share}% + ${8 - 16 * share}px)`;
}

function marks(parent, data, move) {
  const box = parent.querySelector(".marks");
  const sorted = [...data.marks].sort((one, other) => one.value - other.value);
  box.replaceChildren(...sorted.flatMap(({ value, label }) => {
    const tick = document.createElement("i");
    const mark = document.createElement("button");
    tick.style.left = place(value, data);
    mark.type = "button";
    mark.textContent = label;
    mark.title = `set ${data.label} to ${shown(value)}`;
    mark.onclick = () => move(value, true);
    return [tick, mark];
  }));
  spread(box);
}

// Ticks stand at their value; labels as near to them as they can without covering each other.
function spread(box) {
  const labels = [...box.querySelectorAll("button")];
  const room = box.clientWidth;
  let free = 0;
  const left = labels.map((label) => {
    const wanted = label.previousSibling.offsetLeft - label.offsetWidth / 2;
    const start = Math.max(wanted, free);
    free = start + label.offsetWidth;
    return start;
  });
  let end = room;
  labels.map((label, i) => [label, i]).reverse().forEach(([label, i]) => {
    end = Math.min(left[i], end - label.offsetWidth);
    label.style.left = `${Math.max(end, 0)}px`;
  });
}

export default function ({ data, parentElement, setStateValue }) {
  const input = parentElement.querySelector("input");
  const output = parentElement.querySelector("output");
  parentElement.querySelector(".drag").style.display = data.hidden ? "none" : "";
  parentElement.querySelector(".label").textContent = data.label;
  input.setAttribute("aria-label", data.label);
  Object.assign(input, limits(data));
  const move = (value, settled) => {
    input.value = position(data, value); // rounded to a step by the browser; `current` keeps an exact mark
    input.current = value;
    input.style.setProperty("--at", place(value, data));
    output.textContent = shown(value);
    input.setAttribute("aria-valuetext", shown(value));
    tell(data.channel, value);
    if (settled) {
      input.sent.push(value);
      setStateValue("value", value);
    }
  };
  input.oninput = () => move(valueAt(data, Number(input.value)), false);
  input.onchange = () => move(valueAt(data, Number(input.value)), true);
  marks(parentElement, data, move);
  if (!input.watcher) {
    const box = parentElement.querySelector(".marks");
    input.watcher = new ResizeObserver(() => spread(box));
    input.watcher.observe(box);
  }
  // A rerun that brings back a value sent before must not pull the slider out of the hand.
  input.sent ??= [];
  const index = input.sent.indexOf(data.value);
  const known = index >= 0 || input.received === data.value;
  input.sent.splice(0, known ? index + 1 : input.sent.length);
  input.received = data.value;
  move(known ? input.current : data.value, false);
  return () => {
    input.watcher?.disconnect();
    input.watcher = null;
  };
}

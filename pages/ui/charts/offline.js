// A lesson as one file without a server: mounts the components of the app, asks for the guess first
// and then shows the rest. Everything that moves was worked out before, frame by frame.
const lesson = JSON.parse(document.getElementById("lesson").textContent);
window.anylossPlotly = { promise: Promise.resolve(window.Plotly) };

function put(parent, tag, text, attributes = {}) {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

// In a shadow root, as Streamlit does, unless the styles are meant for the whole page.
function mountComponent({ component, data }, parent, setStateValue = () => {}) {
  const { html, css, isolated } = lesson.components[component];
  const box = put(parent, "div", "", { class: "part" });
  const root = isolated ? box.attachShadow({ mode: "open" }) : box;
  root.innerHTML = `<style>${css}</style>${html}`;
  const given = component === "share_frames" ? new TextEncoder().encode(data) : data;
  return COMPONENTS[component](
    { data: given, parentElement: root, setStateValue, setTriggerValue: () => {} });
}

function mountChoice({ choice, options }, parent) {
  const field = put(parent, "fieldset", "", { class: "choice" });
  put(field, "legend", choice);
  const box = put(parent, "div");
  let leave = [];
  options.forEach(({ label, parts }, index) => {
    const line = put(field, "label");
    const radio = put(line, "input", "", { type: "radio", name: choice });
    line.append(` ${label}`);
    radio.onchange = () => {
      leave.forEach((end) => end?.());
      box.replaceChildren();
      leave = mount(parts, box);
    };
    if (index === 0) radio.click();
  });
}

function mount(parts, parent) {
  return parts.flatMap((part) => {
    if (part.component) return [mountComponent(part, parent)];
    if (part.choice) return [mountChoice(part, parent)];
    if (part.columns) {
      const row = put(parent, "div", "", { class: "columns" });
      return part.columns.flatMap((column) => mount(column, put(row, "div")));
    }
    put(parent, part.tag ?? "p", part.text);
    return [];
  });
}

const FIELDS = {
  number(guess, parent, told) {
    const line = put(parent, "label", "Your guess ");
    const { low, high, step } = guess;
    const field = put(line, "input", "", { type: "range", min: low, max: high, step });
    const output = put(line, "output");
    field.oninput = () => {
      output.textContent = `${field.value}${guess.unit}`;
      told(Number(field.value));
    };
  },
  choice(guess, parent, told) {
    guess.options.forEach((words, index) => {
      const line = put(parent, "label", "", { class: "option" });
      put(line, "input", "", { type: "radio", name: "guess" }).onchange = () => told(index);
      line.append(` ${words}`);
    });
  },
  curve(guess, parent, told) {
    const data = { ...guess, label: "Your curve: draw it, or use the arrow keys", value: null };
    mountComponent({ component: "sketch", data }, parent, (_, values) => told(values));
    put(parent, "p", `${data.label}: left and right choose a point, up and down move it.`);
  },
};

// What follows a guess was worked out for each; of a curve the sketch itself is drawn.
function answer(value, guess, parent) {
  window.anylossValues = { ...window.anylossValues, guess: value };
  mount(value === null ? guess.skipped : guess.answered, parent);
  if (value === null || guess.kind !== "curve") return;
  const sketched = { traces: [0], data: [{ y: value }], layout: {} };
  window.anylossFrames = { ...window.anylossFrames, guess: { at: () => sketched } };
  document.dispatchEvent(new CustomEvent("anyloss:guess"));
}

function ask(guess, parent) {
  const box = put(parent, "section", "", { class: "guess" });
  put(box, "p", `Guess first. ${guess.question}`);
  let value = null;
  const buttons = document.createElement("div");
  const commit = put(buttons, "button", "This is my guess", { type: "button", disabled: "" });
  const skip = put(buttons, "button", "Show me", { type: "button", class: "quiet" });
  FIELDS[guess.kind](guess, box, (given) => { value = given; commit.disabled = false; });
  box.append(buttons);
  const settle = (given) => {
    box.replaceChildren();
    answer(given, guess, box);
    mount(lesson.parts, parent);
  };
  commit.onclick = () => settle(value);
  skip.onclick = () => settle(null);
}

const main = document.querySelector("main");
if (lesson.guess) ask(lesson.guess, main);
else mount(lesson.parts, main);

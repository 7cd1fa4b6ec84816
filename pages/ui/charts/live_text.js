// Sentences that follow a slider while it is dragged.
function nearest(values, wanted) {
  let best = 0;
  values.forEach((value, place) => {
    if (Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = place;
  });
  return best;
}

function draw(node) {
  const shared = window.anylossFrames?.[node.channel];
  if (!shared) return;
  const wanted = window.anylossValues?.[node.channel] ?? shared.values[0];
  const sentences = shared.charts[node.key][nearest(shared.values, wanted)];
  node.replaceChildren(...sentences.map(({ holds, text }) => {
    const line = document.createElement("p");
    line.className = holds ? "good" : "bad";
    line.textContent = (holds ? "✓ " : "✗ ") + text;
    return line;
  }));
}

export default function ({ data, parentElement }) {
  const node = parentElement.querySelector(".live-text");
  node.channel = data.channel;
  node.key = data.key;
  if (!node.listener) {
    node.listener = () => draw(node);
    document.addEventListener("anyloss:" + data.channel, node.listener);
  }
  draw(node);
  return () => document.removeEventListener("anyloss:" + data.channel, node.listener);
}

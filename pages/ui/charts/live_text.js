// Sentences that follow a slider while it is dragged.
function draw(node) {
  const shared = window.anylossFrames?.[node.channel];
  if (!shared) return;
  const wanted = window.anylossValues?.[node.channel] ?? shared.first;
  const sentences = shared.at(node.key, wanted);
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

// Sentences that follow a slider while it is dragged. What stands below never moves: each place is as
// high as the longest sentence that it may hold.
function line({ holds, text }) {
  const paragraph = document.createElement("p");
  paragraph.className = holds ? "good" : "bad";
  paragraph.textContent = (holds ? "✓ " : "✗ ") + text;
  return paragraph;
}

// Sentences that differ in their figures only are equally long, but for a digit: 8 is a wide one.
function longest(frames, place) {
  const kinds = new Map(frames.map((sentences) => {
    const { holds, text } = sentences[place];
    return [text.replaceAll(/\d/g, "8"), holds];
  }));
  return [...kinds].map(([text, holds]) => line({ holds, text }));
}

// All of them lie on each other in one cell, unseen and unheard; the one that counts is on top.
function reserve(node, frames) {
  if (node.frames === frames) return;
  node.frames = frames;
  node.places = frames[0].map((_, place) => {
    const cell = document.createElement("div");
    const spare = longest(frames, place);
    for (const one of spare) one.style.visibility = "hidden";
    cell.append(...spare, document.createElement("p"));
    return cell;
  });
  node.replaceChildren(...node.places);
}

function draw(node) {
  const shared = window.anylossFrames?.[node.channel];
  if (!shared) return;
  reserve(node, shared.all(node.key));
  const wanted = window.anylossValues?.[node.channel] ?? shared.first;
  shared.at(node.key, wanted).forEach((sentence, place) => {
    node.places[place].lastElementChild.replaceWith(line(sentence));
  });
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

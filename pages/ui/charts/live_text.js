// Sentences that follow one or more sliders while they are dragged: the one moved last decides. What
// stands below never moves: each place is as high as the longest sentence that it may hold.
const LOOKS = new Map([[true, ["good", "✓ "]], [false, ["bad", "✗ "]], [null, ["plain", ""]]]);

function line({ holds, text }) {
  const [look, mark] = LOOKS.get(holds);
  const paragraph = document.createElement("p");
  paragraph.className = look;
  paragraph.textContent = mark + text;
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
function reserve(node, channel, frames) {
  if (node.frames.get(channel) === frames) return;
  node.frames.set(channel, frames);
  const all = [...node.frames.values()].flat();
  node.places = frames[0].map((_, place) => {
    const cell = document.createElement("div");
    const spare = longest(all, place);
    for (const one of spare) one.style.visibility = "hidden";
    cell.append(...spare, document.createElement("p"));
    return cell;
  });
  node.replaceChildren(...node.places);
}

function draw(node, channel) {
  const shared = window.anylossFrames?.[channel];
  if (!shared) return;
  reserve(node, channel, shared.all(node.key));
  const wanted = window.anylossValues?.[channel] ?? shared.first;
  shared.at(node.key, wanted).forEach((sentence, place) => {
    node.places[place].lastElementChild.replaceWith(line(sentence));
  });
}

export default function ({ data, parentElement }) {
  const node = parentElement.querySelector(".live-text");
  node.key = data.key;
  node.frames ??= new Map();
  node.listeners ??= data.channels.map((channel) => {
    const listener = () => draw(node, channel);
    document.addEventListener("anyloss:" + channel, listener);
    return [channel, listener];
  });
  data.channels.forEach((channel) => draw(node, channel));
  return () => {
    node.listeners?.forEach(([channel, listener]) => {
      document.removeEventListener("anyloss:" + channel, listener);
    });
    node.listeners = null;
  };
}

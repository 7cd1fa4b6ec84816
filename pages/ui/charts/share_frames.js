// Keeps the frames of a channel in the browser: what each chart shows for every slider value.
export default function ({ data, parentElement }) {
  const text = new TextDecoder().decode(data);
  if (parentElement.anylossText === text) return;  // a rerun that brings the same frames
  parentElement.anylossText = text;
  const frames = JSON.parse(text);
  window.anylossFrames ??= {};
  window.anylossFrames[frames.channel] = frames;
  document.dispatchEvent(new CustomEvent("anyloss:" + frames.channel));
}

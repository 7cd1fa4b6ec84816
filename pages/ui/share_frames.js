// Keeps the frames of a channel in the browser: what each chart shows for every slider value.
export default function ({ data }) {
  window.anylossFrames ??= {};
  window.anylossFrames[data.channel] = data;
  document.dispatchEvent(new CustomEvent("anyloss:" + data.channel));
}

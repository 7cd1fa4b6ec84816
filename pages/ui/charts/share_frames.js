// Keeps the frames of a channel in the browser: what each chart shows for every slider value.
function nearest(values, wanted) {
  let best = 0;
  values.forEach((value, index) => {
    if (Math.abs(value - wanted) < Math.abs(values[best] - wanted)) best = index;
  });
  return best;
}

export default function ({ data, parentElement }) {
  const text = new TextDecoder().decode(data);
  if (parentElement.anylossText === text) return;  // a rerun that brings the same frames
  parentElement.anylossText = text;
  const { channel, values, charts } = JSON.parse(text);
  window.anylossFrames ??= {};
  window.anylossFrames[channel] = {
    first: values[0],
    all: (key) => charts[key],
    at: (key, value) => charts[key]?.[nearest(values, value)],
  };
  document.dispatchEvent(new CustomEvent("anyloss:" + channel));
}

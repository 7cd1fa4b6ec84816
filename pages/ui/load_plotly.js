// Unpacks the plotly.min.js of plotly's own wheel, once per browser tab: no network, no CDN.
async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const source = await new Response(stream).text();
  const script = document.createElement("script");
  script.src = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  await new Promise((loaded, failed) => {
    script.onload = loaded;
    script.onerror = failed;
    document.head.appendChild(script);
  });
}

export default async function ({ data }) {
  if (!window.anylossPlotly) {
    let ready;
    const promise = new Promise((resolve) => { ready = resolve; });
    window.anylossPlotly = { promise, ready };
  }
  if (!window.anylossPlotlyAsked) {
    window.anylossPlotlyAsked = true;
    await unpack(data);
  }
  if (window.Plotly) window.anylossPlotly.ready(window.Plotly);
}

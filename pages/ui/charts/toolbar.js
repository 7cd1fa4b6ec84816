// The buttons over a chart are one stop of the Tab key; the arrows walk between them.
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function oneTabStop(node) {
  const bar = node.querySelector(".modebar");
  const buttons = [...(bar?.querySelectorAll(".modebar-btn") ?? [])];
  if (!buttons.length) return;
  node.tool = Math.min(node.tool ?? 0, buttons.length - 1);
  buttons.forEach((button, index) => { button.tabIndex = index === node.tool ? 0 : -1; });
  bar.setAttribute("aria-label", "Tools of the chart");
  bar.onkeydown = (event) => {
    if (!STEPS[event.key]) return;
    event.preventDefault();
    node.tool = (node.tool + STEPS[event.key] + buttons.length) % buttons.length;
    oneTabStop(node);
    buttons[node.tool].focus();
  };
}

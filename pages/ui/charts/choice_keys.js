// Arrow keys choose in a row of choices, as in any group of radio buttons; Streamlit only moves the
// focus by them.
const WAYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function chooseByArrows(event) {
  const way = WAYS[event.key];
  const choice = event.target.closest?.("[data-testid=stButtonGroup] [role=radio]");
  if (!way || !choice) return;
  const row = [...choice.closest("[role=radiogroup]").querySelectorAll("[role=radio]")];
  const next = row[(row.indexOf(choice) + way + row.length) % row.length];
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.click();
}

if (!window.anylossChoiceKeys) {
  window.anylossChoiceKeys = true;
  document.addEventListener("keydown", chooseByArrows, true);
}

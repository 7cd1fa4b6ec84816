"""A button that copies a link: of this page as it stands, or of another page of the app.

Streamlit cannot write to the clipboard; this is a component with a button that looks like ours.
Where the browser keeps its clipboard to itself (a page without https), the text is selected in a
field and copied the old way.
"""

import streamlit as st

_button = st.components.v2.component(
    "anyloss_copy_link",
    html="""<button type="button"></button><span role="status" aria-live="polite"></span>""",
    css="""
    :host, div { font-family: var(--st-font); }
    button { font: inherit; font-size: .875rem; line-height: 1.6; min-height: 2.5rem;
        white-space: nowrap; color: var(--st-text-color); background: none; border: 0;
        padding: .25rem .5rem; border-radius: .5rem; cursor: pointer; }
    button:hover { color: var(--st-primary-color); }
    button:focus-visible { outline: 2px solid var(--st-primary-color); }
    [role=status] { position: absolute; width: 1px; height: 1px; overflow: hidden;
        clip-path: inset(50%); }
    """,
    js="""
    async function copied(text) {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        const field = document.body.appendChild(document.createElement("textarea"));
        field.value = text;
        field.select();
        document.execCommand("copy");
        field.remove();
      }
    }
    export default function ({ data, parentElement }) {
      const button = parentElement.querySelector("button");
      const status = parentElement.querySelector("[role=status]");
      button.textContent = data.label;
      button.onclick = async () => {
        const page = location.href.split(/[?#]/)[0];
        const link = data.path ? new URL(data.path, page).href : location.href;
        await copied(link);
        button.textContent = status.textContent = "Copied";
        setTimeout(() => { button.textContent = data.label; status.textContent = ""; }, 2000);
      };
    }
    """,
)


def copy_link(key: str, path: str = "", label: str = "Copy link") -> None:
    """Copy the address of this page, or of `path` beside it, such as 'compare?run=...'."""
    _button(key=f"copy:{key}", data={"path": path, "label": label}, width="content")

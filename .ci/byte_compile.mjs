// Compile every Python file of the repository with the CPython inside a Pyodide package (npm), a
// warning being an error: node byte_compile.mjs FOLDER_OF_PYODIDE ROOT
import { pathToFileURL } from "node:url";

const [folder, root] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
python.mountNodeFS("/repository", root);
const told = python.runPython(`
import pathlib, sys, warnings
warnings.simplefilter("error")
root = pathlib.Path("/repository")
files = [root / "app.py"]
for name in ("anyloss_core", "pages", "tests"):
    files += sorted((root / name).rglob("*.py"))
for path in files:
    compile(path.read_text(encoding="utf-8"), str(path), "exec")
f"{len(files)} files compile on Python {sys.version.split()[0]}"
`);
console.log(told);
process.exit(0);

// Compiles what a start loads, in the tab's own Python: `node compile.mjs PYODIDE FOLDER`. The folder has the archives
// of Python's library, the packages and the board; `compile.py` replaces them.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [home, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
// One seed of the hashes, so that the same files make the same archives.
const python = await loadPyodide({ indexURL: `${home}/`, env: { HOME: '/home', PYTHONHASHSEED: '0' } });
const archives = readdirSync(folder).filter((name) => name.endsWith('.zip')).sort();
python.FS.mkdir('/archives');
for (const name of archives) python.FS.writeFile(`/archives/${name}`, readFileSync(`${folder}/${name}`));
python.runPython(readFileSync(new URL('compile.py', import.meta.url), 'utf8'));
await python.globals.get('main')('/archives');
for (const name of archives) writeFileSync(`${folder}/${name}`, python.FS.readFile(`/archives/${name}`));

// Plays the protocol of two houses in the tab's own Python: `node dealing.mjs PYODIDE ROOT SITE CARDS`.
// Prints the digest, which must equal that of tests/tab/dealing.py with PyNaCl.
import { readFileSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [home, root, site, cards] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${home}/` });
for (const zip of readdirSync(site).filter((file) => file.endsWith('.zip'))) {
  python.unpackArchive(new Uint8Array(readFileSync(`${site}/${zip}`)), 'zip', { extractDir: '/app' });
}
const shell = readdirSync(site).find((name) => name.startsWith('shell-'));
const { open } = await import(pathToFileURL(`${site}/${shell}/sodium.js`));
python.registerJsModule('boardctl_sodium', { call: await open() });
python.FS.mkdirTree('/app/tests/tab');
python.FS.writeFile('/app/tests/tab/dealing.py', readFileSync(`${root}/tests/tab/dealing.py`));
python.runPython("import sys; sys.path.insert(0, '/app')");
console.log(python.runPython(`from tests.tab.dealing import digest\ndigest(${Number(cards)})`));

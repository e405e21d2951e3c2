// Computes the referees' answers in the tab's own Python: `node golden.mjs PYODIDE ROOT SITE NAME SEEDS`.
// Prints the digest, which must equal that in tests/laws/golden.json.
import { readFileSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [home, root, site, name, seeds] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${home}/` });
for (const zip of readdirSync(site).filter((file) => file.endsWith('.zip'))) {
  python.unpackArchive(new Uint8Array(readFileSync(`${site}/${zip}`)), 'zip', { extractDir: '/app' });
}
for (const folder of ['/app/tests', '/app/tests/laws']) python.FS.mkdir(folder);
for (const file of ['golden.py', 'walk.py']) {
  python.FS.writeFile(`/app/tests/laws/${file}`, readFileSync(`${root}/tests/laws/${file}`));
}
python.runPython("import sys; sys.path.insert(0, '/app')");
const digest = python.runPython('from tests.laws.golden import digest\ndigest');
console.log(digest(name, python.runPython(`range(${Number(seeds)})`)));

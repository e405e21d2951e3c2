// The tab's own Python, from the files of `make tab`, without a browser.
import { readFileSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// Python, ready to import boardctl; `tests` are files below tests/ that it may import too.
export async function open(site, root, tests = []) {
  const home = `${site}/${readdirSync(site).find((name) => name.startsWith('python-'))}`;
  const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
  const python = await loadPyodide({ indexURL: `${home}/` });
  for (const zip of readdirSync(site).filter((file) => file.endsWith('.zip'))) {
    python.unpackArchive(new Uint8Array(readFileSync(`${site}/${zip}`)), 'zip', { extractDir: '/app' });
  }
  for (const file of tests) {
    python.FS.mkdirTree(`/app/tests/${file}`.slice(0, file.lastIndexOf('/') + 11));
    python.FS.writeFile(`/app/tests/${file}`, readFileSync(`${root}/tests/${file}`));
  }
  python.runPython("import sys; sys.path.insert(0, '/app')");
  return python;
}

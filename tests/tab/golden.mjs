// Computes the referees' answers in the tab's own Python: `node golden.mjs SITE ROOT SEEDS NAME …`.
// Prints the digests by name, which must equal those in tests/laws/golden.json.
import { open } from './python.mjs';

const [site, root, seeds, ...names] = process.argv.slice(2);
const python = await open(site, root, ['laws/golden.py', 'laws/walk.py']);
const digest = python.runPython('from tests.laws.golden import digest\ndigest');
const range = python.runPython(`range(${Number(seeds)})`);
console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, digest(name, range)]))));

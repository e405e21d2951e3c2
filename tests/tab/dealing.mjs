// Plays the protocol of two houses in the tab's own Python: `node dealing.mjs SITE ROOT CARDS`.
// Prints the digest, which must equal that of tests/tab/dealing.py with PyNaCl.
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { open } from './python.mjs';

const [site, root, cards] = process.argv.slice(2);
const python = await open(site, root, ['tab/dealing.py']);
const shell = readdirSync(site).find((name) => name.startsWith('shell-'));
const { open: openSodium } = await import(pathToFileURL(`${site}/${shell}/sodium.js`));
python.registerJsModule('boardctl_sodium', { call: await openSodium() });
console.log(python.runPython(`from tests.tab.dealing import digest\ndigest(${Number(cards)})`));

// Starts a board in the tab's own Python: `node start.mjs SITE ROOT`. Prints the modules that the start had to compile.
import { open } from './python.mjs';

const [site, root] = process.argv.slice(2);
const python = await open(site, root);
const names = await python.runPythonAsync(`
from boardctl.app.tab import TabBoard
import json, os, sys
os.mkdir('/data')
board = TabBoard('/data', 'en', None)
status, _, _ = await board.request(1, 'GET', '/state', [], b'')
assert status == 200
import boardctl.bot.worker
specs = [getattr(module, '__spec__', None) for module in list(sys.modules.values())]
files = [spec.origin for spec in specs if spec and spec.origin]
json.dumps(sorted(file for file in files if file.endswith('.py')))
`);
console.log(names);
process.exit(0);

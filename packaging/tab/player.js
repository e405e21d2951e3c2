// The worker of the computer player: it thinks, judges and hints while the board goes on.

import { load } from './python.js';

const ready = load({}).then(({ python }) => python.runPython('from boardctl.app.tab import reply\nimport boardctl.bot.worker\nreply').copy());

function serve(port) {
  port.onmessage = async ({ data: { id, program, words, given } }) => {
    try {
      const reply = await ready;
      const said = reply(program, words, given);
      const answer = said.toJs();
      said.destroy();
      port.postMessage({ id, answer });
    } catch (error) {
      port.postMessage({ id, error: String(error) });
    }
  };
}

self.onmessage = ({ data }) => serve(data.port);
ready.catch((error) => self.postMessage({ failed: String(error) }));

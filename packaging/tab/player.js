// The worker of the computer player: it decides, judges and hints while the board continues.

import { load } from './python.js';

const ready = load({}).then(({ python }) => {
  const reply = python.runPython('from boardctl.app.tab import reply\nimport boardctl.bot.worker\nreply');
  return (program, words, given) => {
    const said = reply(program, python.toPy(words), python.toPy(given));
    const answer = said.toJs();
    said.destroy();
    return answer;
  };
});

function serve(port) {
  port.onmessage = async ({ data: { id, program, words, given } }) => {
    try {
      const reply = await ready;
      port.postMessage({ id, answer: reply(program, words, given) });
    } catch (error) {
      port.postMessage({ id, error: String(error) });
    }
  };
}

self.onmessage = ({ data }) => serve(data.port);
ready.catch((error) => self.postMessage({ failed: String(error) }));

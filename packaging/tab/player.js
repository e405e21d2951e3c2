// The worker of the computer player: it decides, judges and hints while the board continues.

import { load, resume } from './python.js';
import { confirm, note, reject } from './snapshot.js';

async function start() {
  try {
    const loaded = await resume();
    if (loaded) await confirm();
    return loaded ?? load();
  } catch (error) {
    note(`The computer player starts from its files, because Python's memory of an earlier start does not fit: ${error}`);
    await reject();
    return load();
  }
}

const ready = start().then(({ python }) => {
  const { reply } = python.pyimport('boardctl.app.tab');
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

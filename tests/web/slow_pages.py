"""A slow phone on a slow network, for every browser test: `pytest --slow-pages 4`.

A race between a page and its test, or between two parts of a page, fails on an idle machine once in
hundreds of runs. Slow pages show most of them in a few.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import BrowserContext, Page

MOST: Final = 250
"""Milliseconds, times the rate, of the longest delay of one request, answer or message."""
_LATE: Final = """(([most, seed]) => {
  let drawn = seed;
  const random = () => { // mulberry32
    drawn = (drawn + 0x6d2b79f5) | 0;
    let mixed = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const until = (time) => new Promise((done) => setTimeout(done, time - performance.now()));
  const soon = () => performance.now() + most * random() ** 2;
  const send = window.fetch;
  window.fetch = async (...request) => {
    await until(soon());
    const answer = await send(...request);
    await until(soon());
    return answer;
  };
  window.WebSocket = class extends window.WebSocket {
    #heard = Promise.resolve(); // messages keep their order

    set onmessage(hear) {
      super.onmessage = (event) => {
        const time = soon();
        if (typeof event.data !== 'string') hear(event); // one of many frames of lamps
        else this.#heard = this.#heard.then(() => until(time)).then(() => hear(event));
      };
    }
  };
})"""


@dataclass
class SlowPages:
    """Makes the pages of one test slow.

    Args:
        rate: the factor by which the pages' scripts are slower; 0 leaves the pages as they are.
        seed: draws the delays; the same in each run of a test from the same seed.
    """

    rate: float = 0
    seed: str = ""

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def prepare(self, context: BrowserContext) -> None:
        """Delay the requests, answers and messages of a context's pages."""
        if self.rate:
            seed = self._random.randrange(2**31)
            context.add_init_script(f"{_LATE}([{MOST * self.rate}, {seed}])")

    def slow(self, page: Page) -> None:
        """Slow a page's scripts down."""
        if self.rate:
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": self.rate})

"""The chip's contacts: bouncing, ghosts, the queue of events, and the effect of a restart."""

from __future__ import annotations

from random import Random

import pytest

from boardctl.drivers import serial_protocol
from boardctl.drivers.serial_protocol import KEY_OVERFLOW, KEY_SEEN, LIGHTS, PING
from tests.firmware.rig import KEYS, Bench, Emulator
from tests.firmware.talk import Talk, events, greeted, hear, run, show


def test_every_key_is_told_once_through_its_chatter(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    talk.hello()
    for key in range(22):
        talk.heard.clear()
        emulator.key(key, True, chatter=5000, seed=key + 1)
        hear(talk, bench, 0.05)
        emulator.key(key, False, chatter=5000, seed=key + 100)
        hear(talk, bench, 0.05)
        assert events(talk) == [(key, 1), (key, 0)]
        assert len(talk.received()) == 2, "an event that was seen is not told again"


def test_a_spike_is_no_key(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    for _ in range(5):
        emulator.key(3, True)
        bench.run(0.006)
        emulator.key(3, False)
        bench.run(0.02)
    assert talk.received() == []


def spikes(talk: Talk, bench: Bench, emulator: Emulator, many: int, seed: int = 5) -> None:
    """Inject spikes of up to 5 ms at random moments of refreshes of 400 LEDs; none may be a key."""
    chance = Random(seed)
    greeted(talk, 400)
    for n in range(many):
        talk.say(LIGHTS, show(run(n % 100, 1, 1 + n % 2)))
        bench.run(chance.uniform(0, 0.016))
        key = chance.randrange(22)
        emulator.key(key, True)
        bench.run(chance.choice((0.0005, chance.uniform(0, 0.005))))
        emulator.key(key, False)
        bench.run(chance.uniform(0.002, 0.012))
    bench.run(0.1)
    assert len(emulator.refreshes) > many
    assert talk.received() == []


def test_a_spike_at_any_moment_of_a_refresh_is_no_key(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    spikes(talk, bench, emulator, 50)


@pytest.mark.long
def test_ten_thousand_spikes_are_no_key(
    talk: Talk, bench: Bench, emulator: Emulator, seed: int
) -> None:
    spikes(talk, bench, emulator, 10_000, seed)


def test_a_spike_after_a_refresh_is_no_key_at_any_tenth_of_a_millisecond(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    """The spikes cover the time from the last LED of a refresh until all missed work is done."""
    greeted(talk, 400)
    for moment in range(122, 142):
        talk.say(LIGHTS, show(run(moment % 100, 1, 1)))
        bench.run(moment / 10_000)
        emulator.key(3, True)
        bench.run(0.0006)
        emulator.key(3, False)
        hear(talk, bench, 0.02)
    assert talk.received() == []


def test_a_key_is_heard_while_the_strip_is_refreshed_without_a_pause(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    greeted(talk, 400)
    emulator.key(3, True)
    for n in range(12):
        talk.ask(LIGHTS, show(run(n, 1, 1)))
    hear(talk, bench, 0.05)
    assert events(talk) == [(3, 1)]


def test_three_keys_make_no_ghost(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    for name in "125":
        emulator.key(KEYS.index(name), True)
        hear(talk, bench, 0.05)
    emulator.key(KEYS.index("1"), False)
    hear(talk, bench, 0.05)
    text = "".join(KEYS[key] + "-+"[value] for key, value in events(talk))
    assert text == "1+2+1-5+", "5 is believed once it cannot be a ghost, 4 never"
    assert emulator.stats()["shorts"] == 0


def test_an_event_is_told_until_it_is_seen(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    emulator.key(5, True)
    bench.run(0.5)
    found = talk.received()
    assert 8 <= len(found) <= 11
    assert len({frame.number for frame in found}) == 1
    ages = [int.from_bytes(frame.payload[2:], "little") for frame in found]
    assert ages == sorted(ages)
    assert ages[-1] - ages[0] > 300, "the age grows with each telling"
    talk.say(KEY_SEEN, b"", found[0].number)
    bench.run(0.01)
    heard = len(talk.received())
    bench.run(0.3)
    assert len(talk.received()) == heard


def test_a_full_queue_keeps_the_oldest_and_tells_how_many_are_lost(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    talk.hello()
    keys = [n % 16 for n in range(20)]
    for key in keys:
        for closed in (True, False):
            emulator.key(key, closed)
            bench.run(0.02)
            if not closed:
                talk.say(PING)
    emulator.key(9, True)
    bench.run(0.03)
    talk.heard.clear()
    hear(talk, bench, 0.5)
    found = events(talk)
    assert found[:16] == [(key, value) for key in keys[:8] for value in (1, 0)]
    lost = 2 * len(keys) - 16 + 1
    assert found[16:] == [(KEY_OVERFLOW, lost), (9, 1)], "and where the keys ended up"


def test_keys_survive_a_restart_of_the_host(talk: Talk, bench: Bench, emulator: Emulator) -> None:
    talk.hello()
    emulator.key(4, True)
    hear(talk, bench, 0.05)
    emulator.key(4, False)
    bench.run(0.05)
    bench.kill()
    emulator.key(6, True)
    bench.run(4, host=False)
    again = Talk(bench)
    found = again.hello()
    assert found[1] & serial_protocol.RESET_SINCE_HELLO == 0
    assert found[6] == 1, "the next event's number"
    assert found[7:10] == bytes((1 << 4, 0, 0)), "down, as far as was seen"
    hear(again, bench, 0.2)
    assert events(again) == [(4, 0), (6, 1)]


def test_a_key_held_through_a_reset_is_no_news(
    talk: Talk, bench: Bench, emulator: Emulator
) -> None:
    talk.hello()
    emulator.key(4, True)
    hear(talk, bench, 0.05)
    emulator.reset(serial_protocol.RESET_BUTTON)
    bench.run(0.1)
    talk.heard.clear()
    found = talk.hello()
    assert found[1] == serial_protocol.RESET_BUTTON | serial_protocol.RESET_SINCE_HELLO
    assert found[7:10] == bytes((1 << 4, 0, 0))
    hear(talk, bench, 0.2)
    assert talk.received() == []
    emulator.key(4, False)
    hear(talk, bench, 0.1)
    assert events(talk) == [(4, 0)]

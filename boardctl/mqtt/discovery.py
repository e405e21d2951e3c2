"""Home Assistant's discovery message: one retained message for the whole device.

Its format, with abbreviated keys, is described in
home-assistant.io/integrations/mqtt/#device-discovery-payload.
"""

from __future__ import annotations

from typing import Any

from boardctl import __version__
from boardctl.mqtt import TREE, Options


def topic(options: Options) -> str:
    return f"{options.discovery}/device/boardctl_{options.board}/config"


def device(options: Options) -> dict[str, Any]:
    """Return the device's entities: scores, deal and turn, games won, last count, online state, and
    events. With `commands`, they include brightness and undo."""
    root = f"{TREE}/{options.board}"
    unique = f"boardctl_{options.board}"
    state = f"{root}/state"
    parts: dict[str, dict[str, Any]] = {}

    def part(platform: str, key: str, name: str, **more: Any) -> None:
        if key != "online":  # the board offline: off; others: unavailable
            more["avty_t"] = f"{root}/online"
        parts[key] = {
            "p": platform,
            "uniq_id": f"{unique}_{key}",
            "default_entity_id": f"{platform}.{unique}_{key}".lower().replace("-", "_"),
            "name": name,
            **more,
        }

    def sensor(key: str, name: str, template: str, **more: Any) -> None:
        part("sensor", key, name, stat_t=state, val_tpl=f"{{{{ {template} }}}}", **more)

    for side in (1, 2, 3):
        place = side - 1
        sensor(f"score_{side}", f"Score {side}", f"value_json.scores[{place}] | default('')")
        sensor(f"won_{side}", f"Games won {side}", f"value_json.won[{place}] | default('')")
    sensor("deal", "Deal", "value_json.deal")
    sensor("turn", "Turn", "value_json.turn or ''")
    sensor("last_count", "Last count", "value_json.last_count if value_json.last_count else 0")
    part(
        "binary_sensor",
        "online",
        "Online",
        stat_t=f"{root}/online",
        pl_on="online",
        pl_off="offline",
        dev_cla="connectivity",
        ent_cat="diagnostic",
    )
    part("event", "shout", "Event", stat_t=f"{root}/shout", event_types=["win", "big-hand"])
    if options.commands:
        part(
            "number",
            "brightness",
            "Brightness",
            stat_t=state,
            val_tpl="{{ value_json.brightness }}",
            cmd_t=f"{root}/light",
            min=5,
            max=100,
            step=5,
            unit_of_meas="%",
        )
        part(
            "button",
            "undo",
            "Undo",
            cmd_t=f"{root}/command",
            json_attr_t=state,
            cmd_tpl='{"line": "undo", "expect": {{ this.attributes.number }}}',
        )
    return {
        "dev": {
            "ids": [unique],
            "name": f"Cribbage board {options.board}",
            "mf": "boardctl",
            "sw": __version__,
        },
        "o": {"name": "boardctl", "sw": __version__},
        "cmps": parts,
        "qos": 1,
    }

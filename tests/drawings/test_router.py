"""The circuit board's router: holes, planes, and wires that find no route at first."""

from __future__ import annotations

import pytest

from boardctl.board import layout as layouts
from boardctl.board.shape import LayoutError
from boardctl.drawings.pcb import wires
from boardctl.drawings.pcb.design import Design, Placed
from boardctl.drawings.pcb.placing import leds, others
from boardctl.drawings.pcb.router import BACK, FRONT, STEP, NoWay, Router
from boardctl.text import sentence


def test_no_via_is_put_beside_a_hole_of_its_own_net() -> None:
    router = Router(20, 20)
    router.drill(10 * STEP, 10 * STEP, 1.7, net=1)
    assert router.is_drilled(10, 10, 1)
    assert router.via_fits(10, 10, 1), "the hole itself joins the layers"
    assert not router.via_fits(10, 10, 2)
    assert not router.via_fits(11, 10, 1)
    assert router.via_fits(12, 10, 1)
    router.block(BACK, 11 * STEP - 0.1, 0, 11 * STEP + 0.1, 20)
    way = router.way(1, (10, 10, BACK), {(14, 10, FRONT)})
    assert way[1] == (10, 10, FRONT), "it changes layers in the hole"


def test_no_via_is_put_into_a_pad_that_is_soldered_with_paste() -> None:
    router = Router(20, 20)
    router.block(FRONT, 6, 6, 7, 7, 1)
    assert router.via_fits(10, 10, 1), "at 6.35 mm"
    router.keep_vias_off(6, 6, 7, 7)
    assert not router.via_fits(10, 10, 1)
    assert router.via_fits(12, 10, 1)


def test_a_plane_does_not_reach_what_wires_enclose() -> None:
    router = Router(20, 20)
    for one, other in (
        ((5, 5), (15, 5)),
        ((15, 5), (15, 15)),
        ((15, 15), (5, 15)),
        ((5, 15), (5, 5)),
    ):
        router.block_line(BACK, one, other, 0.25, net=2)
    inside = (*router.near(10, 10), BACK)
    outside = (*router.near(2, 2), BACK)
    island = router.flooded(1, inside)
    assert inside in island
    assert not island & router.flooded(1, outside)
    assert router.flooded(2, inside) >= island | router.flooded(2, outside), "its own wire is none"
    with pytest.raises(NoWay):
        for at in ((10, 10), (4, 4)):
            router.block(FRONT, at[0] - 6, at[1] - 6, at[0] + 6, at[1] + 6)
        router.way(1, inside, {outside})


class Blocked(wires.Wires):
    """A board on which one wire finds a route only before all others."""

    order: list[str]

    def _join(self, net: str, one: tuple[Placed, str], other: tuple[Placed, str]) -> None:
        self.order.append(net)
        if net == "COLUMN3" and len(self.order) > 1:
            self.order = []
            raise NoWay
        super()._join(net, one, other)


def smallest() -> Design:
    layout = min((layouts.load(name) for name in layouts.names()), key=lambda each: each.leds)
    made = Design(layout, None, 0.0, layout.width)
    leds(made)
    others(made)
    return made


@pytest.mark.slow
def test_a_wire_that_finds_no_way_is_routed_first() -> None:
    made = smallest()
    routed = Blocked(made)
    routed.order = []
    routed.draw()
    assert routed.order[0] == "COLUMN3"
    assert routed.order.count("COLUMN3") == 1
    assert {track.net for track in made.tracks} >= {"COLUMN1", "COLUMN2", "COLUMN3", "SPI"}


@pytest.mark.slow
def test_a_wire_without_any_way_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "ATTEMPTS", 1)
    routed = Blocked(smallest())
    routed.order = []
    with pytest.raises(LayoutError) as refused:
        routed.draw()
    assert "there is no route on two layers from J2 to J3" in sentence(refused.value)

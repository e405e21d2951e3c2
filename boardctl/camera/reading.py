"""Read the cards in a photo, and rate the confidence of each reading.

An uncovered card provides three pieces of evidence: its whole face, and the indices in two corners.
A partly covered card shows one or two indices. A reading is certain only if the joint probability
is high and no evidence contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import frames, leftovers, network, outlines, overlaps, taught
from boardctl.camera.outlines import Image, Points
from boardctl.games.cards import CARDS, Card

Numbers = npt.NDArray[np.float32]

SURE_FREE: Final = 0.92
"""The joint probability at which an uncovered card's reading is sure; docs/notes/camera.md says how
these were chosen."""

SURE_COVERED: Final = 0.88
"""The same for a card with only indices visible, at least two of them."""

SURE_SINGLE: Final = 0.6
"""The same for a card with only one index visible."""

_ODD_SIZE: Final = 1.45
"""The maximum ratio between the widths of a card with one visible index and of the other cards;
text and pictures that look like an index rarely have an index's size."""

_LIKELY: Final = 0.5
"""The minimum probability of an index on something other than paper to be asked about."""

_TWICE: Final = 0.6
"""The minimum probability of a second reading to cast doubt on the first."""

_PRESENT: Final = 0.5
_PRESENT_ALONE: Final = 0.9
"""The same for a face without a readable index."""

_CONTRADICTS: Final = 0.6
"""The probability of another card from which evidence contradicts."""

_SUIT: Final = 0.9
"""The minimum probability of the suit for a sure reading. A suit's sign is printed twice and looks
alike both times, so all indices of a card count as one piece of evidence for it."""

_SUIT_ONCE: Final = 0.94
_SURE_ANYWAY: Final = 0.7
"""The same for a card with only one visible index and less than this joint probability, because
suits are confused with more confidence than ranks."""

_COVERING: Final = 0.85
"""The probability from which an index on the middle of an uncovered card belongs to another
card."""

_INSIDE: Final = 0.6
"""A fraction of a card's area: an outline that fills this much of a card with two indices may be
the frame of the card's picture."""

_WITHIN: Final = 0.95
_NARROW: Final = 0.82
"""The fraction of such a card's area, and of its width, at which an outline is certainly the
frame."""

_UPSIDE_DOWN: Final = -0.97
"""The cosine of the angle between the upper edges of two cards that may be the two ends of one
card."""
_SAME_PLACE: Final = 0.35
"""The maximum distance between the middles of two such cards, in widths of the card."""

_WORTH_ASKING: Final = 0.35
"""The joint probability below which a region is not a card."""

_COLOURLESS: Final = 1.8
"""The distance in CIELAB's a and b from equally light areas that some of a photo must have to tell
suits apart by colour. Grey photos have at most 0.1, toned ones of high quality 1.5, and colour
photos of black cards on a white table at least 2.8."""

_COARSE: Final = 8
"""Pixels of the photo, in each direction, that are averaged before: JPEG stores colour coarsely."""

_LIGHTS: Final = 32
"""The number of steps of lightness in which areas count as equally light."""

_COLOURED: Final = 99.7
"""The percentage of the photo's pixels that may be nearer to grey, because an index has few
pixels."""

_MOST_OUTLINES: Final = 60
_SPREAD: Final = 0.7
"""The exponent of joint probabilities: errors within a photo are correlated."""


class SeenCard(NamedTuple):
    """A card found in a photo."""

    card: Card
    sure: bool
    box: tuple[tuple[float, float], ...]
    """Its four corners (x, y) in the photo as read, clockwise from the reading corner."""
    probability: float
    """The probability of this card among the 52."""
    free: bool
    """Whether the whole card is visible."""
    contradicted: bool = False
    """Whether other evidence contradicts it, so that it cannot be sure."""


class _Reading(NamedTuple):
    corners: Points
    cards: Numbers
    contradicted: bool
    witnesses: int
    clear: bool
    """Whether an index is certainly present."""
    free: bool

    @property
    def probability(self) -> float:
        return float(np.exp(self.cards.max()))

    @property
    def width(self) -> float:
        return float(np.hypot(*(self.corners[1] - self.corners[0])))

    @property
    def is_known(self) -> bool:
        """Whether two of its indices were read."""
        return self.clear and self.witnesses > 1

    @property
    def worth(self) -> bool:
        """Whether a question about the reading is worthwhile: the card is likely, or an index is
        certain."""
        return self.probability > _WORTH_ASKING or self.clear or not self.witnesses

    @property
    def sure(self) -> bool:
        """Whether the reading is certain enough to need no question."""
        covered = SURE_COVERED if self.witnesses > 1 else SURE_SINGLE
        least = SURE_FREE if self.free else covered
        return self.probability >= least and not self.contradicted and self.clear

    def as_seen(self) -> SeenCard:
        return SeenCard(
            CARDS[int(self.cards.argmax())],
            self.sure,
            tuple((float(x), float(y)) for x, y in self.corners),
            self.probability,
            self.free,
            bool(self.contradicted or not self.clear),
        )


def read(image: Image, packs: Sequence[taught.Pack] = ()) -> list[SeenCard]:
    """Return the cards in a photo, in reading order. The reading is more accurate if the cards are
    from one of `packs`."""
    regions = outlines.find(image)
    free = _free(image, [card.corners for card in regions.cards[:_MOST_OUTLINES]], packs)
    found = overlaps.indices(image)
    free = [_checked_for_cover(card, found) for card in free]
    clusters = [
        cluster
        for cluster in regions.clusters
        if not any(outlines.is_of(cluster, card.corners) for card in free)
    ]
    covered = _covered(found, [card.corners for card in free])
    worth = [reading for reading in (*free, *covered) if reading.worth]
    worth = _of_one_size(_no_frames(_no_halves(_one_each(worth))))
    worth = _of_one_paper(image, worth)
    worth += _overlooked(image, clusters, worth)
    if is_grey(image):
        worth = [each._replace(contradicted=True) for each in worth]
    return _in_rows(_asked_where_twice([reading.as_seen() for reading in worth]))


def is_grey(image: Image) -> bool:
    """Return whether a photo has no colour that distinguishes red from black suits: areas of equal
    lightness all have the same colour, which is not grey if the photo is toned."""
    coarse = cv2.resize(
        image, None, fx=1 / _COARSE, fy=1 / _COARSE, interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    lab = cv2.cvtColor(coarse / 255, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    light = lab[:, 0] * _LIGHTS / 100
    steps = light.astype(int)
    known = np.unique(steps)
    usual = np.array([np.median(lab[steps == step, 1:], axis=0) for step in known])
    expected = [np.interp(light, known + 0.5, usual[:, axis]) for axis in (0, 1)]
    away = np.hypot(*(lab[:, 1:].T - expected))
    return bool(np.percentile(away, _COLOURED) < _COLOURLESS)


def _is_smaller_other(each: _Reading, whole: _Reading) -> bool:
    """Return whether an uncovered reading is narrower than a whole card and names another card."""
    other = int(each.cards.argmax()) != int(whole.cards.argmax())
    return bool(each.free and each.width < whole.width and other)


def _no_frames(readings: Sequence[_Reading]) -> list[_Reading]:
    """Reject outlines on a larger card with two readable indices, because court cards have a frame
    around their picture. Drop much narrower readings within such a card, because a card of the same
    pack would protrude, as the uppermost card of a fan does."""
    whole = [each for each in readings if each.sure and not each.free and each.witnesses > 1]
    kept = []
    for each in readings:
        under = [
            (outlines.overlap(each.corners, other.corners), each.width / other.width)
            for other in whole
            if _is_smaller_other(each, other)
        ]
        if not any(share > _WITHIN and narrow < _NARROW for share, narrow in under):
            least = _WITHIN if each.is_known else _INSIDE
            inside = any(share > least for share, _ in under)
            kept.append(each._replace(contradicted=each.contradicted or inside))
    return kept


def _no_halves(readings: Sequence[_Reading]) -> list[_Reading]:
    """Reject a card with one visible index if another likely card is upside down at the same
    position. The two are the ends of one card, such as a six that is read as a nine from the other
    end."""
    halves = [each for each in readings if not each.free and each.witnesses == 1]
    likely = [each for each in halves if each.probability > _TWICE]
    ends = [one for one in halves if any(_other_end(one, other) for other in likely)]
    return [
        each._replace(contradicted=True) if any(each is end for end in ends) else each
        for each in readings
    ]


def _other_end(one: _Reading, other: _Reading) -> bool:
    """Return whether a card is upside down at about the position of another card."""
    width = min(one.width, other.width)
    along, its = (each.corners[1] - each.corners[0] for each in (one, other))
    away = one.corners.mean(axis=0) - other.corners.mean(axis=0)
    turned = float(along @ its) < _UPSIDE_DOWN * one.width * other.width
    return turned and float(np.hypot(*away)) < _SAME_PLACE * width


def _of_one_size(readings: Sequence[_Reading]) -> list[_Reading]:
    """Reject cards with one visible index that are much larger or smaller than the confident cards.
    Drop unreadable outlines, and much larger outlines without an index."""
    widths = [each.width for each in readings if each.sure and (each.free or each.witnesses > 1)]
    if not widths:
        return list(readings)
    usual = float(np.median(widths))
    kept = []
    for each in readings:
        share = each.width / usual
        odd = not 1 / _ODD_SIZE < share < _ODD_SIZE
        if each.free and not each.witnesses:
            if share < _ODD_SIZE:
                kept.append(each)
        elif each.free or each.witnesses > 1 or not odd:
            kept.append(each)
        elif each.probability > _WORTH_ASKING:
            kept.append(each._replace(contradicted=True))
    return kept


def _of_one_paper(image: Image, readings: Sequence[_Reading]) -> list[_Reading]:
    """Drop unreadable indices whose background is not the paper colour of the confident cards,
    because they are other printed matter."""
    better = [each.corners for each in readings if each.sure and (each.free or each.witnesses > 1)]
    if not better:
        return list(readings)
    paper = np.median([leftovers.light(image, corners) for corners in better], axis=0)
    return [
        each
        for each in readings
        if each.free
        or each.witnesses > 1
        or each.probability > _LIKELY
        or leftovers.is_paper(leftovers.light(image, frames.index_frame(each.corners, 0)), paper)
    ]


def scores(image: Image, cards: Sequence[Points]) -> Numbers:
    """Return the natural logarithm of the probability of each of the 52 cards, for each outline of
    an uncovered card."""
    if not cards:
        return np.zeros((0, 52), np.float32)
    both = [way for card in cards for way in (card, frames.turned(card))]
    faces = network.faces([frames.face(image, card) for card in both]).cards
    corners = network.indices([frames.index(image, card, 0) for card in both])
    weighed = corners.cards * corners.present[:, None]
    return network.log_shares((faces + weighed).reshape(-1, 2, 52).mean(axis=1, dtype=np.float32))


def _checked_for_cover(card: _Reading, found: Sequence[overlaps.Index]) -> _Reading:
    """Reject an uncovered card if another card's index is on its middle."""
    best = int(card.cards.argmax())
    covered = any(
        index.present > _PRESENT_ALONE
        and np.exp(index.cards.max()) > _COVERING
        and int(index.cards.argmax()) != best
        and overlaps.lies_on(index, card.corners)
        and not overlaps.in_corner(index, card.corners)
        for index in found
    )
    return card._replace(contradicted=card.contradicted or covered)


def _apart(order: Sequence[int], outlines_: Sequence[Points]) -> list[int]:
    """Return the numbers of the outlines that do not overlap any earlier outline."""
    kept: list[int] = []
    for each in order:
        if all(outlines.overlap(outlines_[each], outlines_[other]) < 0.3 for other in kept):
            kept.append(each)
    return kept


def _free(
    image: Image, outlines_: Sequence[Points], packs: Sequence[taught.Pack]
) -> list[_Reading]:
    """Return uncovered cards: outlines that contain a card's face."""
    both = [card for outline in outlines_ for card in (outline, frames.turned(outline))]
    answers = network.faces([frames.face(image, card) for card in both])
    present = answers.present.reshape(-1, 2).mean(axis=1)
    cards = network.log_shares(answers.cards.reshape(-1, 2, 52).mean(axis=1))
    scores = present + np.exp(cards.max(axis=1))
    order = [int(each) for each in np.argsort(-scores) if present[each] > _PRESENT]
    kept = _apart(order, outlines_)
    if not kept:
        return []
    corners = network.indices(
        [frames.index(image, outlines_[each], corner) for each in kept for corner in range(4)]
    )
    known = taught.witness([taught.picture(image, outlines_[each]) for each in kept], packs)
    readings = []
    for place, each in enumerate(kept):
        four = slice(4 * place, 4 * place + 4)
        reading = _joined(
            outlines_[each],
            [cards[each], *([known[place]] if known else [])],
            _of_pair(corners.present[four], corners.cards[four], int(cards[each].argmax())),
            corners.cards[four],
            free=True,
        )
        if reading.witnesses or present[each] > _PRESENT_ALONE:
            readings.append(reading)
    return readings


def _of_pair(present: Numbers, indices: Numbers, face: int) -> Numbers:
    """Keep only the indices in two opposite corners if they agree with the face. In most packs, the
    other two corners show part of the picture."""
    for pair, others in (([0, 2], [1, 3]), ([1, 3], [0, 2])):
        if (present[pair] > _PRESENT).all() and (indices[pair].argmax(axis=1) == face).all():
            alone = present.copy()
            alone[others] = 0
            return alone
    return present


def _joined(
    corners: Points, faces: Sequence[Numbers], present: Numbers, indices: Numbers, *, free: bool
) -> _Reading:
    """Return the joint probabilities of all evidence."""
    there = present > _PRESENT
    spoken = [*faces, *indices[there]]
    weights = [*(1.0 for _ in faces), *present[there]]
    total = sum(
        (weight * cards for weight, cards in zip(weights, spoken, strict=True)),
        np.zeros(52, np.float32),
    )
    cards = network.log_shares(_SPREAD * total)
    best = int(cards.argmax())
    against = sum(_speaks_against(each, best) for each in spoken)
    for_it = sum(int(each.argmax()) == best and np.exp(each.max()) > 0.5 for each in spoken)
    of_face = any(_speaks_against(face, best) for face in faces)
    printed = np.average(indices[there], axis=0, weights=present[there]) if there.any() else None
    suits = [*faces, *([] if printed is None else [printed])]
    once = not faces and there.sum() == 1 and np.exp(cards.max()) < _SURE_ANYWAY
    least = _SUIT_ONCE if once else _SUIT
    doubtful = _suit_share(sum(suits, np.zeros(52, np.float32)), best) < least
    contradicted = of_face or doubtful or (against > 0 and for_it < 2 * against)
    clear = bool((present > _PRESENT_ALONE).any())
    return _Reading(corners, cards, contradicted, int(there.sum()), clear, free)


def _suit_share(cards: Numbers, card: int) -> float:
    """Return the probability of a card's suit, assuming that its rank is correct."""
    of_rank = network.log_shares(cards.reshape(4, 13)[:, card % 13])
    return float(np.exp(of_rank[card // 13]))


def _speaks_against(witness: Numbers, card: int) -> bool:
    return bool(witness.argmax() != card and np.exp(witness.max()) > _CONTRADICTS)


def _covered(found: Sequence[overlaps.Index], free: Sequence[Points]) -> list[_Reading]:
    """Return covered cards: indices that are not on an uncovered card, joined if they belong to one
    card."""
    left = [index for index in found if not any(overlaps.lies_on(index, card) for card in free)]
    readings = []
    while left:
        first = left.pop(0)
        rest = [other for other in left if _same_card(first, other)]
        left = [other for other in left if not _same_card(first, other)]
        all_ = [first, *rest]
        readings.append(
            _joined(
                first.card,
                (),
                np.array([index.present for index in all_], np.float32),
                np.array([index.cards for index in all_], np.float32),
                free=False,
            )
        )
    return readings


def _one_each(readings: Sequence[_Reading]) -> list[_Reading]:
    """Merge two readings of the same card at the same position: keep the uncovered or the clearer
    reading."""
    kept: list[_Reading] = []
    for each in sorted(readings, key=lambda one: (not one.sure, not one.free, -one.probability)):
        same = (
            int(each.cards.argmax()) == int(other.cards.argmax())
            and outlines.overlap(each.corners, other.corners) > 0.35
            for other in kept
        )
        if not any(same):
            kept.append(each)
    return kept


def _asked_where_twice(seen: Sequence[SeenCard]) -> list[SeenCard]:
    """Mark duplicates as uncertain, because a pack contains each card only once."""
    cards = [each.card for each in seen if each.sure or each.probability > _TWICE]
    once = [cards.count(each.card) <= 1 for each in seen]
    return [
        each._replace(sure=each.sure and alone, contradicted=each.contradicted or not alone)
        for each, alone in zip(seen, once, strict=True)
    ]


def _overlooked(
    image: Image, clusters: Sequence[Points], found: Sequence[_Reading]
) -> list[_Reading]:
    """Return the unexplained parts of regions of overlapping cards, marked as uncertain."""
    places = leftovers.find(image, clusters, [each.corners for each in found])
    faces = network.faces([frames.face(image, corners) for corners in places]).cards
    return [
        _Reading(corners, face, True, 0, clear=False, free=False)
        for corners, face in zip(places, faces, strict=True)
    ]


def _same_card(one: overlaps.Index, other: overlaps.Index) -> bool:
    """Return whether two indices belong to one card: they are read as the same card, and either
    suggest the same position, are in two corners of a card, or are each at the position of the
    other card's second index."""
    alike = int(one.cards.argmax()) == int(other.cards.argmax())
    if alike and outlines.overlap(one.card, other.card) > 0.5:
        return True
    if alike and (overlaps.of_one_card(one, other) or overlaps.of_one_card(other, one)):
        return True
    return overlaps.opposite(one, other) and overlaps.opposite(other, one)


def _in_rows(seen: Iterable[SeenCard]) -> list[SeenCard]:
    """Sort cards row by row, from left to right. Cards whose centres are at most half a card apart
    in height form a row."""
    rest = sorted(seen, key=lambda each: _middle(each)[1])
    rows: list[list[SeenCard]] = []
    for card in rest:
        ys = [y for _, y in card.box]
        if rows and _middle(card)[1] - _middle(rows[-1][0])[1] < 0.5 * (max(ys) - min(ys)):
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows for card in sorted(row, key=lambda each: _middle(each)[0])]


def _middle(card: SeenCard) -> tuple[float, float]:
    return sum(x for x, _ in card.box) / 4, sum(y for _, y in card.box) / 4

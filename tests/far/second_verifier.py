"""A second verifier of shuffles and shares, written from the formulas of docs/far-protocol.md.

It has its own arithmetic in Python's integers (RFC 8032 section 5.1.4), without libsodium, and
shares no code with the product. 64 multiplications take a second, so only tests use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]
"""Extended coordinates."""
ZERO: Point = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, p: Point) -> Point:
    found = ZERO
    for bit in bin(n)[2:]:
        found = add(found, found)
        if bit == "1":
            found = add(found, p)
    return found


def same(p: Point, q: Point) -> bool:
    return not ((p[0] * q[2] - q[0] * p[2]) % P or (p[1] * q[2] - q[1] * p[2]) % P)


def x_of(y: int, sign: int) -> int | None:
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (v * x * x - u) % P:
        return None
    return x if x & 1 == sign else -x % P


def decode(raw: bytes) -> Point:
    """Return a point of the subgroup from its canonical encoding; raise ValueError for any other
    bytes and for the neutral point."""
    whole = int.from_bytes(raw, "little")
    sign, y = whole >> 255, whole & (1 << 255) - 1
    x = x_of(y, sign) if y < P else None
    if x is None or (x == 0 and sign):
        raise ValueError("encoding")
    p = x, y, 1, x * y % P
    if same(p, ZERO) or not same(times(L, p), ZERO):
        raise ValueError("subgroup")
    return p


def encode(p: Point) -> bytes:
    z = pow(p[2], -1, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


G = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def step(name: str, *parts: bytes) -> bytes:
    text = b"boardctl far 1 deal 3 " + name.encode() + b"\0"
    for part in parts:
        text += len(part).to_bytes(4, "big") + part
    return sha512(text).digest()


def number(name: str, *parts: bytes) -> int:
    return int.from_bytes(step(name, *parts), "little") % (L - 1) + 1


def four(n: int) -> bytes:
    return n.to_bytes(4, "big")


def hashed(name: str, *parts: bytes) -> bytes:
    """Hash with Elligator 2 on curve25519, the birational map to edwards25519, and the cofactor."""
    whole = int.from_bytes(step(name, *parts)[:32], "little")
    sign, r = whole >> 255, (whole & (1 << 255) - 1) % P
    a = 486662
    u = -a * pow(1 + 2 * r * r, -1, P) % P
    if pow(u**3 + a * u * u + u, (P - 1) // 2, P) == P - 1:
        u = (-u - a) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    x = x_of(y, sign)
    if x is None:
        raise ValueError("not on the curve")
    return encode(times(8, (x, y, 1, x * y % P)))


def combine(*pairs: tuple[int, Point]) -> Point:
    found = ZERO
    for n, p in pairs:
        found = add(found, times(n % L, p))
    return found


def terms(game: bytes, deal: int, count: int) -> bytes:
    return step("terms", game, four(deal), four(count))


def is_shuffle(game: bytes, deal: int, count: int, house: int, first: bytes, raw: bytes) -> bool:
    """Return whether a message is a house's shuffle; `first` is the whole message of house 1, if it
    is a message of house 2."""
    if len(raw) != 32 * (4 * count + 7):
        return False
    words = [raw[at : at + 32] for at in range(0, len(raw), 32)]
    bound = terms(game, deal, count)
    if first:
        source = [first[32 + 32 * n : 64 + 32 * n] for n in range(count)]
    else:
        source = [hashed("card", bound, four(n)) for n in range(count)]
    packed, committed = words[1 : count + 1], words[count + 1 : 2 * count + 1]
    try:
        k, xs = decode(words[0]), [*map(decode, source)]
        ys, cs = [*map(decode, packed)], [*map(decode, committed)]
        ds = [*map(decode, words[2 * count + 1 : 3 * count + 1])]
    except ValueError:
        return False
    numbers = [int.from_bytes(one, "little") for one in words[3 * count + 2 :]]
    if len(set(packed)) != count or any(not 0 < one < L for one in numbers):
        return False
    (s1, s2, s3, s4, s5), v = numbers[:5], numbers[5:]
    hs = [decode(hashed("generator", four(n))) for n in range(count + 1)]
    before = step("message", first) if first else b""
    statement = step("statement", bound, four(house), before, *source)
    claim = step("claim", statement, words[0], *packed)
    seed = step("mixes", claim, *committed)
    us = [number("mix", seed, four(n)) for n in range(count)]
    seed = step("weights", claim, *words[count + 1 : 3 * count + 1])
    zs = [number("link weight", seed, four(n)) for n in range(count)]
    x = int.from_bytes(words[3 * count + 1], "little") % L
    product = 1
    for u in us:
        product = product * u % L
    chain = [hs[0], *ds]
    mixed_commitments = ((-x * u, c) for u, c in zip(us, cs, strict=True))
    mixed_source = ((-s4 * u, one) for u, one in zip(us, xs, strict=True))
    masked = [
        combine((s1, G), *((-x, c) for c in cs), *((x, h) for h in hs[1:])),
        combine((s2, G), (-x, ds[-1]), (x * product, hs[0])),
        combine((s3, G), *zip(v, hs[1:], strict=True), *mixed_commitments),
        combine(*zip(v, ys, strict=True), *mixed_source),
        combine((s4, G), (-x, k)),
        combine(
            (s5, G),
            *((zs[n] * v[n], chain[n]) for n in range(count)),
            *((-x * zs[n], chain[n + 1]) for n in range(count)),
        ),
    ]
    said = step("challenge", claim, *words[count + 1 : 3 * count + 1], *map(encode, masked))
    return said[:32] == words[3 * count + 1]


def are_shares(
    game: bytes,
    deal: int,
    count: int,
    house: int,
    messages: tuple[bytes, bytes],
    places: Sequence[int],
    raw: bytes,
) -> bool:
    """Return whether these are a house's shares of places, after both shuffles."""
    words = [raw[at : at + 32] for at in range(0, len(raw), 32)]
    points, challenge, answer = words[:-2], words[-2], int.from_bytes(words[-1], "little")
    session = step("session", terms(game, deal, count), *(step("message", one) for one in messages))
    key = messages[house - 1][:32]
    locked = [messages[1][32 + 32 * place : 64 + 32 * place] for place in places]
    said = step("places", *map(four, places))
    claim = step("share", session, four(house), said, key, *points, *locked)
    try:
        ups, downs, k = [*map(decode, points)], [*map(decode, locked)], decode(key)
    except ValueError:
        return False
    if len(points) != len(places) or not 0 < answer < L:
        return False
    weights = [number("weight", claim, four(n)) for n in range(len(ups))] if ups[1:] else [1]
    up, down = combine(*zip(weights, ups, strict=True)), combine(*zip(weights, downs, strict=True))
    x = int.from_bytes(challenge, "little") % L
    masks = combine((answer, G), (-x, k)), combine((answer, up), (-x, down))
    return step("share challenge", claim, *map(encode, masks))[:32] == challenge

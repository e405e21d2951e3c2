"""Functions of libsodium with the interface of `nacl.bindings` (doc.libsodium.org)."""

from boardctl_sodium import call  # type: ignore[import-not-found]  # registered by the worker
from pyodide.ffi import to_js  # type: ignore[import-not-found]  # part of Pyodide

from nacl import exceptions

POINT = 32
SEED = 32
SIGNATURE = 64
SECRET = 64
NONCE = 24
TAG = 16


def called(name: str, sizes: tuple[int, ...], *given: bytes | int) -> bytes:
    """Call a function that writes `sizes` bytes, and return these bytes. Raises RuntimeError if the
    function fails."""
    passed = [one if isinstance(one, int) else to_js(one) for one in given]
    found = call(name, to_js(list(sizes)), *passed)
    if found is None:
        raise exceptions.RuntimeError("Unexpected library error")
    return bytes(found.to_bytes())


def _check(size: int, *given: bytes) -> None:
    """Raise TypeError unless each of these has this many bytes."""
    if not all(isinstance(one, bytes) and len(one) == size for one in given):
        raise exceptions.TypeError(f"must be a {size} bytes long bytes sequence")


def crypto_core_ed25519_is_valid_point(p: bytes) -> bool:
    """Return whether this is a point of the subgroup of prime order, in its canonical encoding."""
    _check(POINT, p)
    return bool(call("crypto_core_ed25519_is_valid_point", to_js([]), to_js(p)) is None)


def crypto_core_ed25519_from_uniform(r: bytes) -> bytes:
    """Return the point to which 32 bytes are mapped."""
    _check(POINT, r)
    return called("crypto_core_ed25519_from_uniform", (POINT,), r)


def crypto_core_ed25519_add(p: bytes, q: bytes) -> bytes:
    """Return the sum of two points."""
    _check(POINT, p, q)
    return called("crypto_core_ed25519_add", (POINT,), p, q)


def crypto_core_ed25519_sub(p: bytes, q: bytes) -> bytes:
    """Return the difference of two points."""
    _check(POINT, p, q)
    return called("crypto_core_ed25519_sub", (POINT,), p, q)


def crypto_scalarmult_ed25519_base_noclamp(n: bytes) -> bytes:
    """Return a number times the base point."""
    _check(POINT, n)
    return called("crypto_scalarmult_ed25519_base_noclamp", (POINT,), n)


def crypto_scalarmult_ed25519_noclamp(n: bytes, p: bytes) -> bytes:
    """Return a number times a point."""
    _check(POINT, n, p)
    return called("crypto_scalarmult_ed25519_noclamp", (POINT,), n, p)


def crypto_scalarmult_base(n: bytes) -> bytes:
    """Return the public key of X25519."""
    _check(POINT, n)
    return called("crypto_scalarmult_base", (POINT,), n)


def crypto_scalarmult(n: bytes, p: bytes) -> bytes:
    """Return the shared secret of X25519."""
    _check(POINT, n, p)
    return called("crypto_scalarmult", (POINT,), n, p)


def crypto_sign_seed_keypair(seed: bytes) -> tuple[bytes, bytes]:
    """Return the public and the secret key of a seed."""
    if len(seed) != SEED:
        raise exceptions.ValueError("Invalid seed")
    both = called("crypto_sign_seed_keypair", (POINT, SECRET), seed)
    return both[:POINT], both[POINT:]


def crypto_sign(message: bytes, sk: bytes) -> bytes:
    """Return the signature and the message."""
    _check(SECRET, sk)
    made = called("crypto_sign_detached", (SIGNATURE,), 0, message, len(message), 0, sk)
    return made + message


def crypto_sign_open(signed: bytes, pk: bytes) -> bytes:
    """Return the message from a signed message. Raises RuntimeError if the signature is invalid."""
    _check(POINT, pk)
    signature, message = signed[:SIGNATURE], signed[SIGNATURE:]
    _check(SIGNATURE, signature)
    called("crypto_sign_verify_detached", (), signature, message, len(message), 0, pk)
    return message


def crypto_aead_xchacha20poly1305_ietf_encrypt(
    message: bytes, aad: bytes | None, nonce: bytes, key: bytes
) -> bytes:
    """Return an encrypted message with its tag."""
    _check(NONCE, nonce)
    _check(POINT, key)
    about = aad or b""
    return called(
        "crypto_aead_xchacha20poly1305_ietf_encrypt",
        (len(message) + TAG,),
        *(0, message, len(message), 0, about, len(about), 0, 0, nonce, key),
    )


def crypto_aead_xchacha20poly1305_ietf_decrypt(
    ciphertext: bytes, aad: bytes | None, nonce: bytes, key: bytes
) -> bytes:
    """Decrypt a message. Raises RuntimeError if it was encrypted with another key."""
    _check(NONCE, nonce)
    _check(POINT, key)
    if len(ciphertext) < TAG:
        raise exceptions.TypeError("it has no tag")
    about = aad or b""
    return called(
        "crypto_aead_xchacha20poly1305_ietf_decrypt",
        (len(ciphertext) - TAG,),
        *(0, 0, ciphertext, len(ciphertext), 0, about, len(about), 0, nonce, key),
    )

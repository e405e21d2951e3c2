"""Argon2id, with the interface of `nacl.pwhash.argon2id`."""

from typing import Final

from nacl.bindings import called

_SALT: Final = 16
_ALGORITHM: Final = 2
"""crypto_pwhash_ALG_ARGON2ID13"""


def kdf(size: int, password: bytes, salt: bytes, opslimit: int, memlimit: int) -> bytes:
    """Return the key of a password, derived in `opslimit` passes over `memlimit` bytes."""
    if len(salt) != _SALT:
        raise ValueError(f"salt must be exactly {_SALT} bytes long")
    return called(
        "crypto_pwhash",
        (size,),
        *(size, 0, password, len(password), 0, salt, opslimit, 0, memlimit, _ALGORITHM),
    )

"""The errors of PyNaCl."""

import builtins


class CryptoError(Exception):
    """The base class of all errors of this package."""


class RuntimeError(builtins.RuntimeError, CryptoError):  # noqa: A001 - PyNaCl's name
    """libsodium refused the input."""


class TypeError(builtins.TypeError, CryptoError):  # noqa: A001 - PyNaCl's name
    """An argument has another type or length."""


class ValueError(builtins.ValueError, CryptoError):  # noqa: A001 - PyNaCl's name
    """An argument has another length."""

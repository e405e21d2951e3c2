"""PyNaCl's interface to libsodium, for a browser's tab. No package index has PyNaCl's own wheel for
Pyodide, but npm has libsodium's WebAssembly (`libsodium-sumo`).

It has the functions that `boardctl.far` calls, with PyNaCl's names, arguments and errors
(pynacl.readthedocs.io); the worker registers libsodium as the module `boardctl_sodium`
(`packaging/tab/sodium.js`).
"""

"""PyNaCl's interface to libsodium, for a browser's tab: PyNaCl's own wheel for Pyodide is in no
package index, and libsodium's WebAssembly is (npm's `libsodium-sumo`).

It has the functions that `boardctl.far` calls, with PyNaCl's names, arguments and errors
(pynacl.readthedocs.io); the worker registers libsodium as the module `boardctl_sodium`
(`packaging/tab/sodium.js`).
"""

"""Keys from passwords, with the interface of `nacl.pwhash`."""

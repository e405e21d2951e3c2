"""Keys from passwords, as `nacl.pwhash` has them."""

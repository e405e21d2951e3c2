include <layout.scad>
include <../enclosure.scad>

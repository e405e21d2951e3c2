// Classic, two players: ridges to be felt, drawn by boardctl; do not edit. Millimetres.
module ridge() { translate([-0.6, 0, 0]) cube([1.2, 8.0, 1.0]); }
translate([0.000, 0.000, 0]) { cube([2.800, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); } // street1, track 1
translate([5.800, 0.000, 0]) { cube([2.800, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); } // street1, track 2
translate([0.000, -12.600, 0]) { cube([5.300, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); translate([3.900, 0.8, 0.6]) ridge(); } // street2, track 1
translate([8.300, -12.600, 0]) { cube([5.300, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); translate([3.900, 0.8, 0.6]) ridge(); } // street2, track 2
translate([0.000, -25.200, 0]) { cube([7.800, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); translate([3.900, 0.8, 0.6]) ridge(); translate([6.400, 0.8, 0.6]) ridge(); } // street3, track 1
translate([10.800, -25.200, 0]) { cube([7.800, 9.600, 0.6]); translate([1.400, 0.8, 0.6]) ridge(); translate([3.900, 0.8, 0.6]) ridge(); translate([6.400, 0.8, 0.6]) ridge(); } // street3, track 2

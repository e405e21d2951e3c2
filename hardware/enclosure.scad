// The case of a board: a tray that holds the plates, the Pi and the wires.
//
// Do not open this file directly: hardware/NAME/enclosure.scad includes the measures of a layout
// (layout.scad, drawn from the file that lights the board) and then this. What to make:
//     openscad -D 'part="tray"' -D 'piece=[0,0]' -o tray-0-0.stl classic-2/enclosure.scad
// `part` is "tray", "splice", "front", "guide", or, to look at and to check, "exploded" or "check";
// `piece` counts the pieces from the left and from the bottom that fit a printer's bed, [-1, -1] is
// the whole. `pi` is "zero" or "full". All measures are millimetres.

part = "tray";
piece = [-1, -1];
pi = "full";
bed = [200, 200];     // the largest piece that is printed at once
wall = 3;
play = 0.4;           // between the plates and the wall
insert_hole = 4;      // for a brass insert of M3
pi_post = 4;          // height of the posts under the Pi, …
pi_foot = 5.5;        // … and their diameter
pi_screw = 2.2;
usb_opening = [16, 11];
gland = 12.5;         // cable gland PG7 for the strip's supply
splice_size = [44, 14, 3];
splice_screw = 3.2;
splice_length = 8;    // of its screws, with a nut in the tray
nut = [6.4, 2.6];     // of M3: across its corners, and how high it and the screw's end stand
plain = false;        // plates without the holes of the lamps: enough to check, and quick
wrong = 0;            // how far the Pi is put wrong, to see that the check sees it
$fn = 24;

stack = front_thick + diffuser_thick + guide_thick + lights_thick + carrier_thick;
carrier_z = floor_height + room;
guide_z = carrier_z + carrier_thick + lights_thick;
front_z = guide_z + guide_thick + diffuser_thick;
inside = room + stack;
board_of_pi = pi == "zero" ? pi_zero : pi_full;
holes_of_pi = pi == "zero" ? pi_zero_holes : pi_full_holes;

module outline(more = 0) {
    translate([board_corner, board_corner])
        offset(r = board_corner + more)
            square([board_width - 2 * board_corner, board_height - 2 * board_corner]);
}

module at_fixings() {
    for (place = mounting_holes) translate([place[0], place[1], 0]) children();
}

module window(at, size, more = 0) {
    translate([at[0] - more, at[1] - more]) square([size[0] + 2 * more, size[1] + 2 * more]);
}

module plate(thick, hole) {
    linear_extrude(thick) difference() {
        outline();
        if (!plain) for (place = holes) translate(place) circle(d = hole);
        for (place = mounting_holes) translate(place) circle(d = mounting_hole_diameter);
        children();
    }
}

module front() {
    plate(front_thick, hole_diameter) {
        window(display_at, display_size);
        window(keypad_at, keypad_size);
    }
}

// Its bosses stand on the carrier where the screws are, as high as the LEDs.
module guide() {
    plate(guide_thick, well_diameter) {
        window(opening_at, opening_size);
        window(keypad_at, keypad_size, around);
    }
    translate([0, 0, -lights_thick]) at_fixings() difference() {
        cylinder(d = post, h = lights_thick + 0.01);
        translate([0, 0, -1]) cylinder(d = mounting_hole_diameter, h = lights_thick + 2);
    }
}

module carrier() {
    plate(carrier_thick, 0) window(opening_at, opening_size);
}

// The Pi, its plug towards the rear wall. Where it stands is computed with the layout's other measures:
// as near the keypad as posts and what hangs from a circuit board leave room.
place_of_pi = pi == "zero" ? pi_zero_at : pi_full_at;
pi_at = [place_of_pi[0] + wrong, place_of_pi[1]];

module at_pi() {
    translate([pi_at[0], pi_at[1], 0])
        for (x = [-0.5, 0.5], y = [-0.5, 0.5])
            translate([x * holes_of_pi[0], y * holes_of_pi[1], 0]) children();
}

module pi_board() {
    translate([pi_at[0] - board_of_pi[0] / 2, pi_at[1] - board_of_pi[1] / 2,
               floor_height + pi_post + 0.01])
        cube([board_of_pi[0], board_of_pi[1], 1.6 + board_of_pi[2]]);
    translate([pi_at[0] - board_of_pi[0] / 2, pi_at[1] + board_of_pi[1] / 2,
               floor_height + pi_post])
        cube([board_of_pi[0], plug, 12]);
}

// The display's board, its face flush with the front plate's.
module display_board() {
    translate([display_at[0] + (display_size[0] - module_size[0]) / 2,
               display_at[1] + (display_size[1] - module_size[1]) / 2,
               front_z + front_thick - module_size[2]])
        cube([module_size[0], module_size[1], module_size[2] - front_thick - 0.01]);
}

// The keypad, its face flush with the front plate's, as deep as one may be.
module keypad_body() {
    translate([keypad_at[0] + keypad_play, keypad_at[1] + keypad_play,
               front_z + front_thick - keypad_depth])
        cube([keypad_size[0] - 2 * keypad_play, keypad_size[1] - 2 * keypad_play, keypad_depth]);
}

module screws() {
    at_fixings() translate([0, 0, front_z + front_thick - screw_length])
        cylinder(d = mounting_hole_diameter - 0.2, h = screw_length - 0.01);
}

module tray() {
    difference() {
        union() {
            difference() {
                linear_extrude(floor_height + inside) outline(play + wall);
                translate([0, 0, floor_height]) linear_extrude(inside + 1) outline(play);
                translate([pi_at[0] - usb_opening[0] / 2, board_height - 1, floor_height + 3])
                    cube([usb_opening[0], wall + play + 2, usb_opening[1]]);
                translate([pi_at[0] + (pi_at[0] > board_width / 2 ? -1 : 1) * (board_of_pi[0] / 2 + 14),
                           board_height - 1, floor_height + 13])
                    rotate([-90, 0, 0]) cylinder(d = gland, h = wall + play + 2);
            }
            at_fixings() cylinder(d = post, h = carrier_z);
            at_pi() cylinder(d = pi_foot, h = floor_height + pi_post);
        }
        at_fixings() translate([0, 0, carrier_z - 14]) cylinder(d = insert_hole, h = 15);
        at_pi() translate([0, 0, -1]) cylinder(d = pi_screw, h = 20);
        at_splices() for (x = [-1, 1]) translate([x * 16, 0, -1])
            cylinder(d = splice_screw, h = floor_height + 2);
    }
}

// The pieces, and what joins them: flat splices under the floor, screwed with M3 × 8.
size = [board_width + 2 * (wall + play), board_height + 2 * (wall + play)];
pieces = [ceil(size[0] / bed[0]), ceil(size[1] / bed[1])];
cell = [size[0] / pieces[0], size[1] / pieces[1]];
function seam(n, axis) = n * cell[axis] - wall - play;
function along(axis) = [for (p = [0 : pieces[axis] - 1], s = [0.25, 0.75])
    (p + s) * cell[axis] - wall - play];

// Splices move along the seam until their nuts are clear of the posts of plates and Pi.
posts = [for (f = mounting_holes) [f[0], f[1], post / 2],
         for (x = [-0.5, 0.5], y = [-0.5, 0.5])
             [pi_at[0] + x * holes_of_pi[0], pi_at[1] + y * holes_of_pi[1], pi_foot / 2]];
function free(at) = min([for (p = posts) norm([p[0], p[1]] - at) - p[2]]) > nut[0] / 2 + 0.5;
function moved(at, across, on) = [for (s = [0, 8, -8, 16, -16, 24, -24])
    if (free(at + s * on + 16 * across) && free(at + s * on - 16 * across)) at + s * on][0];

module at_splices() {
    if (pieces[0] > 1) for (n = [1 : pieces[0] - 1], y = along(1))
        translate(moved([seam(n, 0), y], [1, 0], [0, 1])) children();
    if (pieces[1] > 1) for (n = [1 : pieces[1] - 1], x = along(0))
        translate(moved([x, seam(n, 1)], [0, 1], [1, 0])) rotate(90) children();
}

module splice() {
    difference() {
        translate([-splice_size[0] / 2, -splice_size[1] / 2, -splice_size[2]]) cube(splice_size);
        for (x = [-1, 1]) translate([x * 16, 0, -splice_size[2] - 1])
            cylinder(d = splice_screw, h = splice_size[2] + 2);
    }
}

module splice_screws() {
    at_splices() for (x = [-1, 1]) translate([x * 16, 0, -splice_size[2]]) {
        cylinder(d = splice_screw - 0.2, h = splice_length);
        translate([0, 0, splice_size[2] + floor_height + 0.01]) cylinder(d = nut[0], h = nut[1], $fn = 6);
    }
}

// Terminal, capacitor and headers on the back of a circuit board, which replaces the carrier.
module below_a_circuit_board() {
    for (part = hanging) translate([part[0], part[1], carrier_z - part[4]])
        cube([part[2], part[3], part[4]]);
}

module cut_out() {
    if (piece[0] < 0) children();
    else intersection() {
        children();
        translate([seam(piece[0], 0), seam(piece[1], 1), -50]) cube([cell[0], cell[1], 200]);
    }
}

module placed(n) {
    if (n == 0) tray();
    if (n == 1) translate([0, 0, carrier_z + 0.01]) carrier();
    if (n == 2) translate([0, 0, guide_z + 0.02]) guide();
    if (n == 3) translate([0, 0, front_z + 0.03]) front();
    if (n == 4) pi_board();
    if (n == 5) display_board();
    if (n == 6) screws();
    if (n == 7) at_splices() translate([0, 0, -0.01]) splice();
    if (n == 8) keypad_body();
    if (n == 9) splice_screws();
    if (n == 10) below_a_circuit_board();
}

// The space that two parts share: none, if the case can be put together. The screws' heads are in
// the front, their ends in the posts' inserts.
module check() {
    for (a = [0 : 9], b = [a + 1 : 10]) intersection() {
        placed(a);
        placed(b);
    }
}

cut_out() {
    if (part == "front") front();
    if (part == "guide") guide();
    if (part == "tray") tray();
    if (part == "splice") splice();
    if (part == "check") check();
    if (part == "exploded") for (n = [0 : 6]) translate([0, 0, n * 30]) placed(n);
}
echo(pieces = pieces, cell = cell, pi_at = pi_at);

// The enclosure of a board: a tray that holds the three plates and the Pi.
//
// Do not open this file by itself: hardware/NAME/enclosure.scad includes the measures of a layout
// (layout.scad, drawn from the file that lights the board) and then this. What to make:
//     openscad -D 'part="tray"' -D 'piece=0' -o tray-0.stl classic-2/enclosure.scad
// `part` is "tray", "front" or "guide"; `piece` counts the pieces from the left that fit a
// printer's bed, -1 is the whole. All measures are millimetres.

part = "tray";
piece = -1;
bed = 200;            // the widest piece that is printed at once
wall = 3;
floor_height = 2.4;
front_thick = 3;
guide_thick = 6;
carrier_thick = 3;
room = 18;            // under the carrier plate, for the Pi and the wires
play = 0.4;           // between the plates and the wall
post = 8;             // diameter of a post under a fixing hole
pi_holes = [58, 23];  // Raspberry Pi Zero: distance of its mounting holes
pi_screw = 2.2;
cable = [14, 10];     // opening for the cable in the rear wall

stack = front_thick + guide_thick + carrier_thick;
inside = room + stack;
$fn = 48;

module outline(more = 0) {
    translate([board_corner, board_corner])
        offset(r = board_corner + more)
            square([board_width - 2 * board_corner, board_height - 2 * board_corner]);
}

module at_fixings() {
    for (place = fixings) translate([place[0], place[1], 0]) children();
}

module window(at, size, more = 0) {
    translate([at[0] - more, at[1] - more]) square([size[0] + 2 * more, size[1] + 2 * more]);
}

module front() {
    linear_extrude(front_thick) difference() {
        outline();
        for (place = holes) translate(place) circle(d = hole_diameter);
        for (place = fixings) translate(place) circle(d = fixing_diameter);
        window(display_at, display_size);
        window(keypad_at, keypad_size);
    }
}

module guide() {
    linear_extrude(guide_thick) difference() {
        outline();
        for (place = holes) translate(place) circle(d = well_diameter);
        for (place = fixings) translate(place) circle(d = fixing_diameter);
        window(display_at, display_size, 4);
        window(keypad_at, keypad_size, 4);
    }
}

// The Pi lies under the keypad, where no strip is and the cables come through the carrier, but
// never so far right that its board (65 mm) would touch the wall.
pi_x = min(keypad_at[0] + keypad_size[0] / 2, board_width - 36);
pi_y = keypad_at[1] + keypad_size[1] / 2;

module at_pi() {
    translate([pi_x, pi_y, 0])
        for (x = [-0.5, 0.5], y = [-0.5, 0.5])
            translate([x * pi_holes[0], y * pi_holes[1], 0]) children();
}

module tray() {
    difference() {
        linear_extrude(floor_height + inside) outline(play + wall);
        translate([0, 0, floor_height]) linear_extrude(inside + 1) outline(play);
        translate([0, 0, -1]) at_fixings() cylinder(d = fixing_diameter, h = inside);
        translate([0, 0, -1]) at_pi() cylinder(d = pi_screw, h = inside);
        translate([pi_x - cable[0] / 2, board_height - 1, floor_height + 2])
            cube([cable[0], wall + play + 2, cable[1]]);
    }
    at_fixings() difference() {
        cylinder(d = post, h = floor_height + room);
        translate([0, 0, -1]) cylinder(d = fixing_diameter, h = floor_height + room + 2);
    }
    at_pi() difference() {
        cylinder(d = 5.5, h = floor_height + 4);
        translate([0, 0, -1]) cylinder(d = pi_screw, h = floor_height + 6);
    }
}

whole = board_width + 2 * (wall + play);
pieces = ceil(whole / bed);
piece_width = whole / pieces;

module cut_out() {
    if (piece < 0) children();
    else intersection() {
        children();
        translate([piece * piece_width - wall - play, -50, -50])
            cube([piece_width, board_height + 100, 200]);
    }
}

cut_out() {
    if (part == "front") front();
    if (part == "guide") guide();
    if (part == "tray") tray();
}

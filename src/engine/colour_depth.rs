//! The nearest colour that a terminal has, where it has fewer than are drawn.
//!
//! Of the 256 colours of xterm, 16 to 231 are a cube of six steps a channel, 232 to 255 greys. The first 16 are the
//! terminal's own, so nothing is known of them: what is drawn in 16 colours is chosen by hue and lightness.

use ratatui::style::Color;

use crate::domain::event::ColourDepth;

/// The steps of the cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Channels that are closer than this part of the brightest have no hue, in percent.
const GREY: u16 = 30;

pub fn nearest(colour: Color, depth: ColourDepth) -> Color {
    match (colour, depth) {
        (_, ColourDepth::True) => colour,
        (Color::Rgb(r, g, b), ColourDepth::Indexed) => Color::Indexed(indexed(r, g, b)),
        (Color::Rgb(r, g, b), ColourDepth::Sixteen) => Color::Indexed(of_sixteen(r, g, b)),
        (Color::Indexed(number @ 16..), ColourDepth::Sixteen) => {
            let (r, g, b) = of_cube(number);
            Color::Indexed(of_sixteen(r, g, b))
        }
        (other, ColourDepth::Indexed | ColourDepth::Sixteen) => other,
    }
}

fn of_cube(number: u8) -> (u8, u8, u8) {
    match number {
        232.. => {
            let grey = 8 + 10 * (number - 232);
            (grey, grey, grey)
        }
        _ => {
            let number = usize::from(number.saturating_sub(16));
            (STEPS[number / 36], STEPS[number / 6 % 6], STEPS[number % 6])
        }
    }
}

fn indexed(r: u8, g: u8, b: u8) -> u8 {
    let step = |channel: u8| {
        let distance = |step: &usize| STEPS[*step].abs_diff(channel);
        (0..STEPS.len()).min_by_key(distance).unwrap_or(0)
    };
    let cube = 16 + 36 * step(r) + 6 * step(g) + step(b);
    let mean = (u16::from(r) + u16::from(g) + u16::from(b)) / 3;
    let grey = 232 + usize::from(mean.saturating_sub(3) / 10).min(23);
    let [cube, grey] = [cube, grey].map(|number| u8::try_from(number).unwrap_or(u8::MAX));
    let distance = |number: u8| {
        let (r2, g2, b2) = of_cube(number);
        [(r, r2), (g, g2), (b, b2)]
            .iter()
            .map(|(one, other)| u32::from(one.abs_diff(*other)).pow(2))
            .sum::<u32>()
    };
    match distance(grey) < distance(cube) {
        true => grey,
        false => cube,
    }
}

fn of_sixteen(r: u8, g: u8, b: u8) -> u8 {
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    if u16::from(most - least) * 100 < u16::from(most) * GREY {
        return match most {
            0..48 => 0,
            48..128 => 8,
            128..208 => 7,
            208.. => 15,
        };
    }
    let middle = least + (most - least) / 2;
    let has = |channel: u8, bit: u8| if channel > middle { bit } else { 0 };
    let hue = has(r, 1) | has(g, 2) | has(b, 4);
    match most {
        160.. => hue + 8,
        // As dark as a ground: text stands on it.
        0..80 => 0,
        80..160 => hue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_becomes_the_nearest_that_there_is() {
        let indexed = |r, g, b| nearest(Color::Rgb(r, g, b), ColourDepth::Indexed);
        assert_eq!(indexed(255, 0, 0), Color::Indexed(196));
        assert_eq!(indexed(0, 0, 0), Color::Indexed(16));
        assert_eq!(indexed(0x16, 0x18, 0x1d), Color::Indexed(234));
        assert_eq!(indexed(130, 177, 255), Color::Indexed(111));
        let sixteen = |r, g, b| nearest(Color::Rgb(r, g, b), ColourDepth::Sixteen);
        assert_eq!(sixteen(242, 180, 92), Color::Indexed(11), "amber is yellow");
        assert_eq!(sixteen(130, 177, 255), Color::Indexed(12));
        assert_eq!(sixteen(215, 218, 224), Color::Indexed(15));
        assert_eq!(sixteen(235, 219, 178), Color::Indexed(15), "cream is white");
        assert_eq!(sixteen(0x16, 0x18, 0x1d), Color::Indexed(0));
        assert_eq!(
            sixteen(0x17, 0x28, 0x1d),
            Color::Indexed(0),
            "the ground of an added line"
        );
        assert_eq!(nearest(Color::Indexed(196), ColourDepth::Sixteen), Color::Indexed(9));
    }

    #[test]
    fn what_the_terminal_has_stays() {
        for depth in [ColourDepth::True, ColourDepth::Indexed, ColourDepth::Sixteen] {
            for colour in [Color::Reset, Color::Red, Color::Indexed(3)] {
                assert_eq!(nearest(colour, depth), colour);
            }
        }
        assert_eq!(nearest(Color::Indexed(196), ColourDepth::Indexed), Color::Indexed(196));
        assert_eq!(nearest(Color::Rgb(1, 2, 3), ColourDepth::True), Color::Rgb(1, 2, 3));
    }
}

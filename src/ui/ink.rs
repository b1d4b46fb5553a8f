//! Underline styles, carried through ratatui's buffer.
//!
//! Its modifiers know one underline. The kind travels in three bits that it does not use, next to the underline's
//! own: a backend that does not know of them draws a plain line. parlour's own backend unpacks them.

use ratatui::style::Modifier;

use crate::term::Underline;

const SHIFT: u16 = 9;
const KIND: u16 = 0b111 << SHIFT;

pub fn pack(underline: Underline) -> Modifier {
    let kind: u16 = match underline {
        Underline::None => return Modifier::empty(),
        Underline::Single => 0,
        Underline::Double => 1,
        Underline::Curly => 2,
        Underline::Dotted => 3,
        Underline::Dashed => 4,
    };
    Modifier::from_bits_retain(Modifier::UNDERLINED.bits() | kind << SHIFT)
}

pub fn unpack(modifier: Modifier) -> Underline {
    if !modifier.contains(Modifier::UNDERLINED) {
        return Underline::None;
    }
    match (modifier.bits() & KIND) >> SHIFT {
        1 => Underline::Double,
        2 => Underline::Curly,
        3 => Underline::Dotted,
        4 => Underline::Dashed,
        _ => Underline::Single,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_underline_comes_back_as_it_was_beside_other_modifiers() {
        use Underline::{Curly, Dashed, Dotted, Double, None, Single};
        for underline in [None, Single, Double, Curly, Dotted, Dashed] {
            assert_eq!(
                unpack(pack(underline) | Modifier::BOLD | Modifier::CROSSED_OUT),
                underline
            );
        }
        assert_eq!(unpack(Modifier::UNDERLINED), Single);
    }
}

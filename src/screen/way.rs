//! Which way one goes through what stands in an order, and how far in what is read.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepWay {
    Forward,
    Back,
}

/// How far a key turns what is longer than its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageTurn {
    Up,
    Down,
    HalfUp,
    HalfDown,
}

impl PageTurn {
    /// Rows, in a place of this height. Of a page so many of them stay, to read on from.
    pub fn rows(self, height: u16, stay: u16) -> isize {
        let page = usize::from(height.saturating_sub(stay).max(1)).cast_signed();
        let half = usize::from((height / 2).max(1)).cast_signed();
        match self {
            PageTurn::Up => -page,
            PageTurn::Down => page,
            PageTurn::HalfUp => -half,
            PageTurn::HalfDown => half,
        }
    }
}

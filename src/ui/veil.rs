//! What lies behind a dialog steps back: it can still be read, and nobody takes it for what is asked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use crate::config::theme::Theme;

/// How much of a colour is left, in percent.
const LEFT: u16 = 45;

/// Draws everything in `area` fainter.
pub fn draw(theme: &Theme, area: Rect, buf: &mut Buffer) {
    let paper = theme.background.bg;
    let area = area.intersection(buf.area);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let cell = &mut buf[(x, y)];
            let (fg, bg) = (faint(cell.fg, paper), faint(cell.bg, paper));
            // Where colours cannot be mixed, the terminal makes it fainter.
            if fg.is_none() || cell.modifier.contains(Modifier::REVERSED) {
                cell.modifier.insert(Modifier::DIM);
            }
            cell.modifier
                .remove(Modifier::BOLD | Modifier::SLOW_BLINK | Modifier::RAPID_BLINK);
            cell.fg = fg.unwrap_or(cell.fg);
            cell.bg = bg.unwrap_or(cell.bg);
        }
    }
}

/// A colour as it is seen through the paper.
fn faint(colour: Color, paper: Option<Color>) -> Option<Color> {
    let (Color::Rgb(r, g, b), Some(Color::Rgb(pr, pg, pb))) = (colour, paper) else {
        return None;
    };
    let mixed = |ink: u8, paper: u8| {
        let mixed = (u16::from(ink) * LEFT + u16::from(paper) * (100 - LEFT)) / 100;
        u8::try_from(mixed).unwrap_or(paper)
    };
    Some(Color::Rgb(mixed(r, pr), mixed(g, pg), mixed(b, pb)))
}

#[cfg(test)]
mod tests {
    use ratatui::style::Style;

    use super::*;

    fn veiled(theme: &Theme, style: Style) -> (Color, Color, Modifier) {
        let area = Rect::new(0, 0, 1, 1);
        let mut buf = Buffer::empty(area);
        buf.set_style(area, theme.background.patch(theme.text).patch(style));
        draw(theme, area, &mut buf);
        (buf[(0, 0)].fg, buf[(0, 0)].bg, buf[(0, 0)].modifier)
    }

    #[test]
    fn colours_are_mixed_with_the_paper() {
        let theme = Theme::dark();
        let (fg, bg, modifier) = veiled(&theme, Style::new().add_modifier(Modifier::BOLD));
        assert_ne!(Some(fg), theme.text.fg);
        assert_eq!((Some(bg), modifier), (theme.background.bg, Modifier::empty()));
    }

    #[test]
    fn what_the_terminal_colours_itself_is_dimmed_by_it() {
        for theme in [Theme::terminal(), Theme::plain()] {
            let (_, _, modifier) = veiled(&theme, Style::new());
            assert!(modifier.contains(Modifier::DIM));
        }
        let (fg, _, modifier) = veiled(&Theme::dark(), Style::new().fg(Color::Red));
        assert_eq!((fg, modifier), (Color::Red, Modifier::DIM));
    }
}

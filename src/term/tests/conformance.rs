//! What every emulator behind the trait has to do: screens, styles, modes and answers.

use std::time::Duration;

use super::{Desk, asked, shown};
use crate::term::{Colour, CursorShape, Kitty, MouseEncoding, MouseReports, Position, Rgb, Span, Style, Underline};

#[test]
fn a_line_reflows_when_the_width_changes_and_back() {
    let mut desk = Desk::new(10, 4);
    desk.feed("abcdefghijklmno");
    assert_eq!(desk.lines(), ["abcdefghij", "klmno"]);
    assert_eq!(desk.resize(20, 4).lines(), ["abcdefghijklmno"]);
    desk.resize(5, 4);
    let view = desk.terminal.view(2, &mut desk.effects);
    assert_eq!(view.text(), "abcde\nfghij\nklmno\n\n");
}

#[test]
fn lines_that_left_the_screen_are_in_the_history() {
    let mut desk = Desk::new(10, 3);
    desk.feed("1\r\n2\r\n3\r\n4\r\n5");
    assert_eq!(desk.screen().history, 2);
    let view = desk.terminal.view(2, &mut desk.effects);
    assert_eq!((view.text().as_str(), view.offset), ("1\n2\n3\n", 2));
    let further = desk.terminal.view(99, &mut desk.effects);
    assert_eq!(further.offset, 2);
    assert_eq!(desk.lines(), ["3", "4", "5"]);
}

#[test]
fn the_alternate_screen_leaves_the_main_one_as_it_was() {
    let mut desk = Desk::new(10, 3);
    desk.feed("main\x1b[?1049halt");
    assert!(desk.screen().modes.alt_screen);
    assert!(desk.lines().concat().contains("alt"));
    assert_eq!(desk.feed("\x1b[?1049l").lines(), ["main"]);
}

#[test]
fn wide_characters_take_two_cells() {
    let mut desk = Desk::new(10, 2);
    let row = desk.feed("世x").screen().rows[0].clone();
    assert!(row.cells[0].style.has(Style::WIDE) && row.cells[1].style.has(Style::SPACER));
    assert_eq!(row.cells[2].symbol, 'x');
    assert_eq!(desk.lines(), ["世x"]);
}

#[test]
fn combining_marks_stay_with_their_letter() {
    let mut desk = Desk::new(10, 2);
    let screen = desk.feed("e\u{301}x").screen();
    assert_eq!(screen.rows[0].marks(0), "\u{301}");
    assert_eq!(screen.rows[0].marks(1), "");
    assert_eq!(desk.lines(), ["e\u{301}x"]);
}

#[test]
fn colours_and_styles_are_kept() {
    let mut desk = Desk::new(20, 2);
    let row = desk
        .feed("\x1b[1;3;9;31;48;5;200ma\x1b[0;38:2::1:2:3;4:3;58;5;9mb\x1b[0;7;8mc")
        .screen()
        .rows[0]
        .clone();
    let [a, b, c] = [row.cells[0], row.cells[1], row.cells[2]];
    assert_eq!((a.foreground, a.background), (Colour::Indexed(1), Colour::Indexed(200)));
    assert!(a.style.has(Style::BOLD) && a.style.has(Style::ITALIC) && a.style.has(Style::STRIKE));
    assert_eq!((b.foreground, b.underline), (Colour::Rgb(1, 2, 3), Underline::Curly));
    assert_eq!(b.underline_colour, Colour::Indexed(9));
    assert!(c.style.has(Style::INVERSE) && c.style.has(Style::HIDDEN));
}

#[test]
fn a_screen_with_colours_prints_our_sequences_only() {
    let mut desk = Desk::new(20, 2);
    desk.feed("\x1b[1;31mred\x1b[0m and \x1b[4:3;38;2;1;2;3mcurly\x1b]8;;http://x\x07");
    assert_eq!(
        desk.screen().ansi(),
        "\x1b[0;1;38;5;1mred\x1b[0m and \x1b[0;4:3;38;2;1;2;3mcurly\x1b[0m\n\n"
    );
}

#[test]
fn editing_sequences_do_what_they_say() {
    assert_eq!(shown("abc\x1b[2Dx\x1b[K"), ["ax"]);
    assert_eq!(shown("abc\r\x1b[4hX"), ["Xabc"]);
    assert_eq!(shown("\x1b(0lqk\x1b(B"), ["┌─┐"]);
    assert_eq!(shown("a\x1bEb\x1b[sc\x1b[ud"), ["a", "bd"]);
    assert_eq!(shown("1\r\n2\r\n3\x1b[1;2r\x1b[2;1H\n4"), ["2", "4", "3"]);
    assert_eq!(shown("\x1b[?7labcdefghijklmnopqrstuvwxyz"), ["abcdefghijklmnopqrsz"]);
    assert_eq!(shown("\x1b#8").len(), 4);
}

fn cursor(bytes: &str) -> (u16, u16) {
    let cursor = Desk::new(20, 10).feed(bytes).screen().cursor;
    (cursor.row, cursor.col)
}

#[test]
fn the_cursor_moves_by_lines_up_to_a_margin() {
    // Within lines 3 to 6, above them and below them.
    for (moves, row) in [
        ("\x1b[5;4H\x1b[9A", 2),
        ("\x1b[5;4H\x1b[A", 3),
        ("\x1b[2;4H\x1b[9A", 0),
        ("\x1b[9;4H\x1b[9A", 2),
        ("\x1b[4;4H\x1b[9B", 5),
        ("\x1b[4;4H\x1b[B", 4),
        ("\x1b[8;4H\x1b[9B", 9),
        ("\x1b[1;4H\x1b[99B", 5),
    ] {
        assert_eq!(cursor(&format!("\x1b[3;6r{moves}")), (row, 3), "{moves:?}");
    }
    assert_eq!(cursor("\x1b[3;6r\x1b[5;4H\x1b[9F"), (2, 0));
    assert_eq!(cursor("\x1b[3;6r\x1b[5;4H\x1b[9E"), (5, 0));
    assert_eq!(
        cursor("\x1b[3;6r\x1b[?6h\x1b[3;4H\x1b[A"),
        (3, 3),
        "counted from the margin"
    );
    assert_eq!(cursor("\x1b[3;6r\x1b[r\x1b[5;4H\x1b[9A"), (0, 3), "without margins");
    assert_eq!(cursor("\x1b[3;6r\x1bc\x1b[5;4H\x1b[9A"), (0, 3), "after a reset");
    let mut desk = Desk::new(20, 10);
    desk.feed("\x1b[3;6r");
    desk.resize(20, 9);
    assert_eq!(desk.feed("\x1b[5;4H\x1b[9A").screen().cursor.row, 0, "after a new size");
}

#[test]
fn adjusting_the_screen_takes_the_cursor_home_and_the_margins_away() {
    assert_eq!(cursor("\x1b[3;6r\x1b[5;4H\x1b#8"), (0, 0));
    assert_eq!(cursor("\x1b[3;6r\x1b#8\x1b[5;4H\x1b[9A"), (0, 3));
}

#[test]
fn a_restored_cursor_counts_lines_as_it_did() {
    for (save, restore) in [("\x1b7", "\x1b8"), ("\x1b[s", "\x1b[u")] {
        let counts_from_margin = format!("\x1b[5;6H{save}\x1b[3;6r\x1b[?6h{restore}");
        assert_eq!(cursor(&counts_from_margin), (4, 5));
        assert_eq!(cursor(&format!("{counts_from_margin}\x1b[1;1H")), (0, 0));
        let again = format!("\x1b[3;6r\x1b[?6h\x1b[2;2H{save}\x1b[?6l{restore}\x1b[1;1H");
        assert_eq!(cursor(&again), (2, 0));
    }
}

#[test]
fn what_is_above_the_cursor_is_cleared_from_the_first_line_on() {
    for row in 1..=3 {
        let text = format!("aa\r\nbb\r\ncc\x1b[2;3r\x1b[{row};1H\x1b[1J");
        let mut wanted = ["aa", "bb", "cc"].map(String::from);
        wanted[row - 1].replace_range(..1, " ");
        let mut desk = Desk::new(20, 4);
        assert_eq!(desk.feed(&text).lines(), wanted[row - 1..], "line {row}");
        assert_eq!(usize::from(desk.screen().cursor.row), row - 1);
    }
    let mut desk = Desk::new(20, 4);
    desk.feed("aa\r\nbb").screen();
    assert_eq!(
        desk.feed("\x1b[1J").lines(),
        Vec::<String>::new(),
        "on a screen that was shown"
    );
}

#[test]
fn a_tab_in_a_cell_is_a_blank() {
    let screen = Desk::new(20, 2).feed("a\tb").screen();
    assert_eq!(screen.text(), "a       b\n\n");
    assert!(
        screen
            .rows
            .iter()
            .all(|row| row.cells.iter().all(|cell| !cell.symbol.is_control()))
    );
}

#[test]
fn modes_are_read_off() {
    let mut desk = Desk::new(20, 2);
    let modes = desk.feed("\x1b[?1;1002;1004;1006;2004h\x1b=\x1b[>5u").terminal.modes();
    assert!(modes.app_cursor && modes.app_keypad && modes.focus && modes.bracketed_paste && modes.alternate_scroll);
    assert_eq!(
        (modes.mouse, modes.mouse_encoding),
        (MouseReports::Drags, MouseEncoding::Sgr)
    );
    assert_eq!(modes.kitty, Kitty(5));
}

#[test]
fn the_cursor_is_where_the_program_put_it() {
    let cursor = Desk::new(20, 4).feed("\x1b[3;5H\x1b[5 q").screen().cursor;
    assert_eq!((cursor.row, cursor.col, cursor.shape), (2, 4, CursorShape::Bar));
    assert!(cursor.visible && cursor.blinking);
    assert!(!Desk::new(20, 4).feed("\x1b[?25l").screen().cursor.visible);
}

#[test]
fn questions_are_answered() {
    assert_eq!(asked("\x1b[c"), "\x1b[?6c");
    assert!(asked("\x1b[>c").starts_with("\x1b[>0;"));
    assert_eq!(asked("\x1b[5n"), "\x1b[0n");
    assert_eq!(asked("ab\x1b[6n"), "\x1b[1;3R");
    assert_eq!(asked("\x1b[?2026$p"), "\x1b[?2026;2$y");
    assert_eq!(
        asked("\x1b[>q"),
        concat!("\x1bP>|parlour ", env!("CARGO_PKG_VERSION"), "\x1b\\")
    );
    assert_eq!(asked("\x1b[>3u\x1b[?u"), "\x1b[?3u");
    assert_eq!(asked("\x1b]11;?\x07"), "\x1b]11;rgb:1212/1212/1212\x07");
    assert_eq!(asked("\x1b]4;1;?\x1b\\"), "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\");
    assert_eq!(asked("\x1b[18t"), "\x1b[8;4;20t");
}

#[test]
fn answers_come_in_the_order_of_the_questions() {
    assert_eq!(
        asked("\x1b[5n\x1b[>q\x1b[6n"),
        concat!("\x1b[0n\x1bP>|parlour ", env!("CARGO_PKG_VERSION"), "\x1b\\\x1b[1;1R")
    );
}

#[test]
fn what_the_title_says_is_never_sent_back() {
    let mut desk = Desk::new(20, 4);
    desk.feed("\x1b]2;rm -rf ~\x07\x1b[21t\x1b[20t\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b]52;c;?\x07\x05");
    assert_eq!(desk.reply(), "");
}

#[test]
fn a_new_palette_is_told_to_who_asks() {
    let mut desk = Desk::new(20, 4);
    let palette = crate::term::TerminalPalette {
        background: Rgb(255, 255, 255),
        ..Default::default()
    };
    desk.terminal.set_palette(palette);
    assert_eq!(desk.feed("\x1b]11;?\x07").reply(), "\x1b]11;rgb:ffff/ffff/ffff\x07");
}

#[test]
fn text_is_copied_with_broken_lines_joined() {
    let mut desk = Desk::new(5, 3);
    desk.feed("one two three\r\nfour");
    let span = Span {
        from: Position { line: -9, col: 0 },
        to: Position { line: 2, col: 4 },
    };
    assert_eq!(desk.terminal.text(span), "one two three\nfour");
    let word = Span {
        from: Position { line: 2, col: 1 },
        to: Position { line: 2, col: 2 },
    };
    assert_eq!(desk.terminal.text(word), "ou");
}

#[test]
fn rows_that_did_not_change_are_shared() {
    let mut desk = Desk::new(20, 4);
    let before = desk.feed("one\r\ntwo\r\nthree").screen();
    let after = desk.feed("!").screen();
    let shared = |row: usize| std::sync::Arc::ptr_eq(&before.rows[row], &after.rows[row]);
    assert_eq!([shared(0), shared(1), shared(2), shared(3)], [true, true, false, true]);
    assert!(after.generation > before.generation);
}

#[test]
fn less_history_is_kept_when_the_limit_falls() {
    let mut desk = Desk::new(20, 4);
    desk.feed("x\r\n".repeat(200));
    assert_eq!(desk.screen().history, 100);
    desk.terminal.set_history_limit(10, &mut desk.effects);
    assert_eq!(desk.screen().history, 10);
}

#[test]
fn a_program_that_is_gone_leaves_no_modes() {
    let mut desk = Desk::new(20, 4);
    desk.feed("words\x1b[?1;1003;1004;1006;2004h\x1b=\x1b[>5u\x1b[31m\x1b[?1049hfull\x1b[>5u\x1b[?25l");
    desk.terminal.settle(desk.now);
    let screen = desk.feed("next").screen();
    assert_eq!(screen.modes, Desk::new(20, 4).screen().modes);
    assert!(screen.cursor.visible);
    assert_eq!(desk.lines(), ["     full", "next"]);
    assert_eq!(desk.all_lines(), ["words", "     full", "next"]);
}

#[test]
fn what_a_program_showed_last_stays_where_it_leaves_the_alternate_screen_to_end() {
    let begin = || {
        let mut desk = Desk::new(20, 4);
        desk.feed("asked\x1b[?1049h\x1b[H\x1b[1mfull\x1b[m\r\n\r\nanswer");
        desk.feed("\x1b[?1049lresume with x\r\n");
        desk
    };
    let mut desk = begin();
    let kept = desk.terminal.keep_last_frame(desk.now);
    assert_eq!(desk.lines(), ["full", "answer"]);
    assert_eq!(desk.all_lines(), ["askedresume with x", "full", "answer"]);
    // A record that has these bytes shows the same.
    let mut again = begin();
    again.feed(kept);
    assert_eq!(again.screen().text(), desk.screen().text());
    // One that goes on below its prompt, as a shell does after an editor, shows that, at once if it marks its prompt.
    let mut desk = begin();
    desk.feed("\x1b]133;D;0\x07\x1b]133;A\x07$ exit\r\n");
    assert!(desk.terminal.keep_last_frame(desk.now).is_empty());
    assert_eq!(desk.lines(), ["askedresume with x", "$ exit"]);
    let mut desk = begin();
    assert!(
        desk.terminal
            .keep_last_frame(desk.now + Duration::from_secs(3))
            .is_empty()
    );
    assert_eq!(desk.lines(), ["askedresume with x"]);
}

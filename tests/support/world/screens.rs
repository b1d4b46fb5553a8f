//! What terminals show, from the bytes that programs write.

use std::time::Instant;

use parlour::domain::event::Size;
use parlour::term::{Effects, Setup, Terminal, TerminalPalette};

/// What a real emulator shows after these bytes.
pub fn screen(said: &str, size: Size) -> std::sync::Arc<parlour::term::Screen> {
    scrolled(said, size, 0)
}

pub fn scrolled(said: &str, size: Size, back: usize) -> std::sync::Arc<parlour::term::Screen> {
    let size = parlour::term::TerminalSize::new(size.cols, size.rows);
    let mut terminal = Terminal::new(Setup {
        size,
        palette: TerminalPalette::default(),
        history_lines: 1000,
    });
    let mut out = Effects::default();
    terminal.advance(said.replace('\n', "\r\n").as_bytes(), Instant::now(), &mut out);
    match back {
        0 => terminal.screen(&mut out),
        back => terminal.view(back, &mut out),
    }
}

/// The screen of a coding agent in the middle of a turn.
pub const TALK: &str = "\x1b[2m────────────────────────────────────────────────────────────────────\x1b[0m\n\
\x1b[1m> The login of expired sessions answers 500. Find out why and fix it.\x1b[0m\n\
\n\
\x1b[32m●\x1b[0m I'll look at how expired tokens are handled.\n\
\n\
\x1b[32m●\x1b[0m \x1b[1mRead\x1b[0m(src/auth/session.rs)\n\
  \x1b[2m⎿  Read 214 lines\x1b[0m\n\
\n\
\x1b[32m●\x1b[0m \x1b[1mUpdate\x1b[0m(src/auth/session.rs)\n\
  \x1b[2m⎿  Updated with 3 additions and 1 removal\x1b[0m\n\
     \x1b[41m 88 -    let claims = decode(token).unwrap();\x1b[0m\n\
     \x1b[42m 88 +    let Ok(claims) = decode(token) else {\x1b[0m\n\
     \x1b[42m 89 +        return Err(Denied::Expired);\x1b[0m\n\
     \x1b[42m 90 +    };\x1b[0m\n\
\n\
\x1b[36m●\x1b[0m \x1b[1mBash\x1b[0m(cargo test auth)\n\
  \x1b[2m⎿  Running…\x1b[0m\n\
\n\
\x1b[4:3mexpired_token_is_denied\x1b[0m … \x1b[31mfailed\x1b[0m 🙁 期限切れ\n\
\n\
\x1b[2m────────────────────────────────────────────────────────────────────\x1b[0m\n\
> ";

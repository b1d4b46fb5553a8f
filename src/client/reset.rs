//! What `parlour reset` does: a terminal that a killed program left in a state is usable again.

use std::fs::OpenOptions;
use std::io::{self, Write};

use rustix::termios::{
    InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, tcflush, tcgetattr, tcsetattr,
};

use super::terminal;

/// Application cursor keys and keypad, which other programs leave behind.
const KEYS_OFF: &[u8] = b"\x1b[?1l\x1b>";

/// Turns every mode off that parlour turns on, and echo and line editing on, on the terminal of this process.
pub fn reset() -> io::Result<()> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let mut modes = tcgetattr(&terminal)?;
    modes.input_modes |= InputModes::BRKINT | InputModes::ICRNL | InputModes::IXON;
    modes.input_modes -= InputModes::IGNCR | InputModes::INLCR;
    modes.output_modes |= OutputModes::OPOST | OutputModes::ONLCR;
    modes.local_modes |= LocalModes::ICANON
        | LocalModes::ECHO
        | LocalModes::ECHOE
        | LocalModes::ECHOK
        | LocalModes::ISIG
        | LocalModes::IEXTEN;
    tcflush(&terminal, QueueSelector::IFlush)?;
    tcsetattr(&terminal, OptionalActions::Now, &modes)?;
    terminal.write_all(&terminal::restoring())?;
    terminal.write_all(KEYS_OFF)
}

//! The demo agent: its parts each by itself, and the whole in a terminal.

mod parts;
mod serve;
mod story;

use serve::serve;

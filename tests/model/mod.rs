//! The scripted model: its rules over plain HTTP, and the real Claude Code driven by it.

mod claude;
mod rules;

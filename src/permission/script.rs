//! A command line as it was taken apart.

use std::ops::Range;

use super::word::ShellWord;

/// One program with its words.
#[derive(Clone, Debug)]
pub(super) struct Simple {
    pub words: Vec<ShellWord>,
    /// It only runs the command behind it, which stands next in the list: `nohup`, `timeout 5`.
    pub carries: bool,
    /// Commands in its substitutions and those it carries, as places in the list.
    pub within: Range<usize>,
    /// Which command runs it, and how many words of that a rule names that means both.
    pub named: Option<(usize, usize)>,
}

#[derive(Debug)]
pub(super) struct ParsedScript {
    pub commands: Vec<Simple>,
    /// The commands of each stage of each pipeline.
    pub pipelines: Vec<Vec<Range<usize>>>,
    /// The commands of each shell that the line starts for a part of itself, from front to back and the outer first.
    pub subshells: Vec<Range<usize>>,
    /// Files that redirections write to.
    pub writes: Vec<ShellWord>,
    /// And those that they read.
    pub reads: Vec<ShellWord>,
    /// Variables with what is put into them, as `NAME=value`.
    pub assigned: Vec<ShellWord>,
    /// Words, lists and pipes alone: nothing substituted, assigned, written, looped or commented.
    pub plain: bool,
    /// All of it could be parsed.
    pub readable: bool,
    /// A function that starts itself twice.
    pub bomb: bool,
    /// Words of all commands together, with what is written to or read.
    pub words: usize,
    /// Bytes of all that its `cd`s lead to.
    pub moved: usize,
}

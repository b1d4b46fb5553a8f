//! Colours by language.
//!
//! Both sides are read from their first line, so that a comment or string that began above a hunk is known. Where the two
//! sides are alike they are read once.
//!
//! The grammars are those of `two-face`, because `syntect` itself has none for TypeScript or TOML. Oniguruma is C, but
//! `fancy-regex` needs ten times as long until the first lines are coloured (72 ms for Rust, 220 ms for TypeScript) and
//! 50 MB more.

use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::hunks::RawHunk;
use super::lines::TextLines;
use crate::model::diff::{LineKind, Syntax};

/// Bytes of a file; a larger one is shown plain.
const LARGEST: usize = 512 << 10;
/// Characters of a line; a longer one is shown plain.
const LONGEST: usize = 1_000;
/// What is not coloured by then stays plain: a file could be made to keep the grammar's patterns busy.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Read when the first file is shown: it takes a few milliseconds.
static LANGUAGES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// A part of a line, up to this byte.
pub type Coloured = (usize, Syntax);

/// For each line of each hunk, what its parts are. Nothing for a language that is not known.
pub fn colour(path: &Path, old: &TextLines<'_>, new: &TextLines<'_>, hunks: &[RawHunk]) -> Vec<Vec<Vec<Coloured>>> {
    let is_small = |lines: &TextLines<'_>| lines.bytes().len() <= LARGEST;
    let first = if new.is_empty() { old.get(1) } else { new.get(1) };
    match language(path, first).filter(|_| is_small(old) && is_small(new) && !hunks.is_empty()) {
        Some(language) => Colouring::new(language, old, new).hunks(hunks),
        None => Vec::new(),
    }
}

/// The parts of each line of a text that names its language. Nothing for a language that is not known.
pub fn colour_code(language: &str, code: &str) -> Vec<Vec<Coloured>> {
    let known = LANGUAGES.find_syntax_by_token(language);
    let Some(known) = known.filter(|_| !language.is_empty() && code.len() <= LARGEST) else {
        return Vec::new();
    };
    let mut reader = SideReader {
        state: ParseState::new(known),
        scopes: ScopeStack::new(),
    };
    let until = Instant::now() + PATIENCE;
    let lines = code.split_inclusive('\n').take_while(|_| Instant::now() < until);
    lines.map(|line| reader.line(line.as_bytes())).collect()
}

fn language(path: &Path, first: &[u8]) -> Option<&'static SyntaxReference> {
    let name = path.file_name()?.to_str()?;
    let by_name = LANGUAGES.find_syntax_by_extension(name);
    let by_extension = || LANGUAGES.find_syntax_by_extension(path.extension()?.to_str()?);
    let by_first_line = || {
        let is_telling = [&b"#!"[..], b"<?", b"<!"].iter().any(|start| first.starts_with(start));
        let line = &first[..first.len().min(LONGEST)];
        LANGUAGES.find_syntax_by_first_line(std::str::from_utf8(line).ok().filter(|_| is_telling)?)
    };
    let found = by_name.or_else(by_extension).or_else(by_first_line)?;
    (found.name != "Plain Text").then_some(found)
}

struct Colouring<'a> {
    old: &'a TextLines<'a>,
    new: &'a TextLines<'a>,
    /// The lines up to here are read, on each side.
    read: (u32, u32),
    after: SideReader,
    /// The old side; none where it is as the new one.
    before: Option<SideReader>,
    until: Instant,
}

impl<'a> Colouring<'a> {
    fn new(language: &SyntaxReference, old: &'a TextLines<'a>, new: &'a TextLines<'a>) -> Colouring<'a> {
        Colouring {
            old,
            new,
            read: (0, 0),
            after: SideReader {
                state: ParseState::new(language),
                scopes: ScopeStack::new(),
            },
            before: None,
            until: Instant::now() + PATIENCE,
        }
    }

    fn hunks(&mut self, hunks: &[RawHunk]) -> Vec<Vec<Vec<Coloured>>> {
        let mut coloured = Vec::with_capacity(hunks.len());
        for hunk in hunks {
            // A side without lines says which one is before.
            let start = |range: (u32, u32)| if range.1 == 0 { range.0 + 1 } else { range.0 };
            let (old, new) = (start(hunk.old), start(hunk.new));
            while self.read.0 + 1 < old && self.read.1 + 1 < new && !self.is_late() {
                self.both();
            }
            coloured.push(hunk.lines.iter().map(|line| self.shown(line.kind)).collect());
        }
        coloured
    }

    fn shown(&mut self, kind: LineKind) -> Vec<Coloured> {
        if self.is_late() {
            return Vec::new();
        }
        match kind {
            LineKind::Context => self.both(),
            LineKind::Removed => self.removed(),
            LineKind::Added => self.added(),
        }
    }

    fn is_late(&self) -> bool {
        Instant::now() > self.until
    }

    /// A line that both sides have.
    fn both(&mut self) -> Vec<Coloured> {
        self.read = (self.read.0 + 1, self.read.1 + 1);
        let (old, new) = (self.old.get(self.read.0), self.new.get(self.read.1));
        // With white space ignored, they may differ.
        if old != new && self.before.is_none() {
            self.before = Some(self.after.clone());
        }
        if let Some(before) = &mut self.before {
            before.line(old);
        }
        let coloured = self.after.line(new);
        self.before.take_if(|before| *before == self.after);
        coloured
    }

    fn removed(&mut self) -> Vec<Coloured> {
        self.read.0 += 1;
        let line = self.old.get(self.read.0);
        self.before.get_or_insert_with(|| self.after.clone()).line(line)
    }

    fn added(&mut self) -> Vec<Coloured> {
        self.read.1 += 1;
        if self.before.is_none() {
            self.before = Some(self.after.clone());
        }
        self.after.line(self.new.get(self.read.1))
    }
}

/// How far one side is read.
#[derive(Clone, PartialEq)]
struct SideReader {
    state: ParseState,
    scopes: ScopeStack,
}

impl SideReader {
    fn line(&mut self, line: &[u8]) -> Vec<Coloured> {
        let text = String::from_utf8_lossy(line);
        if text.chars().nth(LONGEST).is_some() {
            return Vec::new();
        }
        // Grammars know one end of a line.
        let text = match text.strip_suffix("\r\n") {
            Some(text) => format!("{text}\n").into(),
            None => text,
        };
        let Ok(steps) = self.state.parse_line(&text, &LANGUAGES) else {
            return Vec::new();
        };
        let (mut parts, mut done) = (Vec::new(), 0);
        for (at, step) in steps {
            if at > done {
                parts.push((at, kind(&self.scopes)));
                done = at;
            }
            if self.scopes.apply(&step).is_err() {
                return Vec::new();
            }
        }
        if done < text.len() {
            parts.push((text.len(), kind(&self.scopes)));
        }
        parts
    }
}

/// Of several that fit, the first. What is not named is as what it lies in.
const KINDS: [(&str, Syntax); 36] = [
    ("comment", Syntax::Comment),
    ("punctuation.definition.comment", Syntax::Comment),
    ("constant.character.escape", Syntax::Constant),
    ("constant.other.placeholder", Syntax::Constant),
    ("constant.numeric", Syntax::Number),
    ("constant", Syntax::Constant),
    ("string", Syntax::String),
    ("markup.raw", Syntax::String),
    ("keyword.operator.word", Syntax::Keyword),
    ("keyword.operator.logical.python", Syntax::Keyword),
    ("keyword.operator.new", Syntax::Keyword),
    ("keyword.operator.expression", Syntax::Keyword),
    ("keyword.operator", Syntax::Operator),
    ("keyword.declaration", Syntax::Keyword),
    ("keyword", Syntax::Keyword),
    ("storage", Syntax::Keyword),
    ("variable.language", Syntax::Keyword),
    ("variable.function", Syntax::Function),
    ("variable.annotation", Syntax::Function),
    ("variable", Syntax::Plain),
    ("entity.name.function", Syntax::Function),
    ("entity.name.macro", Syntax::Function),
    ("entity.name.tag", Syntax::Keyword),
    ("entity.name.section", Syntax::Function),
    ("entity.name.label", Syntax::Constant),
    ("entity.name.constant", Syntax::Constant),
    ("entity.name", Syntax::Type),
    ("entity.other.attribute-name", Syntax::Type),
    ("entity.other.inherited-class", Syntax::Type),
    ("markup.heading", Syntax::Function),
    ("support.function", Syntax::Function),
    ("support.macro", Syntax::Function),
    ("support.constant", Syntax::Constant),
    ("support.type", Syntax::Type),
    ("support.class", Syntax::Type),
    // Code within a string, or within a page.
    ("source", Syntax::Plain),
];

static SCOPES: LazyLock<Vec<(Scope, Syntax)>> = LazyLock::new(|| {
    let known = KINDS
        .iter()
        .filter_map(|(name, kind)| Some((Scope::new(name).ok()?, *kind)));
    known.collect()
});

fn kind(scopes: &ScopeStack) -> Syntax {
    let known = |scope: &Scope| {
        let mut fitting = SCOPES.iter().filter(|(known, _)| known.is_prefix_of(*scope));
        fitting.next().map(|(_, kind)| *kind)
    };
    scopes.as_slice().iter().rev().find_map(known).unwrap_or_default()
}

//! A command line taken apart: every command in it, wherever it hides, and whether the whole is plain enough for a rule
//! that allows.
//!
//! tree-sitter's grammar is lenient, which suits denying: what it finds is found. For allowing, the whole line must
//! consist of pieces on a short list, so that a misreading of something odd never lets it pass.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::Node;

use super::cwd::{CwdChange, moves};
use super::documents;
use super::interpreter::reads_script;
use super::leaf::{Within, hidden_commands, substitutes};
use super::line_continuation::{self, Joined};
use super::plain::is_plain;
use super::program;
use super::redirect::QUIET;
use super::script::{ParsedScript, Simple};
use super::word::ShellWord;
use super::wrapper::{self, CarriedCommand};
use super::{options, redirect, variable};

/// Deeper nesting is nobody's honest work, and walking it costs stack.
const DEEPEST: usize = 120;
/// Commands in commands multiply; a line with more of them is not taken further apart.
const MOST: usize = 1024;

/// Each command within another repeats its words, and each word of all is looked at by every rule.
const MOST_WORDS: usize = 16_000;

/// Bytes of all that a line's `cd`s lead to, a short one counted as [`LEAST_MOVED`]: each file that is written to is looked
/// at from each place, and the longer its path the longer that takes.
const MOST_MOVED: usize = 4096;
const LEAST_MOVED: usize = 64;
/// The same bytes times the files that are written to.
const MOST_LOOKS: usize = 256 << 10;

/// A command with more words is not searched for commands in its arguments.
const WIDEST: usize = 512;
/// What one shell inside another takes of the depth: nobody needs ten of them, and each is parsed again.
const SHELL_DEPTH: usize = 12;

impl ParsedScript {
    pub fn read(text: &str) -> ParsedScript {
        let mut script = ParsedScript {
            commands: Vec::new(),
            pipelines: Vec::new(),
            subshells: Vec::new(),
            writes: Vec::new(),
            reads: Vec::new(),
            assigned: Vec::new(),
            plain: true,
            readable: true,
            bomb: false,
            words: 0,
            moved: 0,
        };
        script.add(text, 0);
        script
    }

    fn add(&mut self, text: &str, depth: usize) {
        let fits = !self.is_full() && depth < DEEPEST;
        let Some(Joined { text, tree, sure }) = fits.then(|| line_continuation::read(text)).flatten() else {
            self.readable = false;
            return;
        };
        self.readable &= sure;
        let from = self.commands.len();
        let mut walk = Walk {
            text: &text,
            script: self,
            read_to: 0,
            within: Within::default(),
            further: HashMap::new(),
        };
        walk.visit(tree.root_node(), depth, None);
        let rest = &text[walk.read_to.min(text.len())..];
        self.plain &= rest.trim_matches([' ', '\t', '\n']).is_empty();
        self.readable &= !tree.root_node().has_error();
        let commands = self.commands[from..].iter().map(|simple| simple.words.as_slice());
        match documents::applied(commands, &text) {
            Some(files) => {
                self.plain &= files.is_empty();
                self.writes.extend(files);
            }
            None => self.readable = false,
        }
    }

    /// Adds the commands from here on that are fed a document, as they would be with it among their words.
    fn feed(&mut self, from: usize, document: &ShellWord) {
        let commands = self.commands[from..].iter();
        let fed: Vec<Vec<ShellWord>> = commands
            .filter_map(|simple| documents::with_document(&simple.words, document))
            .collect();
        for words in fed {
            self.readable &= !self.is_full();
            self.push(words);
        }
    }

    /// Adds what a shell of its own runs.
    fn start(&mut self, text: &str, depth: usize) {
        let (from, at) = (self.commands.len(), self.subshells.len());
        self.subshells.push(from..from);
        self.add(text, depth + SHELL_DEPTH);
        self.subshells[at].end = self.commands.len();
    }

    fn is_full(&self) -> bool {
        self.commands.len() >= MOST
            || self.words >= MOST_WORDS
            || self.writes.len() + self.reads.len() >= MOST
            || self.moved >= MOST_MOVED
            || self.moved * (self.writes.len() + self.reads.len()) >= MOST_LOOKS
    }

    /// Adds a command and says where in the list it stands.
    fn push(&mut self, words: Vec<ShellWord>) -> usize {
        let at = self.commands.len();
        let simple = Simple {
            words,
            carries: false,
            within: at + 1..at + 1,
            named: None,
        };
        self.words += simple.words.len();
        let to = match moves(&simple) {
            Some(CwdChange::To(to) | CwdChange::Onto(to)) => Some(to),
            Some(CwdChange::Back | CwdChange::Off) => Some(ShellWord::plain("-")),
            None => wrapper::led_to(&simple.words),
        };
        self.moved += to.map_or(0, |to| to.text.len().max(LEAST_MOVED));
        self.commands.push(simple);
        at
    }

    /// Adds a command that was found in the words of another.
    fn carry(&mut self, words: &[ShellWord], depth: usize) {
        if depth >= DEEPEST || self.is_full() {
            self.readable = false;
        } else if !words.is_empty() {
            let at = self.push(words.to_vec());
            self.unwrap(at, depth + 1);
            self.commands[at].within.end = self.commands.len();
        }
    }

    /// Adds what the command at `at` runs in turn.
    fn unwrap(&mut self, at: usize, depth: usize) {
        let words = self.commands[at].words.clone();
        if words.len() > WIDEST {
            self.readable &= wrapper::carried(&words).is_empty() && options::told_to(&words).is_empty();
            return;
        }
        for carried in wrapper::carried(&words).into_iter().chain(options::told_to(&words)) {
            match carried {
                CarriedCommand::Harmless(words) => {
                    self.commands[at].carries = true;
                    self.carry(words, depth);
                }
                CarriedCommand::Words(words) => self.carry(&words, depth),
                CarriedCommand::Run(words, named) => {
                    let inner = self.commands.len();
                    self.carry(words, depth);
                    if let Some(simple) = self.commands.get_mut(inner) {
                        simple.named = Some((at, named));
                    }
                }
                CarriedCommand::Text(text, known) => {
                    self.readable &= known;
                    // What a shell in a shell does is for no prefix rule to allow.
                    self.plain = false;
                    match program::of(&words) {
                        "eval" => self.add(&text, depth + SHELL_DEPTH),
                        _ => self.start(&text, depth),
                    }
                }
            }
        }
    }
}

struct Walk<'t, 's> {
    text: &'t str,
    script: &'s mut ParsedScript,
    /// Where the last leaf ended: between leaves only blanks may stand.
    read_to: usize,
    within: Within,
    /// By the node of a command, its words behind redirections, and where in the list it stands once it is there.
    further: HashMap<usize, (Vec<ShellWord>, Option<usize>)>,
}

impl Walk<'_, '_> {
    fn visit(&mut self, node: Node, depth: usize, command: Option<usize>) {
        if depth >= DEEPEST || self.script.is_full() {
            self.script.readable = false;
            return;
        }
        let raw = &self.text[node.byte_range()];
        let before = &self.text[..node.start_byte()];
        match hidden_commands(node, raw, before, self.within) {
            Some(commands) => {
                self.script.plain &= commands.is_empty();
                for command in commands {
                    self.script.start(&command, depth);
                }
            }
            None => self.script.readable = false,
        }
        let outer = self.within;
        self.within = outer.enter(node, raw);
        self.piece(node, depth, command);
        if self.within.told {
            self.read_to = self.read_to.max(node.end_byte());
        }
        self.within = outer;
    }

    fn piece(&mut self, node: Node, depth: usize, command: Option<usize>) {
        let mut subshell = None;
        match node.kind() {
            "command" | "declaration_command" | "unset_command" => return self.command(node, depth),
            "pipeline" => return self.pipeline(node, depth),
            "file_redirect" => self.redirect(node),
            "variable_assignment" => self.assigned(node, depth),
            "redirected_statement" => return self.redirected(node, depth),
            "function_definition" => return self.function(node, depth),
            "subshell" | "command_substitution" | "process_substitution" => {
                let from = self.script.commands.len();
                subshell = Some(self.script.subshells.len());
                self.script.subshells.push(from..from);
            }
            "ERROR" => self.script.readable = false,
            // In single brackets these are redirections, whatever the grammar takes them for.
            "test_command" => {
                let text = &self.text[node.byte_range()];
                self.script.readable &= text.starts_with("[[") || !text.contains(['<', '>']);
            }
            // Two such marks look alike to the parser, and the document would end too early.
            "heredoc_start" => self.script.readable &= self.text[node.byte_range()].is_ascii(),
            _ => {}
        }
        let whole = matches!(node.kind(), "string" | "raw_string");
        if node.child_count() == 0 || whole {
            self.leaf(node, command);
        }
        if !is_plain(node.kind()) {
            self.script.plain = false;
        }
        self.children(node, depth, command);
        if let Some(at) = subshell {
            self.script.subshells[at].end = self.script.commands.len();
        }
    }

    fn children(&mut self, node: Node, depth: usize, command: Option<usize>) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            self.visit(child, depth + 1, command);
        }
    }

    /// Checks that nothing but blanks was passed over on the way to `node`; within a command a newline is no blank.
    fn leaf(&mut self, node: Node, command: Option<usize>) {
        let Range { start, end } = node.byte_range();
        if start >= self.read_to {
            let gap = &self.text[self.read_to..start];
            // What the grammar passes over, a shell may run.
            self.script.readable &= self.within.literal || self.within.told || !substitutes(gap, false);
            let newline_ends = command.is_some_and(|from| self.read_to > from);
            let blank = |c| c == ' ' || c == '\t' || (c == '\n' && !newline_ends);
            self.script.plain &= gap.chars().all(blank);
        }
        self.read_to = self.read_to.max(end);
    }

    fn command(&mut self, node: Node, depth: usize) {
        let plain = node.kind() == "command";
        self.script.plain &= plain;
        let mut words = Vec::new();
        let mut fed = None;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" if words.is_empty() => self.script.plain = false,
                "file_redirect" | "heredoc_redirect" => {
                    fed = fed.or_else(|| redirect::fed(child, self.text).map(|word| ShellWord::read(word, self.text)));
                    words.extend(
                        redirect::arguments(child)
                            .into_iter()
                            .map(|word| ShellWord::read(word, self.text)),
                    );
                }
                "comment" => {}
                _ => words.push(ShellWord::read(child, self.text)),
            }
        }
        if let Some((further, at)) = self.further.get_mut(&node.id()) {
            words.append(further);
            *at = Some(self.script.commands.len());
        }
        self.script.plain &= words.iter().all(|word| word.known);
        self.script.readable &= !wrapper::is_reserved(&words);
        let at = self.script.push(words);
        self.children(node, depth, Some(node.start_byte()));
        self.script.unwrap(at, depth);
        let is_read = self.script.commands[at..].iter().any(|c| reads_script(&c.words));
        self.script.readable &= !(is_read && fed_by_output(node));
        match fed {
            Some(fed) if is_read => {
                self.script.readable &= fed.known;
                self.script.add(&fed.text, depth + SHELL_DEPTH);
            }
            Some(fed) => self.script.feed(at, &fed),
            None => {}
        }
        self.script.commands[at].within.end = self.script.commands.len();
    }

    fn pipeline(&mut self, node: Node, depth: usize) {
        let mut stages = Vec::new();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let from = self.script.commands.len();
            self.visit(child, depth + 1, None);
            if child.is_named() {
                stages.push(from..self.script.commands.len());
            }
        }
        self.script.pipelines.push(stages);
    }

    /// A command with files. What is fed to a shell as a document is a script of its own.
    fn redirected(&mut self, node: Node, depth: usize) {
        let from = self.script.commands.len();
        let receiver = self.hand_on(node, depth);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let redirects = matches!(child.kind(), "file_redirect" | "heredoc_redirect");
            self.visit(child, depth + 1, redirects.then_some(child.start_byte()));
        }
        // What a shell puts in the place of such arguments, the command itself is given.
        if let Some((_, Some(at))) = receiver.and_then(|id| self.further.get(&id)) {
            self.script.commands[*at].within.end = self.script.commands.len();
        }
        let fed = self.script.commands[from..].iter().any(|c| reads_script(&c.words));
        self.script.readable &= !(fed && fed_by_output(node));
        let mut cursor = node.walk();
        let redirections: Vec<Node> = node.children(&mut cursor).collect();
        let mut documents = Vec::new();
        for given in redirections.iter().filter_map(|child| redirect::fed(*child, self.text)) {
            let given = ShellWord::read(given, self.text);
            if fed {
                self.script.readable &= given.known;
                self.script.add(&given.text, depth + SHELL_DEPTH);
            }
            documents.push(given);
        }
        for document in redirections.into_iter().filter(|c| c.kind() == "heredoc_redirect") {
            let mut cursor = document.walk();
            let body = document.children(&mut cursor).find(|c| c.kind() == "heredoc_body");
            // `cat <<EOF | sh`: the grammar hangs the rest of the pipe on the document.
            if self.script.commands.len() > from + 1 {
                self.script
                    .pipelines
                    .push(vec![from..from + 1, from + 1..self.script.commands.len()]);
            }
            let text = self.text;
            let body = body.map(|body| &text[body.byte_range()]);
            documents.extend(body.map(ShellWord::plain));
            if let Some(body) = body.filter(|_| fed) {
                self.script.add(body, depth + SHELL_DEPTH);
            }
        }
        for document in documents {
            self.script.feed(from, &document);
        }
    }

    /// Hands the arguments that stand in redirections on to the command that they belong to, and says which that is.
    fn hand_on(&mut self, node: Node, depth: usize) -> Option<usize> {
        let mut cursor = node.walk();
        let arguments: Vec<ShellWord> = node
            .children(&mut cursor)
            .flat_map(redirect::arguments)
            .map(|word| ShellWord::read(word, self.text))
            .collect();
        let receiver = redirect::receiver(node).map(|command| command.id());
        match receiver {
            _ if arguments.is_empty() => return None,
            // A redirection of a redirection stands behind it.
            Some(id) => {
                self.further.entry(id).or_default().0.splice(0..0, arguments);
            }
            // Behind what is no command a shell takes no words.
            None => {
                self.script.readable = false;
                self.script.carry(&arguments, depth);
            }
        }
        receiver
    }

    fn redirect(&mut self, node: Node) {
        self.script.words += 1;
        let mut cursor = node.walk();
        let children: Vec<Node> = node.children(&mut cursor).collect();
        let mark = children.iter().find(|c| !c.is_named());
        let operator = mark.map_or("", |mark| mark.kind());
        let word = redirect::file(node).map(|target| ShellWord::read(target, self.text));
        let aside = |word: &ShellWord| QUIET.contains(&word.text.as_str());
        match (operator, word) {
            (">&" | "<&", Some(word)) if word.text.chars().all(|c| c.is_ascii_digit() || c == '-') => {}
            ("<" | "<&", Some(word)) => {
                let is_file = redirect::fed(node, self.text).is_none();
                self.script.plain &= aside(&word) && is_file;
                if is_file && !aside(&word) {
                    self.script.reads.extend(word.expanded());
                }
            }
            (_, Some(word)) if aside(&word) => {}
            (_, Some(word)) => {
                self.script.plain = false;
                // The parser is shown `<>` as what only writes.
                if mark.is_some_and(|mark| &self.text[mark.byte_range()] == "<>") {
                    self.script.reads.extend(word.expanded());
                }
                self.script.writes.extend(word.expanded());
            }
            (_, None) => self.script.plain = false,
        }
    }

    fn assigned(&mut self, node: Node, depth: usize) {
        let part = |name| {
            node.child_by_field_name(name)
                .map(|part| ShellWord::read(part, self.text))
        };
        let (Some(name), value) = (part("name"), part("value")) else {
            return;
        };
        let value = value.unwrap_or_else(|| ShellWord::plain(""));
        let word = ShellWord {
            text: format!("{}={}", name.text, value.text),
            ..value
        };
        let line = variable::line(&word);
        self.script.assigned.push(word);
        if let Some((text, known)) = line.filter(|(text, _)| !text.is_empty()) {
            self.script.readable &= known;
            self.script.start(&text, depth);
        }
    }

    fn function(&mut self, node: Node, depth: usize) {
        let from = self.script.commands.len();
        self.script.plain = false;
        // Nor does a shell take words behind a function.
        let mut cursor = node.walk();
        let redirects = node.children_by_field_name("redirect", &mut cursor);
        let bare = redirects.map(redirect::arguments).all(|words| words.is_empty());
        self.script.readable &= bare;
        self.children(node, depth, None);
        let name = node
            .child_by_field_name("name")
            .map(|name| ShellWord::read(name, self.text).text);
        let itself = |c: &&Simple| c.words.first().map(|word| &word.text) == name.as_ref();
        self.script.bomb |= self.script.commands[from..].iter().filter(itself).count() > 1;
    }
}

/// Whether the output of a command is put into the input of `statement`: `bash < <(make)`.
fn fed_by_output(statement: Node) -> bool {
    let mut cursor = statement.walk();
    let files = statement
        .children(&mut cursor)
        .filter(|child| child.kind() == "file_redirect");
    let mut files = files.filter_map(redirect::file);
    files.any(|file| file.kind() == "process_substitution")
}

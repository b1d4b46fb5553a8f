//! A word of a command as the program will get it, as far as that can be known without running anything.

use tree_sitter::Node;

use super::braces;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellWord {
    /// Without quotes and escapes; variables stand as `$NAME`.
    pub text: String,
    /// The text is what the program gets, but for file names in place of `*`.
    pub known: bool,
    /// The shell may put several file names in its place.
    pub globs: bool,
    /// Braces in it stand for several words, and nothing else in it is unknown.
    pub braces: bool,
}

impl AsRef<str> for ShellWord {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl ShellWord {
    pub fn plain(text: impl Into<String>) -> ShellWord {
        ShellWord {
            text: text.into(),
            known: true,
            globs: false,
            braces: false,
        }
    }

    /// The word that `node` of the command line `source` stands for.
    pub fn read(node: Node, source: &str) -> ShellWord {
        let mut word = ShellWord::plain("");
        word.add(node, source, 0);
        let raw = &source[node.byte_range()];
        // Braces make several words of one.
        let braces = raw.contains('{') && (raw.contains(',') || raw.contains(".."));
        word.braces = braces && raw == word.text && raw.chars().all(is_safe);
        word.known &= !braces;
        word
    }

    /// The words that it stands for, where braces make several of one.
    pub fn expanded(&self) -> Vec<ShellWord> {
        let texts = self.braces.then(|| braces::expand(&self.text)).flatten();
        let word = |text| ShellWord {
            text,
            known: true,
            globs: self.globs,
            braces: false,
        };
        texts.map_or_else(|| vec![self.clone()], |texts| texts.into_iter().map(word).collect())
    }

    fn add(&mut self, node: Node, source: &str, depth: usize) {
        let raw = &source[node.byte_range()];
        match node.kind() {
            "command_name" | "concatenation" | "translated_string" if depth < 8 => {
                // `$"push"` is looked up in a list of translations.
                self.known &= node.kind() != "translated_string";
                let mut cursor = node.walk();
                for child in node.children(&mut cursor).filter(|child| child.kind() != "$") {
                    self.add(child, source, depth + 1);
                }
            }
            "word" | "number" | "variable_name" => self.bare(raw),
            "raw_string" => self.text.push_str(raw.trim_matches('\'')),
            "string" => self.quoted(raw),
            "ansi_c_string" => {
                self.known = false;
                self.text
                    .push_str(&ansi(raw.trim_start_matches('$').trim_matches('\'')));
            }
            "simple_expansion" | "expansion" => {
                self.known = false;
                self.text.push_str(&raw.replace("${", "$").replace('}', ""));
            }
            _ => {
                self.known &= raw.chars().all(is_safe);
                self.text.push_str(raw);
            }
        }
    }

    fn bare(&mut self, raw: &str) {
        let mut chars = raw.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('\n') | None => {}
                    Some(next) => {
                        self.known &= next == ' ' || is_safe(next);
                        self.text.push(next);
                    }
                },
                _ => {
                    self.globs |= matches!(c, '*' | '?' | '[');
                    self.known &= is_safe(c);
                    self.text.push(c);
                }
            }
        }
    }

    fn quoted(&mut self, raw: &str) {
        let inner = raw.strip_prefix('"').unwrap_or(raw);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let mut chars = inner.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('\\', Some('\n')) => {
                    chars.next();
                }
                ('\\', Some(next @ ('"' | '\\' | '$' | '`'))) => {
                    self.text.push(*next);
                    chars.next();
                }
                ('$', Some('{')) => {
                    self.known = false;
                    self.text.push('$');
                    chars.next();
                    self.text.extend(chars.by_ref().take_while(|c| *c != '}'));
                }
                _ => {
                    self.known &= !matches!(c, '$' | '`');
                    self.text.push(c);
                }
            }
        }
    }
}

/// Outside of quotes these mean themselves, or a glob, in every shell. What is not here may be an operator somewhere.
fn is_safe(c: char) -> bool {
    c.is_alphanumeric() || "_-./:=,+@%^~*?[]{}!#".contains(c)
}

/// `$'\x72m'` is `rm`: decoded so far that a rule can see it.
fn ansi(raw: &str) -> String {
    let mut out = String::new();
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (radix, skip, longest) = match rest.chars().next() {
            Some('x') => (16, 1, 2),
            Some('u') => (16, 1, 4),
            Some('U') => (16, 1, 8),
            Some('0'..='7') => (8, 0, 3),
            Some(c) => {
                out.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    c => c,
                });
                rest = &rest[c.len_utf8()..];
                continue;
            }
            None => break,
        };
        let digits: String = rest[skip..]
            .chars()
            .take(longest)
            .take_while(|c| c.is_digit(radix))
            .collect();
        out.extend(u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32));
        rest = &rest[skip + digits.len()..];
    }
    out.push_str(rest);
    out
}

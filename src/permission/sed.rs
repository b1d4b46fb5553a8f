//! Whether `sed` only reads: its scripts can write files and run programs.
//!
//! Few commands of it are known here, and one that is not is taken for one that writes.

use super::word::ShellWord;

/// Whether nothing in these arguments writes or runs anything, as far as that can be seen.
pub(super) fn reads(arguments: &[ShellWord]) -> bool {
    let mut scripts: Vec<Option<&ShellWord>> = Vec::new();
    let mut attached = Vec::new();
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        let flags = text.strip_prefix('-').filter(|flags| !flags.is_empty());
        match (text.split_once('='), flags) {
            (_, None) => operands.push(word),
            (Some((option, script)), _) if option.starts_with("--e") => attached.push((script, word.known)),
            (None, _) if text.starts_with("--e") => scripts.push(words.next()),
            (_, Some(flags)) if flags.starts_with("-f") => return false,
            (None, Some(flags)) if flags.starts_with("-l") => drop(words.next()),
            (_, Some(flags)) if flags.starts_with('-') => {}
            (_, Some(flags)) => match flags.find(['e', 'f', 'l']).map(|at| flags.split_at(at)) {
                Some((_, "e")) => scripts.push(words.next()),
                Some((_, script)) if script.starts_with('e') => attached.push((&script[1..], word.known)),
                Some((_, "l")) => drop(words.next()),
                Some((_, value)) if value.starts_with('l') => {}
                Some(_) => return false,
                None => {}
            },
        }
    }
    if scripts.is_empty() && attached.is_empty() {
        scripts.push(operands.first().copied());
    }
    let apart = scripts.iter().flatten().map(|word| (word.text.as_str(), word.known));
    apart.chain(attached).all(|(script, known)| known && only_reads(script))
}

fn only_reads(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ";{}".contains(c));
        rest = match address(rest) {
            Some(rest) => rest.trim_start_matches([' ', '!']),
            None => return false,
        };
        let Some(command) = rest.chars().next() else {
            return true;
        };
        rest = &rest[command.len_utf8()..];
        rest = match command {
            '{' => continue,
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'h' | 'H' | 'g' | 'G' | 'x' | '=' | 'z' | 'F' | '}' => rest,
            'l' | 'q' | 'Q' => rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()),
            's' => match replaced(rest) {
                Some(rest) => flags(rest),
                None => return false,
            },
            'y' => match exchanged(rest) {
                Some(rest) => rest,
                None => return false,
            },
            // What they take goes on to the end of the line, and of some to that of the next.
            'a' | 'i' | 'c' | 'r' | 'R' | '#' => match rest.contains('\n') {
                true => return false,
                false => return true,
            },
            ':' | 'b' | 't' | 'T' => rest.trim_start_matches(|c: char| c == ' ' || c.is_alphanumeric() || c == '_'),
            _ => return false,
        };
        if !rest.trim_start_matches(' ').starts_with([';', '\n', '}', '{']) && !rest.trim().is_empty() {
            return false;
        }
    }
}

/// What stands behind the lines that a command is for: `3`, `1,5`, `$`, `/x/,/y/`, `\|x|`.
fn address(mut rest: &str) -> Option<&str> {
    loop {
        rest = rest.trim_start_matches(|c: char| " ,~+$IM".contains(c) || c.is_ascii_digit());
        rest = match rest.strip_prefix('\\') {
            Some(marked) => {
                let mark = mark(marked).filter(|mark| !mark.is_alphanumeric())?;
                beyond_pattern(&marked[mark.len_utf8()..], mark)?
            }
            None => match rest.strip_prefix('/') {
                Some(pattern) => beyond_pattern(pattern, '/')?,
                None => return Some(rest),
            },
        };
    }
}

/// What stands behind the characters that are put in place of others.
fn exchanged(rest: &str) -> Option<&str> {
    let mark = mark(rest)?;
    until(until(&rest[mark.len_utf8()..], mark)?, mark)
}

/// What stands behind the pattern and what is put in its place.
fn replaced(rest: &str) -> Option<&str> {
    let mark = mark(rest)?;
    // To a `sed` that knows no brackets in a pattern, it may end before.
    let writes = |rest: &str| flags(rest).starts_with(['w', 'e']);
    let sure = exchanged(rest).is_none_or(|early| !writes(early));
    until(beyond_pattern(&rest[mark.len_utf8()..], mark)?, mark).filter(|_| sure)
}

/// What stands behind what is said of a replacement.
fn flags(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| "gpiIm".contains(c) || c.is_ascii_digit())
}

/// The character that stands between the parts of what follows.
fn mark(rest: &str) -> Option<char> {
    let first = rest.chars().next();
    first.filter(|mark| !mark.is_whitespace() && !['\\', '[', ']'].contains(mark))
}

/// What stands behind a pattern that ends with `mark`: in brackets it is like any other character.
fn beyond_pattern(text: &str, mark: char) -> Option<&str> {
    let mut rest = text;
    loop {
        let at = rest.find(['\\', '[', mark])?;
        let found = rest[at..].chars().next()?;
        let behind = &rest[at + found.len_utf8()..];
        rest = match found {
            '\\' => &behind[behind.chars().next()?.len_utf8()..],
            '[' => {
                let set = behind.strip_prefix('^').unwrap_or(behind);
                let set = set.strip_prefix(']').unwrap_or(set);
                set.split_once(']')?.1
            }
            _ => return Some(behind),
        };
    }
}

/// What stands behind the first `mark` that no `\` precedes.
fn until(text: &str, mark: char) -> Option<&str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            _ if c == mark => return Some(&text[at + c.len_utf8()..]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_writes_or_runs_is_told_from_one_that_only_reads() {
        let rows: [(&[&str], bool); 38] = [
            (&["-n", "1,5p", "a"], true),
            (&["-n", "$p;/x/,/y/p", "a"], true),
            (&["s/a/b/g; s|c/d|e|", "a"], true),
            (&["-ne", "s/a/b/p", "a"], true),
            (&["-e", "1d", "-e", "/w/d", "a"], true),
            (&["--expression=s/w /e/I", "a"], true),
            (&["-n", "/start/,/end/{/x/!p}", "a"], true),
            (&[":a;N;$!ba;s/\\n/ /g"], true),
            (&["3q", "a"], true),
            (&["2i first line", "a"], true),
            (&["-E", "s/(a|b)/\\1/", "a"], true),
            (&["s/[^/]*$//"], true),
            (&["s#[^#]*##; s|[]|]|x|g"], true),
            (&["-n", "/[/]/p"], true),
            (&["s§[^§]*§ä§"], true),
            (&["-n", "\\|x|p"], true),
            (&["-n", "\\,x\\,y,I,$p"], true),
            (&["-n", "w b", "a"], false),
            (&["\\|x|w b", "a"], false),
            (&["/[/]/w b", "a"], false),
            (&["s/[/]/x/w b", "a"], false),
            (&["s/\\[/]/w b", "a"], false),
            (&["s/[^]]/x/w b/]/", "a"], false),
            (&["y/[/]/;w b/", "a"], false),
            (&["-n", "1w b", "a"], false),
            (&[":a;w b"], false),
            (&["--line-length", "5", "w b", "a"], false),
            (&["s/a/b/w b", "a"], false),
            (&["s/a/b/ge", "a"], false),
            (&["1e touch b", "a"], false),
            (&["-n", "-e", "p", "-e", "W b", "a"], false),
            (&["-nes/a/b/w b", "a"], false),
            (&["--exp=w b", "a"], false),
            (&["-f", "script", "a"], false),
            (&["--file=script", "a"], false),
            (&["a\\\ns/\nw b\n/x/", "a"], false),
            (&["s/a[/]b/w c/", "a"], false),
            (&["{w b\n}", "a"], false),
        ];
        for (arguments, expected) in rows {
            let words: Vec<ShellWord> = arguments.iter().map(|text| ShellWord::plain(*text)).collect();
            assert_eq!(reads(&words), expected, "{arguments:?}");
        }
    }
}

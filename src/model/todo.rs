//! `todos.md`: a Markdown checklist, read and changed without touching the rest of the file.
//!
//! An item is a line such as `- [ ] words`, outside of code blocks. What is indented below it goes with it where it is
//! moved. Everything else in the file is kept to the byte, and so are line ends.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Problem;
use super::text::one_line;

/// Items that are read of a file; no person has more before them.
const MOST: usize = 2_000;
/// Characters of an item that are shown and written.
const LONGEST: usize = 500;
/// Open items that a refusal names.
const NAMED: usize = 5;

/// What a checklist holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todos {
    pub items: Vec<Todo>,
    /// Why the file, or some of it, is not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    pub text: String,
    pub done: bool,
    /// Below how many others it is indented.
    #[serde(default)]
    pub depth: usize,
}

/// Which item is meant: by its number from 1, and by its words where whoever asks has read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TodoAt {
    pub number: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// One change of a checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum TodoChange {
    Add {
        text: String,
    },
    Check {
        at: TodoAt,
    },
    Uncheck {
        at: TodoAt,
    },
    Edit {
        at: TodoAt,
        to: String,
    },
    Remove {
        at: TodoAt,
    },
    /// Puts one that was removed back, with this number.
    PutBack {
        number: usize,
        item: Todo,
    },
    /// It has this number then, with what is indented below it.
    Move {
        at: TodoAt,
        to: usize,
    },
}

impl TodoAt {
    pub fn number(number: usize) -> TodoAt {
        TodoAt { number, text: None }
    }
}

impl Todos {
    pub fn open(&self) -> impl Iterator<Item = &Todo> {
        self.items.iter().filter(|item| !item.done)
    }

    pub fn done(&self) -> usize {
        self.items.iter().filter(|item| item.done).count()
    }

    /// The open items in words, the first few by name; `None` if all are done.
    pub fn open_in_words(&self) -> Option<String> {
        let open: Vec<&str> = self.open().map(|item| item.text.as_str()).collect();
        let count = match open.len() {
            0 => return None,
            1 => "1 todo is open".into(),
            many => format!("{many} todos are open"),
        };
        let named: Vec<&str> = open.iter().take(NAMED).copied().collect();
        let more = open.len() - named.len();
        let more = if more > 0 {
            format!("; and {more} more")
        } else {
            String::new()
        };
        Some(format!("{count}: {}{more}", named.join("; ")))
    }

    /// The list as it is put before an agent.
    pub fn as_prompt(&self) -> String {
        let line = |item: &Todo| {
            let mark = if item.done { 'x' } else { ' ' };
            format!("{}- [{mark}] {}\n", "  ".repeat(item.depth), item.text)
        };
        match self.items.is_empty() {
            true => "The todos of this chat (todos.md): none.\n".into(),
            false => format!(
                "The todos of this chat (todos.md):\n\n{}",
                self.items.iter().map(line).collect::<String>()
            ),
        }
    }

    pub fn parse(file: &[u8]) -> Todos {
        let found = find(&lines(file));
        let problem = (found.len() > MOST).then(|| format!("only the first {MOST} todos are read"));
        let depths = depths(&found);
        let items = found.into_iter().zip(depths).take(MOST).map(|(found, depth)| Todo {
            text: found.text,
            done: found.done,
            depth,
        });
        Todos {
            items: items.collect(),
            problem,
        }
    }
}

/// The file after these changes, in order. Each refers to the items as the one before left them.
pub fn change(file: &[u8], changes: &[TodoChange]) -> Result<Vec<u8>, Problem> {
    let mut file = file.to_vec();
    for change in changes {
        file = changed(&file, change)?;
    }
    Ok(file)
}

fn changed(file: &[u8], change: &TodoChange) -> Result<Vec<u8>, Problem> {
    let mut lines = lines(file);
    let items = find(&lines);
    match change {
        TodoChange::Add { text } => add(&mut lines, &items, (' ', &words(text)?)),
        TodoChange::Check { at } => mark(&mut lines, item(&items, at)?, b'x'),
        TodoChange::Uncheck { at } => mark(&mut lines, item(&items, at)?, b' '),
        TodoChange::Edit { at, to } => {
            let (item, to) = (item(&items, at)?, words(to)?);
            let line = &mut lines[item.line];
            line.splice(item.words.clone(), to.bytes());
        }
        TodoChange::Remove { at } => {
            let item = item(&items, at)?;
            lines.drain(item.line..item.own_end);
        }
        TodoChange::PutBack { number, item } => put_back(&mut lines, &items, *number, item)?,
        TodoChange::Move { at, to } => move_to(&mut lines, &items, item(&items, at)?, *to)?,
    }
    Ok(lines.concat())
}

/// An item where it stands in the file.
struct FoundTodo {
    line: usize,
    /// The line behind what of it is no item of its own.
    own_end: usize,
    /// The line behind all that is indented below it.
    block_end: usize,
    indent: usize,
    /// The byte between the brackets.
    mark: usize,
    /// Its words, without the line's end.
    words: Range<usize>,
    text: String,
    done: bool,
}

/// Each with its end.
fn lines(file: &[u8]) -> Vec<Vec<u8>> {
    file.split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}

fn find(lines: &[Vec<u8>]) -> Vec<FoundTodo> {
    let mut found: Vec<FoundTodo> = Vec::new();
    let mut fence: Option<u8> = None;
    for (at, line) in lines.iter().enumerate() {
        let rest = line.trim_ascii_start();
        let is_fence = [b'`', b'~'].into_iter().find(|mark| rest.starts_with(&[*mark; 3]));
        match (fence, is_fence) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => found.extend(todo(line, at)),
            (Some(_), _) => {}
        }
    }
    let firsts: Vec<usize> = found.iter().map(|item| item.line).collect();
    for item in &mut found {
        let is_below = |line: &&Vec<u8>| !line.trim_ascii().is_empty() && indent(line) > item.indent;
        let below = lines[item.line + 1..].iter().take_while(is_below).count();
        item.block_end = item.line + 1 + below;
        let next = firsts.iter().find(|line| **line > item.line);
        item.own_end = next.map_or(item.block_end, |next| item.block_end.min(*next));
    }
    found
}

/// Below how many others each is indented.
fn depths(found: &[FoundTodo]) -> Vec<usize> {
    let mut indents: Vec<usize> = Vec::new();
    let depth = |found: &FoundTodo| {
        indents.retain(|indent| *indent < found.indent);
        indents.push(found.indent);
        indents.len() - 1
    };
    found.iter().map(depth).collect()
}

/// A tab counts as four blanks, as editors show it.
fn indent(line: &[u8]) -> usize {
    let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blank.map(|byte| if *byte == b'\t' { 4 } else { 1 }).sum()
}

fn todo(line: &[u8], at: usize) -> Option<FoundTodo> {
    let begin = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let after_bullet = match line.get(begin)? {
        b'-' | b'*' | b'+' => begin + 1,
        b'0'..=b'9' => {
            let digits = line[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let end = line.get(begin + digits)?;
            matches!(end, b'.' | b')').then_some(begin + digits + 1)?
        }
        _ => return None,
    };
    let blanks = line[after_bullet..].iter().take_while(|byte| **byte == b' ').count();
    let bracket = after_bullet + blanks;
    if blanks == 0 || line.get(bracket) != Some(&b'[') || line.get(bracket + 2) != Some(&b']') {
        return None;
    }
    let done = match line.get(bracket + 1)? {
        b' ' => false,
        b'x' | b'X' => true,
        _ => return None,
    };
    let behind = &line[bracket + 3..];
    let gap = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if gap == 0 && !behind.trim_ascii().is_empty() {
        return None;
    }
    let from = bracket + 3 + gap;
    let to = from + line[from..].trim_ascii_end().len();
    Some(FoundTodo {
        line: at,
        own_end: at + 1,
        block_end: at + 1,
        indent: indent(line),
        mark: bracket + 1,
        words: from..to,
        text: one_line(&String::from_utf8_lossy(&line[from..to]), LONGEST),
        done,
    })
}

/// By its number; if that says something else now, by its words, where only one item has them.
fn item<'i>(items: &'i [FoundTodo], at: &TodoAt) -> Result<&'i FoundTodo, Problem> {
    let numbered = at.number.checked_sub(1).and_then(|number| items.get(number));
    let says = |item: &&FoundTodo| at.text.as_ref().is_none_or(|text| item.text == *text);
    if let Some(item) = numbered.filter(says) {
        return Ok(item);
    }
    let mut alike = items.iter().filter(|item| at.text.as_ref() == Some(&item.text));
    match (alike.next(), alike.next(), &at.text) {
        (Some(item), None, Some(_)) => Ok(item),
        (_, _, Some(_)) => {
            let hint = "look at the list as it is now, and try again";
            Err(Problem::missing("changing todos", "the list has changed since", hint))
        }
        (_, _, None) => {
            let cause = format!("there is no todo {}", at.number);
            let hint = match items.len() {
                0 => "the list has none yet; add one".into(),
                1 => "there is only number 1".into(),
                many => format!("they are numbered from 1 to {many}"),
            };
            Err(Problem::missing("changing todos", cause, hint))
        }
    }
}

fn words(text: &str) -> Result<String, Problem> {
    let text = one_line(text, LONGEST);
    match text.is_empty() {
        true => Err(Problem::new(
            "changing todos",
            "it says nothing",
            "say what is to be done",
        )),
        false => Ok(text),
    }
}

fn mark(lines: &mut [Vec<u8>], item: &FoundTodo, mark: u8) {
    let is_set = lines[item.line][item.mark] != b' ';
    // A capital letter stays one.
    if is_set != (mark != b' ') {
        lines[item.line][item.mark] = mark;
    }
}

/// Behind the last item, or at the end of a file that has none.
fn add(lines: &mut Vec<Vec<u8>>, items: &[FoundTodo], (mark, text): (char, &str)) {
    let end = match lines.first().is_some_and(|line| line.ends_with(b"\r\n")) {
        true => "\r\n",
        false => "\n",
    };
    let top = items.iter().map(|item| item.indent).min();
    let last = items.iter().rfind(|item| Some(item.indent) == top);
    let (at, bullet) = match last {
        Some(item) => {
            let begin = &lines[item.line][..item.mark - 1];
            let bullet = String::from_utf8_lossy(begin).into_owned();
            let is_numbered = bullet.trim_start().starts_with(|c: char| c.is_ascii_digit());
            let bullet = if is_numbered { "- ".into() } else { bullet };
            (item.block_end, bullet)
        }
        None => (lines.len(), "- ".into()),
    };
    close(lines, at, end);
    lines.insert(at, format!("{bullet}[{mark}] {text}{end}").into_bytes());
}

/// Before the item that has its number now, else behind the last; indented as the nearest of its depth.
fn put_back(lines: &mut Vec<Vec<u8>>, items: &[FoundTodo], number: usize, item: &Todo) -> Result<(), Problem> {
    let text = words(&item.text)?;
    let mark = if item.done { 'x' } else { ' ' };
    let before = number.saturating_sub(1).min(items.len());
    let at = match (items.get(before), items.last()) {
        (Some(next), _) => next.line,
        (None, Some(last)) => last.own_end,
        (None, None) => {
            add(lines, items, (mark, &text));
            return Ok(());
        }
    };
    // What was indented below it may stand further out by now.
    let alike = items.iter().zip(depths(items)).enumerate();
    let alike = alike.filter(|(_, (_, depth))| *depth == item.depth);
    let nearest = alike.min_by_key(|(at, (found, _))| (found.indent, at.abs_diff(before)));
    let nearest = nearest.map(|(_, (found, _))| found);
    let begin = match nearest {
        Some(found) => String::from_utf8_lossy(&lines[found.line][..found.mark - 1]).into_owned(),
        None => format!("{}- ", "  ".repeat(item.depth)),
    };
    close(lines, at, "\n");
    lines.insert(at, format!("{begin}[{mark}] {text}\n").into_bytes());
    Ok(())
}

/// The line before this place ends, so that another can follow it.
fn close(lines: &mut [Vec<u8>], at: usize, end: &str) {
    if let Some(before) = at.checked_sub(1).and_then(|at| lines.get_mut(at))
        && !before.ends_with(b"\n")
    {
        before.extend(end.bytes());
    }
}

fn move_to(lines: &mut Vec<Vec<u8>>, items: &[FoundTodo], item: &FoundTodo, to: usize) -> Result<(), Problem> {
    let cannot = |cause: String| {
        let hint = format!("say a number from 1 to {}", items.len());
        Problem::new("moving a todo", cause, hint)
    };
    let target = to.checked_sub(1).and_then(|to| items.get(to));
    let target = target.ok_or_else(|| cannot(format!("there is no todo {to}")))?;
    if target.line == item.line {
        return Ok(());
    }
    if (item.line..item.block_end).contains(&target.line) {
        return Err(cannot(format!("todo {to} belongs to it")));
    }
    let size = item.block_end - item.line;
    let at = match target.line < item.line {
        true => target.line,
        false => target.block_end - size,
    };
    let count = lines.len();
    // Only a last line that is the last no more needs an end.
    if item.block_end == count || at + size == count {
        close(lines, count, "\n");
    }
    let block: Vec<Vec<u8>> = lines.drain(item.line..item.block_end).collect();
    lines.splice(at..at, block);
    Ok(())
}

#[cfg(test)]
mod tests;

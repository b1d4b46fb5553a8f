//! Who has a terminal to itself.

use std::io::Read;

/// What a shell is doing, by its terminal's foreground process group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreground {
    /// The process itself: it waits at its prompt.
    Itself,
    /// A command of that name.
    Command(String),
}

/// Asks the kernel who is in the foreground of the terminal that the process `pid` leads. `None` where that can't be
/// known.
pub fn foreground(pid: u32) -> Option<Foreground> {
    let stat = line(&format!("/proc/{pid}/stat"))?;
    // The name in brackets may itself hold brackets and spaces: the fields begin behind the last one.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (group, front) = (fields.get(2)?, fields.get(5)?);
    if group == front {
        return Some(Foreground::Itself);
    }
    let name = line(&format!("/proc/{front}/comm"))?;
    Some(Foreground::Command(name.trim().to_string()))
}

/// A short file of the kernel's, in one piece: such files tell no length, by which a reader would know when it has all.
fn line(path: &str) -> Option<String> {
    let mut piece = [0; 1024];
    let count = std::fs::File::open(path).ok()?.read(&mut piece).ok()?;
    Some(String::from_utf8_lossy(&piece[..count]).into_owned())
}

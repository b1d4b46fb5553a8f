//! Who has a terminal to itself.

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
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may itself hold brackets and spaces: the fields begin behind the last one.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let (group, front) = (fields.get(2)?, fields.get(5)?);
    if group == front {
        return Some(Foreground::Itself);
    }
    let name = std::fs::read_to_string(format!("/proc/{front}/comm")).ok()?;
    Some(Foreground::Command(name.trim().to_string()))
}

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
    // Of a pipeline the first program may have ended: it gave the group its number, and another one has the terminal.
    let children = line(&format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let mut members = std::iter::once(*front).chain(children.split_whitespace());
    members.find_map(|member| command_of(member, front))
}

/// The name of a process, if it runs in this group.
fn command_of(pid: &str, group: &str) -> Option<Foreground> {
    let stat = line(&format!("/proc/{pid}/stat"))?;
    let (named, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let is_alive = !matches!(*fields.first()?, "Z" | "X");
    let name = named.split_once('(')?.1;
    (is_alive && *fields.get(2)? == group).then(|| Foreground::Command(name.trim().to_string()))
}

/// A short file of the kernel's, in one piece: such files tell no length, by which a reader would know when it has all.
fn line(path: &str) -> Option<String> {
    let mut piece = [0; 1024];
    let count = std::fs::File::open(path).ok()?.read(&mut piece).ok()?;
    Some(String::from_utf8_lossy(&piece[..count]).into_owned())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_group_whose_first_program_has_ended_is_called_after_one_that_runs() {
        use std::os::unix::process::CommandExt;
        let first = Command::new("true").process_group(0).spawn().unwrap();
        let group = first.id().to_string();
        let mut second = Command::new("sleep");
        second.arg("60").stdout(Stdio::null());
        let mut second = second.process_group(first.id().cast_signed()).spawn().unwrap();
        // It is a zombie until it is waited for.
        let ended = || line(&format!("/proc/{group}/stat")).is_some_and(|stat| stat.contains(") Z"));
        while !ended() {
            std::thread::yield_now();
        }
        assert_eq!(command_of(&group, &group), None);
        let named = || command_of(&second.id().to_string(), &group);
        while named() != Some(Foreground::Command("sleep".into())) {
            std::thread::yield_now();
        }
        second.kill().unwrap();
        second.wait().unwrap();
        let mut first = first;
        first.wait().unwrap();
    }
}

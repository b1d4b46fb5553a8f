//! Who has a terminal to itself.

use std::io::Read;
use std::path::PathBuf;

/// Programs that run others' texts, without the numbers of their versions.
const INTERPRETERS: [&str; 11] = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "python", "node", "ruby", "perl", "php",
];

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
    let (group, front) = groups(pid)?;
    if group == front {
        return Some(Foreground::Itself);
    }
    members(pid, &front)
        .iter()
        .find_map(|member| command_of(member, &front))
}

/// In which directory that one is at this moment. A shell tells its own only with its prompt, and others never.
pub fn front_cwd(pid: u32) -> Option<PathBuf> {
    let (group, front) = groups(pid)?;
    let cwd = |pid: &str| std::fs::read_link(format!("/proc/{pid}/cwd")).ok();
    let of_command = || {
        let members = members(pid, &front).into_iter();
        let mut running = members.filter(|member| command_of(member, &front).is_some());
        running.find_map(|member| cwd(&member))
    };
    let of_command = (group != front).then(of_command).flatten();
    // What belongs to another user does not say where it is; most are where they were started.
    of_command.or_else(|| cwd(&pid.to_string()))
}

/// The group of a process, and the one that is in the foreground of its terminal.
fn groups(pid: u32) -> Option<(String, String)> {
    let stat = line(&format!("/proc/{pid}/stat"))?;
    // The name in brackets may itself hold brackets and spaces: the fields begin behind the last one.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields.get(2)?.to_string(), fields.get(5)?.to_string()))
}

/// Who may be in the group `front` of what the process `pid` started. Of a pipeline the first program may have ended: it gave
/// the group its number, and another one has the terminal.
fn members(pid: u32, front: &str) -> Vec<String> {
    let children = line(&format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let members = std::iter::once(front).chain(children.split_whitespace());
    members.map(str::to_owned).collect()
}

/// The name of a process, if it runs in this group.
fn command_of(pid: &str, group: &str) -> Option<Foreground> {
    let stat = line(&format!("/proc/{pid}/stat"))?;
    let (named, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let is_alive = !matches!(*fields.first()?, "Z" | "X");
    let name = named.split_once('(')?.1.trim();
    let is_it = is_alive && *fields.get(2)? == group;
    is_it.then(|| Foreground::Command(script_of(pid, name).unwrap_or_else(|| name.to_string())))
}

/// What an interpreter runs: that says more than its own name.
fn script_of(pid: &str, name: &str) -> Option<String> {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !INTERPRETERS.contains(&name) {
        return None;
    }
    let words = line(&format!("/proc/{pid}/cmdline"))?;
    script_in(words.split('\0').skip(1).filter(|word| !word.is_empty()))
}

/// The script among the arguments of an interpreter.
fn script_in<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<String> {
    loop {
        match words.next()? {
            // A program in its very words, or on its input.
            "-c" | "-e" | "-" => return None,
            "-m" => return words.next().map(String::from),
            // What bash reads before its prompt, as in the shell that parlour starts and in what it forks.
            "--rcfile" | "--init-file" => drop(words.next()),
            option if option.starts_with('-') => {}
            script => return script.rsplit('/').next().map(String::from),
        }
    }
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
    fn a_script_is_called_by_its_own_name() {
        use std::os::unix::process::CommandExt;
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("longtest.sh");
        std::fs::write(&script, "read line\n").unwrap();
        let named = |arguments: &[&str]| {
            let mut shell = Command::new("sh");
            // It waits for what never comes, and starts nobody.
            shell.args(arguments).stdin(Stdio::piped()).process_group(0);
            let mut shell = shell.spawn().unwrap();
            let pid = shell.id().to_string();
            // Just after its start the kernel may not tell its arguments yet.
            while line(&format!("/proc/{pid}/cmdline")).is_none_or(|words| words.is_empty()) {
                std::thread::yield_now();
            }
            let named = command_of(&pid, &pid);
            shell.kill().unwrap();
            shell.wait().unwrap();
            named
        };
        let called = |name: &str| Some(Foreground::Command(name.into()));
        assert_eq!(named(&["-u", script.to_str().unwrap(), "fast"]), called("longtest.sh"));
        assert_eq!(named(&["-c", "read line"]), called("sh"));
        let bash = ["bash", "--rcfile", "/home/u/bashrc"].map(String::from);
        assert_eq!(script_in(bash.iter().skip(1).map(String::as_str)), None);
    }

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

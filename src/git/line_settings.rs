//! What a person and a clone say of ends of lines: `core.autocrlf` and `core.eol`.
//!
//! The person's own files are read as git reads them. The clone's is an agent's, so its lines alone are read: no other
//! file that it includes.

use crate::fs::{Dir, Error};

const MAX: u64 = 1 << 20;

/// What happens to files whose attributes say nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum AutoCrlf {
    #[default]
    Off,
    /// They are stored with line feeds alone.
    Input,
    /// The same, and they are checked out with carriage returns.
    Both,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LineSettings {
    pub auto: AutoCrlf,
    /// Text is checked out with carriage returns, unless its attributes say otherwise.
    pub has_returns: bool,
}

impl LineSettings {
    /// Those in force in the clone whose git directory is `git`.
    pub fn read(git: &Dir) -> Result<LineSettings, Error> {
        let text = git.read("config", MAX)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let person = git2::Config::open_default().ok();
        let of = |name: &str| {
            let own = core_setting(&text, name).map(str::to_owned);
            own.or_else(|| person.as_ref()?.get_string(&format!("core.{name}")).ok())
        };
        let auto = match of("autocrlf").as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("true" | "yes" | "on" | "1") => AutoCrlf::Both,
            Some("input") => AutoCrlf::Input,
            Some(_) | None => AutoCrlf::Off,
        };
        let is_crlf = of("eol").is_some_and(|eol| eol.eq_ignore_ascii_case("crlf"));
        Ok(LineSettings {
            auto,
            has_returns: match auto {
                AutoCrlf::Both => true,
                AutoCrlf::Input => false,
                AutoCrlf::Off => is_crlf,
            },
        })
    }

    /// As lines of a configuration of parlour's own.
    pub fn to_config(self) -> String {
        let auto = match self.auto {
            AutoCrlf::Off => "false",
            AutoCrlf::Input => "input",
            AutoCrlf::Both => "true",
        };
        let eol = if self.has_returns { "crlf" } else { "lf" };
        format!("[core]\n\tautocrlf = {auto}\n\teol = {eol}\n")
    }
}

/// The last value of a key in the section `core`.
fn core_setting<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (mut is_core, mut found) = (false, None);
    for line in text.lines() {
        let mut line = line.trim();
        if let Some((section, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            is_core = section.trim().eq_ignore_ascii_case("core");
            line = rest.trim();
        }
        let (key, value) = line.split_once('=').unwrap_or((line, "true"));
        if is_core && key.trim().eq_ignore_ascii_case(name) {
            let value = value.split(['#', ';']).next().unwrap_or_default();
            found = Some(value.trim().trim_matches('"'));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_its_section_counts() {
        let text = "[core]\n\tautocrlf = input\n[other]\n\tautocrlf = no\n[CORE] AutoCRLF = \"true\" ; since then\n";
        assert_eq!(core_setting(text, "autocrlf"), Some("true"));
        assert_eq!(core_setting("[core \"x\"]\n\teol = crlf\n", "eol"), None);
        assert_eq!(core_setting("[core]\n\tautocrlf\n", "autocrlf"), Some("true"));
    }
}

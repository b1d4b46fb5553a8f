//! Skills: ways of working that a chat finds in its `skills/`, the shipped ones and a user's own beside them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::markdown;
use crate::fs::{Dir, SafeName};
use crate::model::text::one_line;

/// A page, not a book.
const LARGEST: u64 = 256 << 10;
const MOST: usize = 100;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../skills/", $name, ".md")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = shipped![
    "code-audit",
    "dependency-update",
    "hotfix",
    "parlour",
    "pr-review",
    "three-directions",
];

/// A skill as it is laid into a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    pub name: String,
    /// One line, by which an agent decides whether to read it.
    pub description: String,
    pub text: Vec<u8>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SkillHead {
    description: String,
}

/// All skills, by name. A user's own of the same name stands in the place of a shipped one.
pub fn skills(home: &Dir) -> Vec<Skill> {
    let shipped = SHIPPED
        .iter()
        .map(|(name, text)| (name.to_string(), text.as_bytes().to_vec()));
    let mut found: BTreeMap<String, Vec<u8>> = shipped.collect();
    if let Ok(own) = home.dir("skills") {
        for entry in own.entries(".").unwrap_or_default().into_iter().take(MOST) {
            let name = entry.name.to_str().and_then(|name| name.strip_suffix(".md"));
            let Some(name) = name.filter(|name| SafeName::parse(name).is_ok()) else {
                continue;
            };
            match own.read(&entry.name, LARGEST) {
                Ok(Some(text)) => drop(found.insert(name.into(), text)),
                Ok(None) => {}
                Err(error) => tracing::warn!("the skill {name} is left out: {error}"),
            }
        }
    }
    found.into_iter().map(|(name, text)| skill(name, text)).collect()
}

/// Where its head says nothing, its first heading or line does.
fn skill(name: String, text: Vec<u8>) -> Skill {
    let words = String::from_utf8_lossy(&text);
    let (head, body) = markdown::parse::<SkillHead>(&words).unwrap_or((SkillHead::default(), &*words));
    let first = body
        .lines()
        .map(|line| line.trim_start_matches('#').trim())
        .find(|line| !line.is_empty());
    let description = match head.description.trim() {
        "" => first.unwrap_or_default(),
        said => said,
    };
    let description = one_line(description, 160);
    Skill {
        name,
        description,
        text,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_shipped_skill_says_in_one_line_when_to_read_it() {
        let home = tempfile::tempdir().unwrap();
        let skills = skills(&Dir::open(home.path()).unwrap());
        assert_eq!(skills.len(), SHIPPED.len());
        for skill in skills {
            let length = skill.description.len();
            assert!((20..=120).contains(&length), "{}: {}", skill.name, skill.description);
        }
    }

    #[test]
    fn a_users_own_stand_beside_the_shipped_and_in_their_place() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("skills")).unwrap();
        fs::write(home.path().join("skills/hotfix.md"), "\n# Call me first\n").unwrap();
        fs::write(
            home.path().join("skills/release.md"),
            "---\ndescription: Cut a release\n---\n# x",
        )
        .unwrap();
        fs::write(home.path().join("skills/notes.txt"), "no skill").unwrap();
        let skills = skills(&Dir::open(home.path()).unwrap());
        let said = |name: &str| {
            skills
                .iter()
                .find(|skill| skill.name == name)
                .map(|skill| skill.description.as_str())
        };
        assert_eq!(said("hotfix"), Some("Call me first"));
        assert_eq!(said("release"), Some("Cut a release"));
        assert_eq!(skills.len(), SHIPPED.len() + 1);
    }
}

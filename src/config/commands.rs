//! Prompt templates: a project's own in `.parlour/commands` and `.claude/commands`, a person's in `commands` of the home
//! and in `~/.claude/commands`, and the shipped ones, in this order.
//!
//! The first of a name counts. A file in a folder has the folder in its name, as Claude Code writes it: `web:fix`. Only
//! what the list and the prompt need is read of a head. The rest of Claude Code's, such as which tools are allowed, gives
//! nothing to anybody.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::markdown;
use crate::fs::{Dir, DirEntryKind, SafeName};
use crate::model::Problem;
use crate::model::template::{PromptTemplate, TemplateFrom};
use crate::model::text::{one_line, visible};

/// A prompt, not a book.
const LARGEST: u64 = 64 << 10;
/// Of one place; and folders in folders.
const MOST: usize = 200;
const DEEPEST: usize = 3;

const DESCRIPTION: usize = 160;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("commands/", $name, ".md")))),*]
    };
}

const SHIPPED: &[(&str, &str)] = shipped!["commit", "explain", "fix-tests", "review"];

#[derive(Default, Deserialize)]
#[serde(default)]
struct TemplateHead {
    description: Option<String>,
    /// Claude Code's own example is no YAML text: `[file] [why]`.
    #[serde(rename = "argument-hint")]
    arguments: Option<Value>,
}

/// Every template for these projects, by name: of several of one name the one that counts.
pub fn commands(projects: &[&Path], home: Option<&Dir>, person: Option<&Path>) -> Vec<PromptTemplate> {
    let mut found: BTreeMap<String, PromptTemplate> = BTreeMap::new();
    for (name, file) in SHIPPED {
        let template = parse(name, Ok(file.as_bytes()), TemplateFrom::Shipped);
        found.insert(template.name.clone(), template);
    }
    for (dir, from) in places(projects, home, person).into_iter().rev() {
        let mut here = Vec::new();
        look(&dir, from, "", DEEPEST, &mut here);
        found.extend(here.into_iter().map(|template| (template.name.clone(), template)));
    }
    found.into_values().collect()
}

/// The template of that name; what it lacks is said with the names that there are.
pub fn command(name: &str, all: Vec<PromptTemplate>) -> Result<PromptTemplate, Problem> {
    let name = name.trim_start_matches('/');
    let doing = || format!("using the template {}", visible(name));
    let names: Vec<String> = all.iter().map(|template| template.name.clone()).collect();
    match all.into_iter().find(|template| template.name == name) {
        Some(template) => match template.damage {
            None => Ok(template),
            Some(why) => {
                let file = template.path.unwrap_or_default();
                let cause = format!("{}: {why}", visible(&file.to_string_lossy()));
                Err(Problem::new(
                    doing(),
                    cause,
                    "correct the file, or use another template",
                ))
            }
        },
        None => {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = similar::get_close_matches(name, &known, 3, 0.6);
            let hint = match near.is_empty() {
                true => format!("there are: {}", names.join(", ")),
                false => format!("did you mean {}?", near.join(" or ")),
            };
            Err(Problem::missing(doing(), "there is no template of that name", hint))
        }
    }
}

fn places(projects: &[&Path], home: Option<&Dir>, person: Option<&Path>) -> Vec<(Dir, TemplateFrom)> {
    let below = |root: &Path, folder: &str| Dir::open(root).and_then(|root| root.dir(folder)).ok();
    let mut places = Vec::new();
    let mut add = |dir: Option<Dir>, from| places.extend(dir.map(|dir| (dir, from)));
    for project in projects {
        add(below(project, ".parlour/commands"), TemplateFrom::Repository);
        add(below(project, ".claude/commands"), TemplateFrom::RepositoryClaude);
    }
    add(home.and_then(|home| home.dir("commands").ok()), TemplateFrom::User);
    // It is the person's own, and may lie elsewhere behind a link.
    let claude = person.and_then(|person| Dir::open(person.join(".claude/commands")).ok());
    add(claude, TemplateFrom::UserClaude);
    places
}

fn look(dir: &Dir, from: TemplateFrom, before: &str, deep: usize, found: &mut Vec<PromptTemplate>) {
    for entry in dir.entries(".").unwrap_or_default() {
        if found.len() >= MOST {
            return;
        }
        let Some(name) = entry.name.to_str().filter(|name| SafeName::parse(name).is_ok()) else {
            continue;
        };
        if entry.kind == DirEntryKind::Dir {
            if let (Ok(inner), true) = (dir.dir(name), deep > 1) {
                look(&inner, from, &format!("{before}{name}:"), deep - 1, found);
            }
            continue;
        }
        let Some(stem) = name.strip_suffix(".md") else {
            continue;
        };
        let read = match dir.read(name, LARGEST) {
            Ok(Some(file)) => Ok(file),
            Ok(None) => continue,
            Err(error) => Err(error.to_string()),
        };
        let read = read.as_ref().map(Vec::as_slice).map_err(Clone::clone);
        found.push(PromptTemplate {
            path: Some(dir.path().join(name)),
            ..parse(&format!("{before}{stem}"), read, from)
        });
    }
}

fn parse(name: &str, file: Result<&[u8], String>, from: TemplateFrom) -> PromptTemplate {
    let (file, damage) = match file {
        Ok(file) => (String::from_utf8_lossy(file), None),
        Err(why) => (String::new().into(), Some(why)),
    };
    let (head, text) = head(&file);
    let first = || {
        text.lines()
            .map(|line| line.trim_start_matches('#').trim())
            .find(|line| !line.is_empty())
    };
    let description = head.description.filter(|words| !words.trim().is_empty());
    let description = description.unwrap_or_else(|| first().unwrap_or_default().into());
    let empty = || text.trim().is_empty().then(|| "it has no text".to_string());
    PromptTemplate {
        name: name.into(),
        description: one_line(&description, DESCRIPTION),
        arguments: one_line(&head.arguments.map(written).unwrap_or_default(), DESCRIPTION),
        from,
        path: None,
        damage: damage.or_else(empty),
        text: text.trim().into(),
    }
}

/// A head that is no YAML is read line by line: a template is worth more than its head.
fn head(file: &str) -> (TemplateHead, &str) {
    if let Ok(read) = markdown::parse::<TemplateHead>(file) {
        return read;
    }
    let Some((head, text)) = markdown::split(file) else {
        return (TemplateHead::default(), file);
    };
    let value = |key: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        line.map(|value| value.trim().trim_matches(['"', '\'']).to_string())
    };
    let head = TemplateHead {
        description: value("description"),
        arguments: value("argument-hint").map(Value::String),
    };
    (head, text)
}

/// A list in a head is how one writes `[file]` by mistake.
fn written(arguments: Value) -> String {
    match arguments {
        Value::String(text) => text,
        Value::Array(all) => all
            .into_iter()
            .map(|one| format!("[{}]", written(one)))
            .collect::<Vec<_>>()
            .join(" "),
        Value::Null => String::new(),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    struct Place {
        root: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Place {
            let root = tempfile::tempdir().unwrap();
            for dir in [
                "home/commands",
                "mia/.claude/commands",
                "grove/.parlour/commands",
                "grove/.claude/commands/web",
            ] {
                fs::create_dir_all(root.path().join(dir)).unwrap();
            }
            Place { root }
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            fs::write(self.root.path().join(path), text).unwrap();
        }

        fn all(&self) -> Vec<PromptTemplate> {
            let at = |path| self.root.path().join(path);
            let home = Dir::open(at("home")).unwrap();
            commands(&[&at("grove")], Some(&home), Some(&at("mia")))
        }

        fn command(&self, name: &str) -> Result<PromptTemplate, Problem> {
            command(name, self.all())
        }
    }

    #[test]
    fn every_shipped_template_says_what_it_is() {
        let all = Place::new().all();
        let names: Vec<&str> = all.iter().map(|template| template.name.as_str()).collect();
        assert_eq!(names, ["commit", "explain", "fix-tests", "review"]);
        for template in all {
            assert!(!template.description.is_empty() && template.damage.is_none());
            assert_eq!(template.missing(&["it".into()]), None, "{}", template.name);
        }
    }

    #[test]
    fn of_one_name_the_projects_own_goes_first_then_the_persons_then_the_shipped() {
        let place = Place::new();
        let mut seen = Vec::new();
        for path in [
            "mia/.claude/commands/review.md",
            "home/commands/review.md",
            "grove/.claude/commands/review.md",
            "grove/.parlour/commands/review.md",
        ] {
            place.write(path, path);
            let template = place.command("review").unwrap();
            assert_eq!(template.text, path);
            seen.push(template.from);
        }
        use TemplateFrom::{Repository, RepositoryClaude, User, UserClaude};
        assert_eq!(seen, [UserClaude, User, RepositoryClaude, Repository]);
    }

    #[test]
    fn a_head_that_claude_code_takes_is_taken_though_it_is_no_yaml() {
        let place = Place::new();
        let file = "---\nallowed-tools: Bash(*)\nargument-hint: [file] [why]\ndescription: \"Fix it\"\n---\nFix $1";
        place.write("grove/.claude/commands/web/fix.md", file);
        let template = place.command("/web:fix").unwrap();
        let head = (template.description.as_str(), template.arguments.as_str());
        assert_eq!(head, ("Fix it", "[file] [why]"));
        assert_eq!(template.text, "Fix $1");
        place.write(
            "grove/.claude/commands/web/fix.md",
            "---\nargument-hint: [file]\n---\n# Fix\nit",
        );
        let template = place.command("web:fix").unwrap();
        assert_eq!(
            (template.description.as_str(), template.arguments.as_str()),
            ("Fix", "[file]")
        );
    }

    #[test]
    fn what_cannot_be_used_is_listed_with_its_reason_and_no_link_is_followed() {
        let place = Place::new();
        place.write("home/commands/huge.md", vec![b'x'; 65 << 10]);
        place.write("home/commands/empty.md", "---\ndescription: x\n---\n \n");
        place.write("home/commands/odd.md", b"Say \xff it");
        symlink(
            "/etc/passwd",
            place.root.path().join("grove/.parlour/commands/secret.md"),
        )
        .unwrap();
        let damage = |name: &str| {
            place
                .command(name)
                .map(|template| template.text)
                .map_err(|why| why.cause)
        };
        assert!(damage("huge").unwrap_err().contains("huge.md"));
        assert!(damage("empty").unwrap_err().ends_with("it has no text"));
        assert_eq!(damage("odd").unwrap(), "Say \u{fffd} it");
        let secret = place.all().into_iter().find(|template| template.name == "secret");
        assert!(secret.is_none_or(|template| template.damage.is_some()));
        let unknown = place.command("reveiw").unwrap_err();
        assert_eq!(unknown.hint, "did you mean review?");
    }
}

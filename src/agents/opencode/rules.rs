//! A person's rules as OpenCode's permissions: it has no hook that decides before a tool runs.
//!
//! Of its rules the last one that fits counts, so what is allowed comes first, then what is asked about, then what is
//! denied. Its `*` stands for anything, and its patterns see one command of a line at a time, with what it redirects. So
//! a pattern that asks may be far wider than the rule it is made of, one that denies a little, for nobody is asked then;
//! one that allows never is. What a denial is too narrow for is asked about.
//!
//! What changes files is never allowed there, whatever a rule allows: only parlour knows which directories are open
//! read-only by then. It is asked about, and parlour gives the answer.
//!
//! The CLI merges these with a person's own settings, where a key that stands in both keeps its place there. So no key is
//! spelled as anybody would: what is said here comes behind all that is said elsewhere, in this order.

use serde_json::{Map, Value};

use super::own_rules::{self, OwnRule};
use crate::model::settings::PermissionSettings;
use crate::permission::{RulePart, RuleSubject, rule_parts};

/// Without rules the CLI allows nearly everything.
const BASE: [(&str, &str, &str); 19] = [
    ("*", "*", "ask"),
    // By name too, over what an `opencode.json` says of them.
    ("bash", "*", "ask"),
    ("edit", "*", "ask"),
    ("webfetch", "*", "ask"),
    ("websearch", "*", "ask"),
    ("read", "*", "allow"),
    ("read", "*.env", "ask"),
    ("read", "*.env.*", "ask"),
    ("read", "*.env.example", "allow"),
    ("glob", "*", "allow"),
    ("grep", "*", "allow"),
    ("list", "*", "allow"),
    ("lsp", "*", "allow"),
    ("question", "*", "allow"),
    ("skill", "*", "allow"),
    ("task", "*", "allow"),
    ("todoread", "*", "allow"),
    ("todowrite", "*", "allow"),
    (OURS, "*", "allow"),
];

/// parlour's own tools.
const OURS: &str = "parlour_*";

/// Key, pattern: the parts of its permissions that a rule becomes.
type PermissionParts = Vec<(String, String)>;

/// The permissions, and the rules of which not all could be said in them.
pub(super) fn permissions(rules: &PermissionSettings, own: &[OwnRule]) -> (Value, Vec<String>) {
    let (mut all, mut lost) = (Permissions::default(), Vec::new());
    for (key, pattern, action) in BASE {
        all.put(key, pattern, action);
    }
    let only_reads = |key: &str| BASE.iter().any(|(name, _, action)| *name == key && *action == "allow");
    let [loose, firm] = own_rules::split(own, only_reads);
    for (key, pattern, action) in &loose {
        all.put(key, pattern, action);
    }
    for rule in rule_parts(&rules.allow) {
        match allowed(&rule.about) {
            Ok((key, patterns)) => patterns.iter().for_each(|pattern| all.put(key, pattern, "allow")),
            Err(why) => lost.push(format!(
                "{} opens OpenCode's dialog, which parlour answers: {why}",
                rule.text
            )),
        }
    }
    for (key, pattern, action) in &firm {
        all.put(key, pattern, action);
    }
    if !own.is_empty() {
        all.put(OURS, "*", "allow");
    }
    for RulePart { about, .. } in [&rules.ask, &rules.deny].into_iter().flat_map(|list| rule_parts(list)) {
        if let RuleSubject::Read(_) = about {
            // What it searches is a pattern; which files it would show is not known before.
            all.put("grep", "*", "ask");
        }
        for (key, pattern) in caught(&about, anyhow) {
            all.put(&key, &pattern, "ask");
        }
    }
    for RulePart { about, .. } in rule_parts(&rules.deny) {
        for (key, pattern) in caught(&about, plainly) {
            all.put(&key, &pattern, "deny");
        }
    }
    (all.written(), lost)
}

/// In the order in which they count.
#[derive(Default)]
struct Permissions(Map<String, Value>);

impl Permissions {
    /// Over all that was put before.
    fn put(&mut self, key: &str, pattern: &str, action: &str) {
        let mut patterns = match self.0.shift_remove(key) {
            Some(Value::Object(patterns)) => patterns,
            Some(_) | None => Map::new(),
        };
        patterns.shift_remove(pattern);
        patterns.insert(pattern.into(), action.into());
        self.0.insert(key.into(), patterns.into());
    }

    fn written(self) -> Value {
        let short = |value: Value| match value.as_object() {
            Some(patterns) if patterns.len() == 1 => patterns.get("*").cloned().unwrap_or(value),
            Some(_) | None => value,
        };
        self.0
            .into_iter()
            .map(|(key, value)| (spelled(&key), short(value)))
            .collect::<Map<_, _>>()
            .into()
    }
}

/// A key that fits the same and that nobody else writes.
fn spelled(key: &str) -> String {
    let at = match (key.find('*'), key.char_indices().next_back()) {
        (Some(star), _) => star,
        (None, Some((last, _))) => last,
        (None, None) => 0,
    };
    format!("{}*{}", &key[..at], &key[at..])
}

/// Nothing but what the rule allows.
fn allowed(about: &RuleSubject) -> Result<(&'static str, Vec<String>), &'static str> {
    match about {
        RuleSubject::Host(host) if !host.contains('*') => Ok((
            "webfetch",
            ["https://", "http://"].map(|scheme| format!("{scheme}{host}/*")).into(),
        )),
        RuleSubject::Tool(name) if name == "WebSearch" => Ok(("websearch", vec!["*".into()])),
        RuleSubject::Tool(name) if name == "WebFetch" => Ok(("webfetch", vec!["*".into()])),
        RuleSubject::Tool(name) if name == "Edit" || name == "Bash" => Err(CHANGES),
        RuleSubject::Exactly(_)
        | RuleSubject::Begins(_)
        | RuleSubject::Stars(_)
        | RuleSubject::Line(_)
        | RuleSubject::Edit(_) => Err(CHANGES),
        RuleSubject::Tool(_) => Err("names of servers and tools run into each other there"),
        RuleSubject::Host(_) => Err("its * would stand for paths too"),
        RuleSubject::Read(_) => Err("reading here is allowed anyway, and elsewhere always asked about"),
    }
}

const CHANGES: &str = "which directories are read-only is not known there";

/// What the rule is about, its commands as `spell` finds them.
fn caught(about: &RuleSubject, spell: fn(&[String]) -> Vec<String>) -> PermissionParts {
    let of = |key: &str, patterns: Vec<String>| -> PermissionParts {
        patterns.into_iter().map(|pattern| (key.to_string(), pattern)).collect()
    };
    match about {
        RuleSubject::Tool(name) => keys(name).into_iter().map(|key| (key, "*".into())).collect(),
        RuleSubject::Exactly(words) | RuleSubject::Begins(words) | RuleSubject::Stars(words) => {
            of("bash", spell(words))
        }
        RuleSubject::Line(line) => {
            let parts = line.split(['|', '&', ';', '<', '>', '`', '\n', '(', ')', '$']);
            let words = |part: &str| part.split_whitespace().map(String::from).collect::<Vec<_>>();
            let parts = parts.map(words).filter(|words| !words.is_empty());
            of("bash", parts.flat_map(|words| spell(&words)).collect())
        }
        RuleSubject::Edit(glob) => of("edit", files(glob)),
        RuleSubject::Read(glob) => {
            let inside = format!("*{}*", stem(glob));
            [of("read", files(glob)), of("bash", vec![inside])].concat()
        }
        RuleSubject::Host(host) => of("webfetch", vec![format!("*{}*", host.trim_start_matches("*."))]),
    }
}

fn keys(tool: &str) -> Vec<String> {
    let own: &[&str] = match tool {
        "Bash" => &["bash"],
        "Edit" => &["edit"],
        "Read" => &["read", "glob", "grep", "list", "lsp"],
        "WebFetch" => &["webfetch"],
        "WebSearch" => &["websearch"],
        _ => &[],
    };
    if !own.is_empty() {
        return own.iter().map(|key| key.to_string()).collect();
    }
    match tool.strip_prefix("mcp__") {
        Some(server) => vec![server.replace("__", "_")],
        None => vec![tool.to_string(), tool.to_lowercase()],
    }
}

fn is_plain(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_./:=,@+%*".contains(c))
}

/// The words one after the other, with options behind the first as in `git -C . reset`: nothing that only speaks of them.
fn plainly(words: &[String]) -> Vec<String> {
    let known = |word: &String| if is_plain(word) { word.clone() } else { "*".into() };
    let words: Vec<String> = words.iter().map(known).collect();
    let Some((first, rest)) = words.split_first() else {
        return Vec::new();
    };
    let rest = rest.join(" ");
    let gaps = if rest.is_empty() {
        &[""][..]
    } else {
        &[" ", "  ", "\t", " -* "]
    };
    let texts = gaps.iter().map(|gap| format!("{first}{gap}{rest}"));
    texts
        .flat_map(|text| wherever(text.trim_end_matches(" *"), " *"))
        .collect()
}

/// The words anywhere in a command, whatever stands among them. Of a short word nothing but a blank may stand in front,
/// or `i` would be in nearly everything.
fn anyhow(words: &[String]) -> Vec<String> {
    let known = |word: &String| word != "*" && is_plain(word);
    let is_long = |word: &String| word.len() >= 4;
    let mut text = match words.first().filter(|word| known(word)) {
        Some(first) => first.clone(),
        None => "*".into(),
    };
    for word in words.iter().skip(1).filter(|word| known(word)) {
        text.push_str(if is_long(word) { "*" } else { "* " });
        text.push_str(word);
    }
    let open = words.len() > 1 && words.last().is_some_and(|word| known(word) && is_long(word));
    wherever(&text, if open { "*" } else { " *" })
}

/// Behind `sudo`, behind a path, in quotes.
fn wherever(text: &str, end: &str) -> Vec<String> {
    ["", "* ", "*/", "*'", "*\""]
        .iter()
        .map(|before| format!("{before}{text}{end}"))
        .chain([format!("*{text}'"), format!("*{text}\"")])
        .collect()
}

/// The files of a glob however their paths are written.
fn files(glob: &str) -> Vec<String> {
    let stem = stem(glob);
    vec![stem.clone(), format!("*/{stem}")]
}

/// What is left of a glob without where it begins.
fn stem(glob: &str) -> String {
    let rest = glob.trim_start_matches("./").trim_start_matches(['~', '/']);
    let rest = rest.strip_prefix("**/").unwrap_or(rest);
    let ended = if rest.ends_with('/') {
        format!("{rest}*")
    } else {
        rest.to_string()
    };
    // Braces and brackets of a glob are letters there.
    let mut stem = ended.replace("**", "*");
    if let Some(at) = stem.find(['{', '[']) {
        stem.truncate(at);
        stem.push('*');
    }
    stem
}

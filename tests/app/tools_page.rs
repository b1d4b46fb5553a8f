//! `docs/tools.md` says what the schemas of the tools say.

use parlour::model::tool::{Equipped, Reads, ToolEntry, tools};
use serde_json::{Map, Value};

use crate::support::page::holds;

/// The end of what is written by hand.
const MARK: &str = "tools_page -->\n";

fn page() -> String {
    let with_tools: Vec<&str> = tools(Equipped::WithTools).map(|tool| tool.name).collect();
    let (local, shared): (Vec<_>, Vec<_>) = tools(Equipped::Bare).partition(|tool| !with_tools.contains(&tool.name));
    let own = "\n## For a CLI without tools of its own\n\nOnly a CLI with `\"lacksTools\": true` in \
               [`customLlms`](configuration.md#other-clis) has these.\n";
    let mut page = String::from("\n## For every agent\n");
    shared.into_iter().for_each(|tool| page.push_str(&section(tool)));
    page.push_str(own);
    local.into_iter().for_each(|tool| page.push_str(&section(tool)));
    page
}

fn section(tool: &ToolEntry) -> String {
    let reads = match tool.reads {
        Reads::Only => " *Reads only.*",
        Reads::No => "",
    };
    let table = |title: &str, schema: Map<String, Value>| {
        let mut rows = Vec::new();
        fields("", &Value::Object(schema), &mut rows);
        match rows.is_empty() {
            true => format!("\nIt {title} nothing.\n"),
            false => format!("\n| it {title} | as | |\n|---|---|---|\n{}", rows.concat()),
        }
    };
    format!(
        "\n### `{}`\n\n{}{reads}\n{}{}",
        tool.name,
        plain(tool.does),
        table("takes", (tool.arguments)()),
        table("answers", (tool.answer)()),
    )
}

/// A row for each field, those of objects within by their path.
fn fields(within: &str, schema: &Value, rows: &mut Vec<String>) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, of) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{within}{name}");
        let must = required.iter().any(|one| one == name).then_some("**must be given**. ");
        let said = of["description"].as_str().unwrap_or_default();
        let about = format!("{}{}", must.unwrap_or_default(), plain(said));
        rows.push(format!("| `{path}` | {} | {} |\n", kind(of), about.trim()));
        fields(&format!("{path}."), of, rows);
        fields(&format!("{path}[]."), &of["items"], rows);
    }
}

/// What a value may be, in words.
fn kind(of: &Value) -> String {
    let choices = of["enum"].as_array().cloned().unwrap_or_default();
    let named = ["oneOf", "anyOf"].iter().flat_map(|key| of[key].as_array()).flatten();
    let constants = named.clone().filter_map(|one| one.get("const")).cloned();
    let words: Vec<String> = choices
        .into_iter()
        .chain(constants)
        .filter_map(|word| Some(format!("`{}`", word.as_str()?)))
        .collect();
    if !words.is_empty() {
        return words.join(", ");
    }
    let of_type = match &of["type"] {
        Value::Array(types) => types.iter().find(|one| **one != "null").and_then(Value::as_str),
        one => one.as_str(),
    };
    match of_type {
        Some("string") => "text".into(),
        Some("integer" | "number") => "number".into(),
        Some("boolean") => "yes or no".into(),
        Some("array") => format!("list of {}", kind(&of["items"])),
        Some("object") => "object".into(),
        _ => match named.map(kind).find(|kind| kind != "anything") {
            Some(kind) => kind,
            None => "anything".into(),
        },
    }
}

/// Text that neither ends a cell nor begins a tag.
fn plain(said: &str) -> String {
    said.replace('\n', " ").replace('|', "\\|").replace('<', "\\<")
}

#[test]
fn the_page_of_tools_is_made_from_their_schemas() {
    holds("docs/tools.md", MARK, &page());
}

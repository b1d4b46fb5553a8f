//! The servers that the dialog of servers lists.

use parlour::model::ProjectServer;
use parlour::model::server_entry::{Offer, ServerEntry, Tools, Whence};

/// A server of each kind, as a chat on grove could have them.
pub fn servers() -> Vec<ServerEntry> {
    let listed = |name: &str, source, from: &str, on| ServerEntry {
        name: name.into(),
        source,
        from: from.into(),
        on,
        transport: "stdio".into(),
        place: format!("{name}-mcp"),
        because: None,
        tools: Tools::Unknown,
        offer: None,
    };
    let brought = ProjectServer {
        name: "lint".into(),
        project: "grove".into(),
        origin: "/src/grove".into(),
        file: "projects/grove/.mcp.json".into(),
        definition:
            r#"{"command":"npx","args":["-y","lint\u202emcp","--rules","src/a b"],"env":{"KEY":"${LINT_KEY}"}}"#.into(),
    };
    vec![
        ServerEntry {
            tools: Tools::Known(vec!["open_dir".into(), "list_projects".into()]),
            ..listed("parlour", Whence::Parlour, "parlour", true)
        },
        listed("db", Whence::Config, "config.json", true),
        ServerEntry {
            because: Some("left out of this chat".into()),
            ..listed("docs", Whence::Config, "config.json", false)
        },
        listed("mine", Whence::Own, ".mcp.json", true),
        ServerEntry {
            because: Some("not agreed to".into()),
            offer: Some(Offer::of(&brought)),
            ..listed("lint", Whence::Clone, "projects/grove/.mcp.json", false)
        },
    ]
}

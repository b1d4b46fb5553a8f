//! The demo agent in a team: one leads, the others each do an atom of the plan in clones of their own.

use serde_json::{Value, json};

use super::actor::{Actor, ActorStop};
use super::remarks;
use super::script;
use super::source::DemoWish;
use super::talk::DemoSaid;

/// The group of atoms that the team shares.
const MOLECULE: &str = "demo";
/// An atom for each, by its id, which names the function that is added.
const ATOMS: [(&str, &str); 3] = [
    ("sentences", "Count sentences"),
    ("paragraphs", "Count paragraphs"),
    ("letters", "Count letters"),
];

const LEAD: &str = "Lead a team of demo agents on ";
const TAKE: &str = "Take the atom ";
/// How parlour begins what another chat sent.
const MESSAGE: &str = "Message from ";

/// What a prompt makes of the demo agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DemoPart {
    Lead,
    Member {
        atom: String,
    },
    /// Somebody of the team reports.
    Hear,
    /// A person has these remarks on what it did.
    Answer(Vec<u64>),
    Alone,
}

impl DemoPart {
    pub fn of(prompt: &str) -> DemoPart {
        let atom = prompt
            .strip_prefix(TAKE)
            .and_then(|rest| rest.split_whitespace().next());
        match atom {
            Some(atom) => DemoPart::Member { atom: atom.into() },
            None if prompt.starts_with(LEAD) => DemoPart::Lead,
            None if prompt.starts_with(MESSAGE) => DemoPart::Hear,
            None => remarks::in_prompt(prompt).map_or(DemoPart::Alone, DemoPart::Answer),
        }
    }
}

/// Opens the repository, writes the plan down and starts a demo agent for each atom.
pub fn lead(actor: &mut Actor, wish: &DemoWish) -> Result<String, ActorStop> {
    let source = wish.source.as_deref();
    let source = source.ok_or_else(|| ActorStop::Failed("your prompt names no repository to work on".into()))?;
    actor.say("I make a plan, and give each part to a demo agent of its own.");
    script::open(actor, source, "team")?;
    let atoms: Vec<Value> = ATOMS
        .iter()
        .map(|(id, title)| json!({"id": id, "title": title}))
        .collect();
    let added = json!({"molecule": MOLECULE, "atoms": atoms});
    script::call(actor, "add_atoms", "the plan of three parts", added)?;
    for (id, title) in ATOMS {
        let asked = json!({
            "prompt": format!("{TAKE}{id} of the plan {MOLECULE}. Report when it is done."),
            "branch": format!("demo/{id}"), "llm": "demo", "name": title,
        });
        script::call(actor, "dispatch", title, asked)?;
    }
    let words = "Three demo agents are at work, each in a clone of its own. I am told when they are done.";
    actor.say(words);
    Ok(words.into())
}

/// Takes an atom, works on it as it would alone, and reports.
pub fn member(actor: &mut Actor, atom: &str) -> Result<String, ActorStop> {
    let known = json!({"molecule": MOLECULE, "id": atom});
    script::call(actor, "claim_atom", atom, known.clone())?;
    let clone = script::opened_before(actor).ok_or_else(|| ActorStop::Failed("no project is open here".into()))?;
    let wish = DemoWish {
        source: None,
        slug: atom.into(),
        slow: false,
        fail: false,
        ask: false,
    };
    let words = script::work(actor, &clone, &wish)?;
    let mut done = known;
    done["status"] = "done".into();
    script::call(actor, "update_atom", &format!("{atom} is done"), done)?;
    let declared = json!({"status": "done", "note": "committed"});
    script::call(actor, "set_status", "done", declared)?;
    script::call(actor, "report_to_parent", &words, json!({"message": words}))?;
    Ok(words)
}

/// Notes a report; with the last one it looks at everybody and sums up.
pub fn hear(actor: &mut Actor) -> Result<String, ActorStop> {
    let is_report = |said: &DemoSaid| matches!(said, DemoSaid::Prompt { text, .. } if text.starts_with(MESSAGE));
    let heard = actor.talk.load().iter().filter(|said| is_report(said)).count();
    let listed = script::call(actor, "list_children", "my team", json!({}))?;
    let children: Vec<String> = listed["children"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|child| child["handle"].as_str().map(String::from))
        .collect();
    if heard != children.len() {
        let words = format!("Noted: {heard} of {} have reported.", children.len());
        actor.say(&words);
        return Ok(words);
    }
    let mut words = String::from("All have reported:");
    for child in children {
        let status = script::call(actor, "get_status", &child, json!({"session_id": child}))?;
        words.push_str(&format!(
            "\n- {child}: {}",
            status["output"].as_str().unwrap_or_default()
        ));
    }
    words.push_str("\nEach did so on a branch of its own; nothing was merged or pushed.");
    actor.say(&words);
    Ok(words)
}

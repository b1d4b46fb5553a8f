//! Which chats the filters of a query mean.

use super::{HistoryAsk, HistoryQuery};
use crate::model::text::visible;
use crate::model::{ChatId, Problem};

const DOING: &str = "searching the transcripts";

/// Names of what there is that an error lists.
const LISTED: usize = 12;

/// A chat as filters name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChat {
    pub id: ChatId,
    pub handle: String,
    pub name: String,
    pub projects: Vec<String>,
}

impl HistoryQuery {
    /// Where all these chats may be searched, unless it is one of those `within`.
    pub fn resolve(self, known: &[KnownChat], within: Option<&[ChatId]>) -> Result<HistoryAsk, Problem> {
        let known: Vec<&KnownChat> = known
            .iter()
            .filter(|chat| within.is_none_or(|within| within.contains(&chat.id)))
            .collect();
        let mut chats: Option<Vec<ChatId>> = within.map(<[ChatId]>::to_vec);
        if !self.chats.is_empty() {
            let mut named = Vec::new();
            for name in &self.chats {
                named.extend(chats_named(&known, name)?);
            }
            chats = Some(named);
        }
        if !self.projects.is_empty() {
            let of = projects(&known, &self.projects)?;
            chats = Some(match chats {
                Some(chats) => chats.into_iter().filter(|chat| of.contains(chat)).collect(),
                None => of,
            });
        }
        Ok(HistoryAsk {
            sought: self.sought,
            chats,
            projects: self.projects,
            tools: self.tools,
            after: self.after,
            before: self.before,
            failed: self.failed,
            limit: 0,
            from: None,
        })
    }
}

/// By handle or id, or by words of the name.
fn chats_named(known: &[&KnownChat], name: &str) -> Result<Vec<ChatId>, Problem> {
    let exact = |chat: &&&KnownChat| chat.handle == name || chat.id.as_str() == name;
    if let Some(chat) = known.iter().find(exact) {
        return Ok(vec![chat.id.clone()]);
    }
    let lower = name.to_lowercase();
    let is_like = |chat: &&&KnownChat| chat.handle.starts_with(&lower) || chat.name.to_lowercase().contains(&lower);
    let found: Vec<ChatId> = known.iter().filter(is_like).map(|chat| chat.id.clone()).collect();
    match found.is_empty() {
        false => Ok(found),
        true => {
            let handles = known.iter().map(|chat| chat.handle.as_str());
            Err(missing("chat", name, handles))
        }
    }
}

fn projects(known: &[&KnownChat], names: &[String]) -> Result<Vec<ChatId>, Problem> {
    let all = || known.iter().flat_map(|chat| &chat.projects);
    for name in names {
        if !all().any(|project| project.eq_ignore_ascii_case(name)) {
            return Err(missing("project", name, all().map(String::as_str)));
        }
    }
    let has = |chat: &&&KnownChat| {
        let is_meant = |project: &String| names.iter().any(|name| name.eq_ignore_ascii_case(project));
        chat.projects.iter().any(is_meant)
    };
    Ok(known.iter().filter(has).map(|chat| chat.id.clone()).collect())
}

/// Nothing is called so; what there is, is listed.
fn missing<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> Problem {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    let rest = known.len().saturating_sub(LISTED);
    known.truncate(LISTED);
    let mut listed = known.join(", ");
    if rest > 0 {
        listed.push_str(&format!(" and {rest} more"));
    }
    let hint = match listed.is_empty() {
        true => format!("there is no {what} yet"),
        false => format!("there are {listed}"),
    };
    Problem::missing(
        DOING,
        format!("{what}:{} is nothing that is there", visible(name)),
        hint,
    )
}

/// No call in any transcript is of such a tool.
pub fn no_tool<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Problem {
    missing("tool", name, known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chat(id: &str, handle: &str, name: &str, projects: &[&str]) -> KnownChat {
        KnownChat {
            id: ChatId::parse(id).unwrap(),
            handle: handle.into(),
            name: name.into(),
            projects: projects.iter().map(|name| (*name).into()).collect(),
        }
    }

    fn resolved(chats: &[&str], projects: &[&str], within: Option<&[&str]>) -> Result<Option<String>, String> {
        let known = [
            chat("aaaaaaaaaa", "fix-auth", "Fix the login", &["grove"]),
            chat("bbbbbbbbbb", "fix-ui", "Colours of the login page", &["grove", "lake"]),
            chat("cccccccccc", "docs", "Write docs", &[]),
        ];
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let query = HistoryQuery {
            chats: owned(chats),
            projects: owned(projects),
            ..HistoryQuery::default()
        };
        let within: Option<Vec<ChatId>> =
            within.map(|within| within.iter().map(|id| ChatId::parse(id).unwrap()).collect());
        let ask = query
            .resolve(&known, within.as_deref())
            .map_err(|problem| problem.to_string())?;
        let letter = |chat: &ChatId| chat.as_str()[..1].to_string();
        Ok(ask.chats.map(|chats| chats.iter().map(letter).collect()))
    }

    #[test]
    fn chats_are_meant_by_handle_name_and_project() {
        assert_eq!(resolved(&[], &[], None), Ok(None));
        assert_eq!(resolved(&["docs"], &[], None), Ok(Some("c".into())));
        assert_eq!(resolved(&["fix"], &[], None), Ok(Some("ab".into())));
        assert_eq!(resolved(&["colours"], &[], None), Ok(Some("b".into())));
        assert_eq!(resolved(&[], &["Grove"], None), Ok(Some("ab".into())));
        assert_eq!(resolved(&["fix-auth"], &["lake"], None), Ok(Some(String::new())));
    }

    #[test]
    fn what_is_out_of_reach_is_not_there() {
        let within: Option<&[&str]> = Some(&["aaaaaaaaaa"]);
        assert_eq!(resolved(&[], &[], within), Ok(Some("a".into())));
        assert_eq!(resolved(&["fix"], &[], within), Ok(Some("a".into())));
        let refused = resolved(&["docs"], &[], within).unwrap_err();
        assert!(refused.contains("chat:docs") && refused.contains("fix-auth") && !refused.contains("fix-ui"));
        let refused = resolved(&[], &["sea"], None).unwrap_err();
        assert!(refused.contains("there are grove, lake"), "{refused}");
    }
}

//! `parlour search`: what was said and done, in all chats. It reads the index itself, and brings it up to date first.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::args::SearchArgs;
use super::output::{self, ColourUse, OutputForm, OutputLook, OutputTone, show};
use super::person_only;
use crate::config;
use crate::domain::call::called;
use crate::history::{CaughtUp, Error, History};
use crate::model::history::{HistoryAsk, HistoryHit, HistoryPage, HistoryQuery, KnownChat};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Problem, ResultExt, Timestamp};
use crate::store::Home;

const DOING: &str = "searching the transcripts";

/// How long making the index is not spoken of.
const QUIET: Duration = Duration::from_secs(1);

/// What finds nothing ends with 1, as grep does.
pub fn run(home: &Path, form: OutputForm, args: SearchArgs) -> anyhow::Result<ExitCode> {
    person_only::under_an_agent("searching all chats")?;
    let now = OutputLook::of_stdout().now;
    let home = Arc::new(Home::open(home).doing(DOING)?);
    let query = query(&args, now)?;
    if query.is_empty() {
        let hint = "give words, or a filter like tool:bash or failed:yes; `parlour search --help` says more";
        return Err(Problem::new(DOING, "there is nothing to look for", hint).into());
    }
    let chats = chats(&home)?;
    let mut ask = query.resolve(&chats.iter().map(known).collect::<Vec<_>>(), None)?;
    ask.limit = args.limit.into();
    let page = find(&History::new(home), &ask, now).map_err(|error| error.problem(DOING))?;
    let answer = answer(&page, &chats);
    show(form, &answer, |look| words(&page, &chats, look))?;
    Ok(match page.hits.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn query(args: &SearchArgs, now: Timestamp) -> Result<HistoryQuery, Problem> {
    let zone = config::zone();
    let mut query = HistoryQuery::parse(&line(&args.words), now, zone)?;
    let several = [("chat", &args.chat), ("project", &args.project), ("tool", &args.tool)];
    let several = several
        .iter()
        .flat_map(|(key, values)| values.iter().map(move |value| (*key, value)));
    let times = [("before", &args.before), ("after", &args.after)];
    let times = times.iter().filter_map(|(key, value)| Some((*key, value.as_ref()?)));
    for (key, value) in several.chain(times) {
        query.filter(key, value, now, zone)?;
    }
    query.failed |= args.failed;
    Ok(query)
}

/// A word with blanks was put in quotation marks, which the shell took away. One word alone is a whole query.
fn line(words: &[String]) -> String {
    let quoted =
        |word: &String| match words.len() > 1 && word.contains(char::is_whitespace) && !word.contains(['"', ':']) {
            true => format!("\"{word}\""),
            false => word.clone(),
        };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn chats(home: &Home) -> Result<Vec<Chat>, Problem> {
    let listed = home.list().doing(DOING)?;
    let whole = |chat: Result<Chat, _>| chat.unwrap_or_else(|damaged| home.stand_in(damaged));
    Ok(listed.into_iter().map(whole).collect())
}

fn known(chat: &Chat) -> KnownChat {
    KnownChat {
        id: chat.id().clone(),
        handle: chat.record.handle.to_string(),
        name: chat.record.name.clone(),
        projects: chat.projects.iter().map(|project| project.name.clone()).collect(),
    }
}

fn find(history: &History, ask: &HistoryAsk, now: Timestamp) -> Result<HistoryPage, Error> {
    for again in [true, false] {
        let caught_up = catch_up(history, now)?;
        let mut page = match history.find(ask, &|| false) {
            // It is made again the next time round.
            Err(Error::Damaged(_)) if again => continue,
            found => found?,
        };
        page.pending = match caught_up {
            CaughtUp::ByAnother => history.lag()?,
            CaughtUp::Done | CaughtUp::Cancelled => None,
        };
        return Ok(page);
    }
    Err(Error::Damaged("it was made again and is damaged again".into()))
}

/// A person who waits is told for what.
fn catch_up(history: &History, now: Timestamp) -> Result<CaughtUp, Error> {
    let began = Instant::now();
    let is_seen = std::io::stderr().is_terminal();
    let said = parking_lot::Mutex::new((QUIET, 0));
    let is_cancelled = || {
        let (quiet, last) = &mut *said.lock();
        if is_seen && began.elapsed() > *quiet {
            *quiet += QUIET;
            let progress = history.progress().unwrap_or_default();
            if progress.percent() > *last {
                output::tell(&format!("the search index is being made: {progress}"));
                *last = progress.percent();
            }
        }
        false
    };
    history.catch_up(None, now, &is_cancelled)
}

fn answer(page: &HistoryPage, chats: &[Chat]) -> Value {
    let hit = |hit: &HistoryHit| {
        let chat = chats.iter().find(|chat| *chat.id() == hit.chat);
        let text = &hit.excerpt.text;
        // In characters: what a script counts.
        let count = |to: &usize| text.get(..*to).map_or(0, |before| before.chars().count());
        let marks: Vec<[usize; 2]> = hit
            .excerpt
            .marks
            .iter()
            .map(|(from, to)| [count(from), count(to)])
            .collect();
        json!({
            "chat": hit.chat, "handle": handle(chats, &hit.chat), "name": chat.map(|chat| &chat.record.name),
            "seq": hit.seq, "at": hit.at, "kind": hit.kind, "tool": hit.tool, "project": hit.project,
            "failed": hit.failed, "places": hit.places, "output": hit.output.as_ref().map(|(file, from)| json!({"file": file, "from": from})),
            "text": text, "marks": marks,
        })
    };
    let all = |hits: &[HistoryHit]| hits.iter().map(&hit).collect::<Vec<Value>>();
    json!({
        "hits": all(&page.hits), "more": page.more.is_some(), "pending": page.pending, "longer": all(&page.longer),
    })
}

fn handle(chats: &[Chat], id: &ChatId) -> String {
    let known = chats.iter().find(|chat| chat.id() == id);
    known.map_or_else(|| id.to_string(), |chat| chat.record.handle.to_string())
}

fn words(page: &HistoryPage, chats: &[Chat], look: &OutputLook) -> String {
    let mut said = String::new();
    let zone = config::zone();
    for hit in &page.hits {
        let when = zone.wall(hit.at).format("%Y-%m-%d %H:%M").to_string();
        let tool = hit
            .tool
            .as_deref()
            .map(|tool| format!("{} ", visible(&called(tool))))
            .unwrap_or_default();
        let failed = if hit.failed {
            look.paint(OutputTone::Bad, " failed")
        } else {
            String::new()
        };
        let handle = look.paint(OutputTone::Heading, &visible(&handle(chats, &hit.chat)));
        let places = match hit.places {
            0 | 1 => String::new(),
            many => format!(", in {many} places"),
        };
        let kind = format!("{tool}{}{places}", hit.kind.name());
        said += &format!(
            "{}  {handle}  {kind}{failed}\n    ",
            look.paint(OutputTone::Quiet, &when)
        );
        for (text, is_marked) in hit.excerpt.pieces() {
            match (is_marked, look.colours) {
                (false, _) => said += &visible(text),
                (true, ColourUse::On) => said += &look.paint(OutputTone::Waiting, &visible(text)),
                (true, ColourUse::Off) => said += &format!("»{}«", visible(text)),
            }
        }
        said.push('\n');
    }
    if page.hits.is_empty() {
        said += "nothing was found\n";
    }
    for hit in &page.longer {
        let tool = hit.tool.as_deref().map_or_else(String::new, called);
        let (handle, tool) = (visible(&handle(chats, &hit.chat)), visible(&tool));
        said += &format!(
            "{handle}: {tool} output: {}; `f` on its card opens all\n",
            hit.excerpt.text
        );
    }
    if page.more.is_some() {
        said += &format!("these are the newest {}; --limit shows more\n", page.hits.len());
    }
    if let Some(pending) = page.pending {
        said += &format!("the index is still being made ({pending}): there may be more\n");
    }
    said
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_a_shell_took_the_quotation_marks_from_is_a_phrase_again() {
        let line = |words: &[&str]| super::line(&words.iter().map(|word| (*word).into()).collect::<Vec<_>>());
        assert_eq!(line(&["expired", "token"]), "expired token");
        assert_eq!(line(&["cannot borrow", "x"]), "\"cannot borrow\" x");
        assert_eq!(line(&["cannot borrow tool:bash"]), "cannot borrow tool:bash");
        assert_eq!(line(&["a b:c", "x"]), "a b:c x");
    }
}

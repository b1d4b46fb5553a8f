//! What was deleted: listed, brought back, removed for good.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::domain::work::{ChatDone, TrashDone};
use crate::model::chat_name::{self, AnswersTo};
use crate::model::deleted::Deleted;
use crate::model::text::visible;
use crate::model::{ChatId, Handle, Losses, Problem, Record, ResultExt, Timestamp};
use crate::store::{TRASH_DAYS, Trashed, bytes_at};

use super::super::services::Services;
use super::context::WorkContext;
use super::{losses, scripts};
use crate::engine::clock::now;

const DAY_MS: u64 = 86_400_000;

/// Newest first.
fn listed(services: &Services, doing: &str) -> Result<Vec<Trashed>, Problem> {
    let mut trash = services.home.list_trash().doing(doing)?;
    trash.sort_by_key(|trashed| std::cmp::Reverse(trashed.deleted));
    Ok(trash)
}

fn those_below(trash: Vec<Trashed>, mut below: Vec<ChatId>) -> Vec<Trashed> {
    let is_below = |trashed: &Trashed, below: &[ChatId]| {
        let parent = trashed.record.as_ref().and_then(|record| record.parent.as_ref());
        parent.is_some_and(|parent| below.contains(parent))
    };
    // Those above may have been deleted too, and later than those below.
    loop {
        let new = |one: &&Trashed| is_below(one, &below) && !below.contains(&one.id);
        let found: Vec<ChatId> = trash.iter().filter(new).map(|one| one.id.clone()).collect();
        if found.is_empty() {
            break;
        }
        below.extend(found);
    }
    trash.into_iter().filter(|one| is_below(one, &below)).collect()
}

/// What a chat's name means there; of several of one name the one deleted last, and so where none is named.
fn find(trash: Vec<Trashed>, name: Option<&str>, doing: &str) -> Result<Trashed, Problem> {
    let mut found = match name {
        Some(name) => chat_name::meant(trash, answers_to, name),
        None => trash,
    };
    let handle = |trashed: &Trashed| trashed.record.as_ref().map(|record| record.handle.clone());
    let begun = |trashed: &Trashed| name.is_some_and(|name| answers_to(trashed).is_only_begun(name));
    let handles: BTreeSet<Handle> = found.iter().filter(|one| begun(one)).filter_map(handle).collect();
    if handles.len() > 1 {
        return Err(chat_name::several(doing.to_owned(), handles.iter().map(Handle::as_str)));
    }
    match (found.is_empty(), name) {
        (false, _) => Ok(found.swap_remove(0)),
        (true, Some(_)) => Err(Problem::missing(
            doing,
            "it is not in the trash",
            "`parlour trash list` shows what is there",
        )),
        (true, None) => Err(Problem::missing(
            doing,
            "the trash is empty",
            "what was deleted stays there for 7 days",
        )),
    }
}

fn answers_to(trashed: &Trashed) -> AnswersTo<'_> {
    AnswersTo {
        id: trashed.id.as_str(),
        record: trashed.record.as_ref(),
        number: None,
    }
}

/// All of it, or for an agent what lay below one of these chats.
pub fn list(services: &Services, below: Option<Vec<ChatId>>) -> Result<TrashDone, Problem> {
    let mut trash = listed(services, "listing the trash")?;
    if let Some(below) = below {
        trash = those_below(trash, below);
    }
    let one = |trashed: Trashed| {
        let record = trashed.record.as_ref();
        let projects = |record: &Record| record.dirs.iter().map(|dir| dir.name.clone()).collect();
        Deleted {
            handle: record.map(|record| record.handle.clone()),
            name: record.map(|record| record.name.clone()),
            projects: record.map(projects),
            deleted: trashed.deleted,
            until: trashed.deleted.map(|at| at.plus_ms(TRASH_DAYS * DAY_MS)),
            bytes: bytes_at(&services.home.trash().join(trashed.id.as_str())).0,
            id: trashed.id,
        }
    };
    Ok(TrashDone::Listed(trash.into_iter().map(one).collect()))
}

pub fn restore(context: &WorkContext, name: Option<&str>) -> Result<TrashDone, Problem> {
    let services = &context.services;
    let doing = format!("restoring {}", name.map_or("a chat".into(), visible));
    let trashed = find(listed(services, &doing)?, name, &doing)?;
    bring_back(context, &trashed, &doing)
}

/// What was deleted last, if that was after `since`.
pub fn restore_last(context: &WorkContext, since: Option<Timestamp>) -> Result<TrashDone, Problem> {
    let doing = "restoring a chat";
    let trash = listed(&context.services, doing)?;
    let is_later = |trashed: &&Trashed| since.is_none_or(|since| trashed.deleted > Some(since));
    match trash.first().filter(is_later) {
        Some(trashed) => bring_back(context, trashed, doing),
        None => Ok(TrashDone::NothingSince),
    }
}

fn bring_back(context: &WorkContext, trashed: &Trashed, doing: &str) -> Result<TrashDone, Problem> {
    let services = &context.services;
    let chat = services
        .home
        .restore(&trashed.id)
        .doing_or(doing, "`parlour trash list` shows what is there")?;
    tracing::info!("{}: brought back", trashed.id);
    services.watch_chat(&chat);
    scripts::ask_again(services, &chat, &context.sender);
    Ok(TrashDone::Restored(Box::new(chat)))
}

/// Removes what was deleted long enough ago. What cannot be removed is tried again the next time.
pub fn let_go(services: &Services) -> Result<TrashDone, Problem> {
    if !believes_clock(services) {
        return Ok(TrashDone::LetGo);
    }
    match services
        .home
        .purge_trash(now(), Duration::from_millis(TRASH_DAYS * DAY_MS))
    {
        Ok(kept) => kept.iter().for_each(|kept| tracing::warn!("{kept}")),
        Err(error) => tracing::warn!("the trash can't be emptied: {error}"),
    }
    Ok(TrashDone::LetGo)
}

/// Whether the clock is believed where it says that something is old.
pub fn believes_clock(services: &Services) -> bool {
    match services.home.believes(now()) {
        Ok(true) => true,
        Ok(false) => {
            tracing::info!("the clock is days further than at the last upkeep: nothing old is removed for a day");
            false
        }
        Err(error) => {
            tracing::warn!("the time of the upkeep can't be noted, and nothing old is removed: {error}");
            false
        }
    }
}

/// Those that are meant by a name, or all. A name that only begins a handle is not enough: nothing brings them back.
fn meant(services: &Services, name: Option<&str>, doing: &str) -> Result<Vec<Trashed>, Problem> {
    let trash = listed(services, doing)?;
    let Some(name) = name else {
        return Ok(trash);
    };
    let one = find(trash, Some(name), doing)?;
    match one.record.as_ref().filter(|_| answers_to(&one).is_only_begun(name)) {
        Some(Record { handle, .. }) => {
            let cause = format!("nothing there is called that; {handle} begins like it");
            let hint = format!("`parlour trash purge {handle}` removes that one");
            Err(Problem::new(doing, cause, hint))
        }
        None => Ok(vec![one]),
    }
}

/// What removing them for good would lose. Of several, each line says whose it is.
pub fn losses(services: &Services, name: Option<&str>) -> Result<TrashDone, Problem> {
    let ones = meant(services, name, &removing(name))?;
    let mut all = Losses::default();
    for one in &ones {
        let of_one = match losses::losses(services, &one.id) {
            Ok(ChatDone::Losses(of_one)) => of_one,
            Ok(_) | Err(_) => Losses::unknown(),
        };
        let handle = one
            .record
            .as_ref()
            .map_or(one.id.as_str(), |record| record.handle.as_str());
        let said = |line: String| match ones.len() {
            1 => line,
            _ => format!("of {}: {line}", visible(handle)),
        };
        all.lost.extend(of_one.lost.into_iter().map(said));
    }
    Ok(TrashDone::Losses(all))
}

/// For good: nothing brings it back.
pub fn purge(services: &Services, name: Option<&str>) -> Result<TrashDone, Problem> {
    let doing = removing(name);
    let mut purged = Vec::new();
    for trashed in meant(services, name, &doing)? {
        services.home.purge(&trashed.id).doing(&*doing)?;
        tracing::info!("{}: removed for good", trashed.id);
        purged.push(trashed.id);
    }
    if name.is_none() {
        let kept = services.home.finish_purges().doing(&*doing)?;
        kept.into_iter().try_for_each(Err).doing(&*doing)?;
    }
    Ok(TrashDone::Purged(purged))
}

fn removing(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("removing {} for good", visible(name)),
        None => "emptying the trash".to_owned(),
    }
}

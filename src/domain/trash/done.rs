//! The trash was looked at, or has changed.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, Notice};
use crate::domain::state::{Asker, Domain};
use crate::domain::work::{ForeignResult, TrashDone, TrashThen};
use crate::domain::{chat, reply};
use crate::model::text::visible;
use crate::model::{Losses, Problem};

pub fn done(state: &mut Domain, asker: Asker, then: TrashThen, done: TrashDone) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (TrashThen::Restored, TrashDone::Restored(loaded)) => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            if let Asker::Screen(client) = asker {
                state.notices.push(Notice::Done(client, Done::Restored(id.clone())));
            }
            let value = chat::json(state, &id);
            effects.extend(reply::answer(state, asker, Ok(value)));
            Ok(effects)
        }
        (TrashThen::List, TrashDone::Listed(list)) => Ok(reply::answer(state, asker, Ok(json!({"trash": list})))),
        (TrashThen::Show(client), TrashDone::Listed(list)) => {
            state.notices.push(Notice::Done(client, Done::Trash(list)));
            Ok(Vec::new())
        }
        (TrashThen::Purged, TrashDone::Purged(purged)) => {
            state.live.trashed += 1;
            match asker {
                Asker::Screen(client) => {
                    state.notices.push(Notice::Done(client, Done::Purged));
                    Ok(Vec::new())
                }
                Asker::Call(_) | Asker::Launch(_) | Asker::Nobody => {
                    Ok(reply::answer(state, asker, Ok(json!({"purged": purged}))))
                }
            }
        }
        (TrashThen::LetGo, TrashDone::LetGo) => {
            state.live.trashed += 1;
            Ok(Vec::new())
        }
        (TrashThen::Refuse(name), TrashDone::Losses(found)) => {
            let problem = refusal(name.as_deref(), found);
            Ok(reply::answer(state, asker, Err(problem)))
        }
        (
            TrashThen::Restored
            | TrashThen::List
            | TrashThen::Show(_)
            | TrashThen::Purged
            | TrashThen::LetGo
            | TrashThen::Refuse(_),
            _,
        ) => Err(ForeignResult),
    }
}

/// For a shell without `--yes`.
fn refusal(name: Option<&str>, found: Losses) -> Problem {
    let what = name.map_or("all that is in the trash".into(), visible);
    let lost = format!("nothing was removed: {}", found.sentence("nothing would bring it back"));
    Problem {
        lost: found.lost.into(),
        ..Problem::new(format!("removing {what} for good"), lost, "say `--yes` to remove it")
    }
}

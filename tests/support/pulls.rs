//! What a forge tells of pull requests, made by hand.

use std::collections::BTreeMap;

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{KeepDone, KeepWork, Work};
use parlour::model::keep::{PullChecks, PullRequest, SeenPulls};
use parlour::model::{ChatId, WorkId};

use super::radar::{commits, comparisons, found};
use super::world::{World, id};

/// Of the branch of a clone, with so many checks that passed, failed and go on.
pub fn pull((project, branch): (&str, &str), number: u64, state: &str, checks: (usize, usize, usize)) -> PullRequest {
    PullRequest {
        project: project.into(),
        branch: branch.into(),
        number,
        url: format!("https://forge.example/pull/{number}"),
        title: "Fix it".into(),
        state: state.into(),
        checks: PullChecks {
            passed: checks.0,
            failed: checks.1,
            pending: checks.2,
        },
    }
}

/// The chats about which a forge is to be asked.
pub fn questions(effects: &[Effect]) -> Vec<(WorkId, ChatId)> {
    let asked = |effect: &Effect| match effect {
        Effect::Work(number, Work::Keep(KeepWork::SeePulls(chat))) => Some((*number, chat.clone())),
        _ => None,
    };
    effects.iter().filter_map(asked).collect()
}

pub fn seen(world: &mut World, number: WorkId, pulls: Vec<PullRequest>) -> Vec<Effect> {
    let told: BTreeMap<String, Option<PullRequest>> = pulls
        .into_iter()
        .map(|pull| (pull.project.clone(), Some(pull)))
        .collect();
    answered(world, number, SeenPulls::Of(told))
}

pub fn answered(world: &mut World, number: WorkId, told: SeenPulls) -> Vec<Effect> {
    world.happens(Event::Done(number, Outcome::Keep(KeepDone::Seen(told))))
}

/// These chats have clones with commits, and their pull requests are known.
pub fn pulled(world: &mut World, pulls: &[(&str, Vec<PullRequest>)]) {
    for (chat, pulls) in pulls {
        let effects = commits(world, chat, "0000");
        let (number, asked) = questions(&effects).remove(0);
        assert_eq!(asked, id(chat));
        for (number, _) in comparisons(&effects) {
            found(world, number, Vec::new());
        }
        seen(world, number, pulls.clone());
    }
}

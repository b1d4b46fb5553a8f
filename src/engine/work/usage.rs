//! The sums of what chats used are read and kept.

use super::super::services::Services;
use crate::domain::work::{UsageDone, UsageWork};
use crate::model::{ChatId, Problem, ResultExt, Zone};

pub fn carry_out(services: &Services, work: UsageWork) -> Result<UsageDone, Problem> {
    match work {
        UsageWork::Read { chats, zone, all } => Ok(read(services, &chats, zone, all)),
        UsageWork::Keep(kept) => {
            for (chat, usage) in kept {
                let doing = "keeping sums of usage";
                services.home.keep_usage(&chat, &usage).doing(doing)?;
            }
            Ok(UsageDone::Kept)
        }
    }
}

/// One transcript that cannot be read hides no other.
fn read(services: &Services, chats: &[(ChatId, u64)], zone: Zone, all: bool) -> UsageDone {
    let mut found = Vec::new();
    for (chat, seq) in chats {
        match services.home.usage(chat, *seq, zone) {
            Ok(usage) => found.push((chat.clone(), usage)),
            Err(error) => tracing::warn!("reading what {chat} used: {error}"),
        }
    }
    let asked: Vec<ChatId> = chats.iter().map(|(chat, _)| chat.clone()).collect();
    let gone = services.home.chats_with_usage().into_iter();
    let gone = gone.filter(|chat| all && !asked.contains(chat));
    found.extend(gone.filter_map(|chat| services.home.kept_usage(&chat).map(|kept| (chat, kept))));
    UsageDone::Read(asked, found)
}

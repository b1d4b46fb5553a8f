//! The checkpoints of a chat as a list, and what they take on disk.

use std::fs;
use std::path::Path;

use super::clones::listed;
use crate::engine::measured::disk_usage;
use crate::engine::services::Services;
use crate::engine::work::loading::loading;
use crate::model::lineage::PointList;
use crate::model::{ChatId, Problem, ResultExt};

pub fn list(services: &Services, id: &ChatId) -> Result<PointList, Problem> {
    let doing = "listing checkpoints";
    services.home.load(id).map_err(|error| loading(id, error))?;
    let checkpoints = services.home.checkpoints(id).doing(doing)?;
    Ok(PointList {
        bytes: bytes(services, id, checkpoints.dir().path()),
        checkpoints: listed(&checkpoints, doing)?.known,
    })
}

/// What the checkpoints of each chat take on disk, where there are any.
pub fn costs(services: &Services, chats: Vec<ChatId>) -> Vec<(ChatId, u64)> {
    let cost = |id: ChatId| {
        let folder = services.home.folder_of_checkpoints(&id)?;
        let bytes = bytes(services, &id, &folder);
        Some((id, bytes))
    };
    chats.into_iter().filter_map(cost).collect()
}

fn bytes(services: &Services, id: &ChatId, folder: &Path) -> u64 {
    let list = fs::metadata(folder.join("list.jsonl")).and_then(|found| found.modified());
    services.measured.bytes(id, list.ok(), || disk_usage(folder))
}

//! A repository of which the chat has a clone already: whoever asks for it again may have forgotten that one.

use crate::domain::work::ProjectDone;
use crate::engine::services::Services;
use crate::git::Origin;
use crate::model::chat::Directory;
use crate::model::open_dir::OpenDir;
use crate::model::text::visible;
use crate::model::tool::OpenDirAnswer;
use crate::model::{Chat, ChatId, Kind, Project};

/// The clone that is there, where it is on the branch that is asked for and nothing else is wanted of it.
pub(super) fn same(services: &Services, id: &ChatId, asked: &OpenDir, origin: &Origin) -> Option<ProjectDone> {
    let chat = services.home.load(id).ok()?;
    let branch = asked.branch.as_ref()?;
    let is_it = |(dir, project): &(&Directory, &Project)| {
        project.branch.as_ref() == Some(branch)
            && asked.mode.is_none_or(|mode| mode == dir.mode)
            && asked
                .label
                .as_ref()
                .is_none_or(|label| dir.label.as_ref() == Some(label))
            && dir.subdir == origin.subdir
    };
    let (dir, project) = clones(&chat, origin).find(is_it)?;
    let answer = OpenDirAnswer {
        name: dir.name.clone(),
        path: match &dir.subdir {
            Some(subdir) => project.path.join(subdir),
            None => project.path.clone(),
        },
        branch: project.branch.clone(),
        created: false,
        notes: vec!["it was open already".into()],
    };
    Some(ProjectDone::Opened(Box::new(chat), answer))
}

/// A note for each clone of it that is there beside a new one.
pub(super) fn beside(services: &Services, id: &ChatId, origin: &Origin) -> Vec<String> {
    let Ok(chat) = services.home.load(id) else {
        return Vec::new();
    };
    let note = |(dir, project): (&Directory, &Project)| {
        let branch = project.branch.as_deref().map(visible);
        let on = branch.map_or_else(String::new, |branch| format!(", on {branch}"));
        format!(
            "another clone of it is open already: projects/{}{on}",
            visible(&dir.name)
        )
    };
    clones(&chat, origin).map(note).collect()
}

fn clones<'c>(chat: &'c Chat, origin: &Origin) -> impl Iterator<Item = (&'c Directory, &'c Project)> {
    let of_origin = move |dir: &&Directory| dir.kind == Kind::Git && dir.key.as_ref() == Some(&origin.key);
    let dirs = chat.record.dirs.iter().filter(of_origin);
    dirs.filter_map(|dir| Some((dir, chat.projects.iter().find(|project| project.name == dir.name)?)))
}

//! What workers may come back with.

use super::*;
use crate::domain::work::{NamedBranches, SettingDone};
use crate::model::export::ExportedFile;
use crate::model::output::{OutputFound, OutputLine, OutputPage};
use crate::model::setting::{SettingsFile, TriedSetting};
use crate::model::storage::{DiskItem, DiskPlace, DiskUse, ProjectSetup, SetupFile};
use crate::model::usage::ChatUsage;

/// One of each.
pub fn samples() -> impl Iterator<Item = Outcome> {
    outcomes()
        .into_iter()
        .chain(other_outcomes())
        .chain(of_settings())
        .chain(of_projects_and_files())
}

fn agents_found() -> Outcome {
    let installed = json!({"llm": "demo", "title": "Demo", "program": "/bin/demo", "version": null, "remark": ""});
    let unusable = json!({"title": "Codex", "program": "/bin/codex", "why": {"Fails": "x"}});
    let installed = serde_json::from_value(installed).unwrap();
    Outcome::Agent(AgentDone::Detected(
        vec![installed],
        vec![serde_json::from_value(unusable).unwrap()],
    ))
}

fn of_settings() -> Vec<Outcome> {
    let tried = TriedSetting {
        name: "db".into(),
        outcome: Err("it did not answer".into()),
    };
    let file = SettingsFile {
        written: json!({"theme": "nord"}),
        ..SettingsFile::default()
    };
    vec![
        Outcome::Setting(SettingDone::Edited(Box::new(settings()), Box::new(file))),
        Outcome::Setting(SettingDone::Begun("config.json".into())),
        Outcome::Setting(SettingDone::Tried(tried)),
    ]
}

fn outcomes() -> Vec<Outcome> {
    let rule = RuleName::built_in("git push --force");
    let why = || "why".to_string();
    let rulings = vec![
        Ruling::Allow {
            rule: RuleName::Persons("Bash(x)".into()),
        },
        Ruling::Ask {
            rule: rule.clone(),
            why: why(),
        },
        Ruling::Deny { rule, why: why() },
        Ruling::NoOpinion,
    ];
    let opened = OpenDirAnswer {
        name: "grove".into(),
        path: "/g".into(),
        branch: None,
        created: true,
        notes: vec!["n".into()],
    };
    let tallied = Tallied {
        name: "grove".into(),
        path: "/g".into(),
        branch: Some("main".into()),
        mode: AreaMode::Ro,
        kind: crate::model::Kind::Git,
        dirty: 1,
        ahead: 2,
        behind: 3,
    };
    vec![
        Outcome::Failed(problem()),
        Outcome::Chat(ChatDone::Loaded(whole_chat())),
        Outcome::Chat(ChatDone::Sampled(why())),
        Outcome::Agent(AgentDone::Session(whole_chat())),
        Outcome::Agent(AgentDone::InstructedByFile),
        Outcome::Agent(AgentDone::Trusted),
        Outcome::Team(TeamDone::Declared(whole_chat())),
        Outcome::Team(TeamDone::Atoms(whole_chat())),
        Outcome::Journal(JournalDone::Kept(whole_chat())),
        Outcome::Journal(JournalDone::MarkedRead),
        Outcome::Chat(ChatDone::Duplicated {
            chat: whole_chat(),
            notes: vec![why()],
        }),
        Outcome::Chat(ChatDone::Removed(chat(), vec![why()])),
        Outcome::Chat(ChatDone::LookKept(Default::default())),
        Outcome::Script(ScriptDone::Ended(ScriptEnd {
            how: ScriptEnding::Unapproved(Box::new(proposal())),
            last: vec![why()],
        })),
        Outcome::Approval(ApprovalDone::LocalCall(Done {
            answer: Ok(json!({"a": 1.5})),
            output: why(),
            failed: true,
        })),
        Outcome::Approval(ApprovalDone::Judged(rulings)),
        Outcome::Agent(AgentDone::Started(Box::new(StartedAgent {
            chat: *whole_chat(),
            capabilities: capabilities(),
            problems: vec![problem()],
            prompt: None,
            resumes: true,
            sandbox: Sandbox::Missing { why: why() },
        }))),
        Outcome::Project(ProjectDone::Opened(whole_chat(), opened)),
        Outcome::Project(ProjectDone::Saved(vec![why()])),
        Outcome::Journal(JournalDone::Posted(chat(), message())),
        Outcome::Journal(JournalDone::Inbox {
            chat: chat(),
            messages: vec![message()],
            more: true,
        }),
        Outcome::Journal(JournalDone::Unread {
            chat: chat(),
            messages: vec![message()],
            broken: Some(why()),
        }),
        Outcome::Agent(AgentDone::Instructions(None)),
        Outcome::Agent(AgentDone::Instructions(Some(why()))),
        Outcome::Read(ReadDone::Projects(vec![tallied])),
    ]
}

fn disk_use() -> DiskUse {
    let place = DiskPlace::Repository {
        path: "host/grove.git".into(),
        chats: 2,
    };
    let item = |place| DiskItem {
        place,
        name: "grove".into(),
        bytes: 7,
        more: true,
    };
    DiskUse {
        items: vec![
            item(place),
            item(DiskPlace::Chat { chat: chat() }),
            item(DiskPlace::SearchIndex),
            item(DiskPlace::Cache),
        ],
        freed: 3,
    }
}

fn other_outcomes() -> Vec<Outcome> {
    let why = || "why".to_string();
    let page = OutputPage {
        lines: vec![OutputLine {
            at: 1,
            text: "t".into(),
            before: 0,
            after: 7,
        }],
        from: 1,
        to: 2,
        whole: u64::MAX,
        number: None,
        found: Some(1),
    };
    let saved = OutputFound::Saved {
        path: "f".into(),
        bytes: 3,
    };
    let offer = Offer {
        definition: "{}".into(),
        runs: vec!["npx".into()],
    };
    let deleted = Deleted {
        id: chat(),
        handle: Handle::parse("fix"),
        name: None,
        projects: Some(vec![]),
        deleted: Some(Timestamp(3)),
        until: None,
        bytes: 7,
    };
    let role = RoleEntry {
        name: "worker".into(),
        description: "d".into(),
        llm: None,
        model: Some("m".into()),
        from: RoleFrom::Shipped,
        path: None,
        damage: None,
    };
    let agreed = json!({"chat": "fix", "project": "grove", "kind": "run"});
    let agreed = serde_json::from_value(agreed).unwrap();
    vec![
        Outcome::Journal(JournalDone::Appended(chat(), vec![entry()])),
        Outcome::Journal(JournalDone::Unwritten(problem())),
        Outcome::Read(ReadDone::Tail(chat(), vec![entry()])),
        Outcome::Read(ReadDone::Shown(ShownContent::Output(OutputFound::Page(page)))),
        Outcome::Read(ReadDone::Shown(ShownContent::Output(saved))),
        Outcome::Schedule(ScheduleDone::Kept(Box::new(schedule()))),
        Outcome::Schedule(ScheduleDone::Gone(ScheduleId::from_bits(3))),
        Outcome::Schedule(ScheduleDone::Checked(whole_chat(), Checked::Failed(why()))),
        Outcome::Schedule(ScheduleDone::Checked(whole_chat(), Checked::NotAllowed(why()))),
        Outcome::Chat(ChatDone::Losses(Losses::unknown())),
        Outcome::Chat(ChatDone::Bound(Some(chat()))),
        Outcome::Chat(ChatDone::Bound(None)),
        Outcome::Chat(ChatDone::TourSeen),
        Outcome::Chat(ChatDone::LeftKept),
        Outcome::Chat(ChatDone::Forgotten),
        Outcome::Trash(TrashDone::Listed(vec![deleted])),
        agents_found(),
        Outcome::Server(ServerDone::Listed {
            chat: chat(),
            changed: Some(whole_chat()),
            servers: vec![
                listed(Tools::Unknown, "stdio", None),
                listed(Tools::Known(vec![why()]), "http", Some(offer)),
                listed(Tools::Failed(why()), "", None),
            ],
        }),
        Outcome::Read(ReadDone::Shown(ShownContent::Places {
            hints: vec![PlaceHint {
                text: why(),
                what: "git".into(),
            }],
            roles: vec![role],
            branch: Some(why()),
        })),
        Outcome::Read(ReadDone::Text(why())),
        Outcome::Read(ReadDone::Streamed(Some(7))),
        Outcome::Read(ReadDone::Lines(vec![why()])),
        Outcome::Read(ReadDone::Reported(json!([1, null, {"b": "c"}]))),
        Outcome::Trash(TrashDone::Restored(whole_chat())),
        Outcome::Trash(TrashDone::Purged(vec![chat()])),
        Outcome::Trash(TrashDone::Losses(Losses::unknown())),
        Outcome::Trash(TrashDone::LetGo),
        Outcome::Storage(StorageDone::Used(disk_use())),
        Outcome::Storage(StorageDone::Setups(vec![ProjectSetup {
            project: why(),
            origin: why(),
            files: vec![SetupFile { path: why(), bytes: 7 }],
        }])),
        Outcome::Review(ReviewDone::Compared(Vec::new(), None)),
        Outcome::Keep(KeepDone::Committed(Vec::new())),
        Outcome::Script(ScriptDone::Approved(agreed)),
        Outcome::Script(ScriptDone::Denied),
        Outcome::Usage(UsageDone::Kept),
        Outcome::Usage(UsageDone::Read(vec![chat()], vec![(chat(), ChatUsage::default())])),
        Outcome::Chat(ChatDone::ReadyToTrash),
    ]
}

fn of_projects_and_files() -> Vec<Outcome> {
    let why = || "why".to_string();
    vec![
        Outcome::Read(ReadDone::Shown(ShownContent::Branches(NamedBranches {
            place: why(),
            text: why(),
            hints: vec![PlaceHint {
                text: why(),
                what: "branch".into(),
            }],
            has_more: true,
        }))),
        Outcome::Read(ReadDone::Shown(ShownContent::Exported(ExportedFile {
            path: why(),
            bytes: 9,
            turns: 1,
        }))),
    ]
}

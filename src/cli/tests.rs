//! What words are understood, and what a person sees.

use clap::CommandFactory;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::args::{CalledVerb, ChatVerb, ListArgs, ParlourArgs, Verb};
use super::output::{ColourUse, OutputLook, said_whole};
use super::{explain, list, manual, run, servers, single_word, status};
use crate::model::{Problem, ProblemKind, Timestamp};

mod documents;

fn read(words: &str) -> Result<ParlourArgs, clap::Error> {
    let words = shell_words::split(words).unwrap();
    let all = std::iter::once("parlour".to_owned()).chain(words);
    run::read(all.map(Into::into))
}

fn verb(words: &str) -> String {
    match read(words).unwrap().verb {
        Some(verb) => format!("{verb:?}"),
        None => "attach".into(),
    }
}

fn look() -> OutputLook {
    OutputLook {
        colours: ColourUse::Off,
        width: None,
        now: Timestamp::try_from("2026-02-15T09:00:00.000Z".to_owned()).unwrap(),
    }
}

#[test]
fn the_command_line_is_sound() {
    ParlourArgs::command().debug_assert();
}

#[test]
fn each_verb_has_examples_unless_it_is_hidden() {
    let all = ParlourArgs::command();
    let shown = all.get_subcommands().filter(|verb| !verb.is_hide_set());
    for verb in shown.flat_map(|verb| [verb].into_iter().chain(verb.get_subcommands())) {
        let examples = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(examples.contains("parlour "), "{}", verb.get_name());
    }
}

#[test]
fn a_word_that_is_no_verb_is_a_chat() {
    assert_eq!(read("fix-auth").unwrap().chat.as_deref(), Some("fix-auth"));
    assert_eq!(read("-- list").unwrap().chat.as_deref(), Some("list"));
    assert_eq!(read("").unwrap().chat, None);
    assert!(read("fix-auth list").is_err());
}

#[test]
fn a_number_below_nothing_is_told_what_it_may_be() {
    for (words, why) in [
        (
            "wait auth --for idle --timeout -5",
            "it is no length of time: write 0 or more",
        ),
        (
            "screen auth --scrollback -1",
            "it is no number of lines: write 0 or more",
        ),
        ("log auth --lines -1", "it is no number of lines: write 0 or more"),
        (
            "schedule add -p x --cron @daily --timeout -5",
            "it is no length of time: write 0 or more",
        ),
    ] {
        let said = read(words).unwrap_err().to_string();
        assert!(said.contains(why) && !said.contains("tip:"), "{words}: {said}");
    }
}

#[test]
fn a_word_that_is_no_verb_is_told_the_one_that_was_meant() {
    for (words, told) in [
        ("lst sh1", "parlour has no verb lst; did you mean `parlour list`?"),
        (
            "attach auth",
            "parlour has no verb attach; did you mean `parlour CHAT`?",
        ),
        (
            "attach demo",
            "parlour has no verb attach; did you mean `parlour CHAT`?",
        ),
        (
            "zzzzzz auth",
            "parlour has no verb zzzzzz; `parlour --help` shows all verbs",
        ),
        (
            "work team",
            "parlour work has no verb team; `parlour work list team` shows the plan of a chat",
        ),
    ] {
        let said = read(words).unwrap_err().to_string();
        assert!(said.contains(told), "{words}: {said}");
    }
    let said = read("auth --readr").unwrap_err().to_string();
    assert!(said.contains("--reader"), "{said}");
    assert_eq!(verb("ls"), verb("list"));
}

#[test]
fn help_is_had_of_every_verb() {
    for verb in ParlourArgs::command()
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set())
    {
        let said = read(&format!("help {}", verb.get_name())).unwrap_err();
        assert_eq!(said.exit_code(), 0, "{said}");
    }
    assert_eq!(read("help config set").unwrap_err().exit_code(), 0);
}

#[test]
fn a_chat_that_is_called_like_a_verb_is_opened_behind_two_dashes() {
    assert_eq!(single_word::opening("fix-auth"), "parlour fix-auth");
    let open = single_word::opening("work");
    assert_eq!(open, "parlour -- work");
    let ParlourArgs { chat, .. } = read(open.strip_prefix("parlour ").unwrap()).unwrap();
    assert_eq!(chat.as_deref(), Some("work"));
}

#[test]
fn a_change_of_nothing_is_wrong_use() {
    assert!(read("work update auth plan parser").is_err());
    assert!(read("work update auth plan parser --needs ''").is_ok());
}

#[test]
fn verbs_are_read_with_what_belongs_to_them() {
    let table = [
        ("list", "Chats(List(ListArgs { all: false }))"),
        ("list --json", "Chats(List(ListArgs { all: false }))"),
        (
            "stop a b --tree",
            r#"Chat(Stop(StopArgs { chats: ["a", "b"], tree: true }))"#,
        ),
        ("rm a -y", r#"Chat(Rm(Rm { chat: "a", yes: true }))"#),
        ("undo-rm a", r#"Chat(UndoRm(DeletedChat { chat: "a" }))"#),
        ("rename a -b", r#"Chat(Rename(RenameArgs { chat: "a", name: "-b" }))"#),
        (
            "set a --model= --unasked clones --mode x=y=ro",
            r#"Chat(Set(ChatSetArgs { chat: "a", model: Some(""), unasked: Some(Clones), mode: [("x=y", Ro)] }))"#,
        ),
        (
            "wait a --for needs-you",
            r#"Chat(Wait(WaitArgs { chat: "a", until: NeedsYou, timeout: None }))"#,
        ),
        (
            "wait a --for idle --timeout 0.5",
            r#"Chat(Wait(WaitArgs { chat: "a", until: Idle, timeout: Some(500ms) }))"#,
        ),
        (
            "screen a --ansi --scrollback 9",
            r#"Chat(Screen(ScreenArgs { chat: "a", ansi: true, scrollback: 9 }))"#,
        ),
        (
            "events a --after 3 --follow",
            r#"Chat(Events(Events { chat: "a", after: 3, follow: true, all: false }))"#,
        ),
        ("doctor --fix", "Engine(Doctor(Doctor { fix: true }))"),
    ];
    for (words, expected) in table {
        assert_eq!(verb(words), expected, "{words}");
    }
    assert!(read("list --json").unwrap().json);
}

#[test]
fn text_may_begin_with_a_hyphen() {
    let table = [
        ("send a -x", "-x", false),
        ("send a '- first'", "- first", false),
        ("send a -", "-", false),
        ("send a -- --help", "--help", false),
        ("send a -- --follow-up", "--follow-up", false),
        ("send a --follow-up later", "later", true),
        ("send a later --follow-up", "later", true),
        ("send a look -- --help", "look", false),
    ];
    for (words, text, follow_up) in table {
        let Some(Verb::Chat(ChatVerb::Send(send))) = read(words).unwrap().verb else {
            panic!("{words} sends");
        };
        assert_eq!(
            (send.text.as_deref(), send.follow_up),
            (Some(text), follow_up),
            "{words}"
        );
    }
}

#[test]
fn a_flag_after_the_value_of_a_setting_is_no_value() {
    let set = |words: &str| {
        let args = read(words).unwrap();
        match args.verb {
            Some(Verb::Config(config)) => format!("{:?} {}", config.verb, args.json),
            _ => panic!("{words} sets"),
        }
    };
    let found =
        |key: &str, value: &[&str], json: bool| format!("Set(SetArgs {{ key: {key:?}, value: {value:?} }}) {json}");
    for (words, told) in [
        ("config set theme dark --json", found("theme", &["dark"], true)),
        ("config set mcp.tools a b --json", found("mcp.tools", &["a", "b"], true)),
        ("config set mcp.port -1", found("mcp.port", &["-1"], false)),
        ("config set trust.x -- --json", found("trust.x", &["--json"], false)),
    ] {
        assert_eq!(set(words), told);
    }
}

#[test]
fn a_new_chat_is_read_with_all_its_directories() {
    let words = "new 'Fix auth' -p '-1 is wrong' --llm claude -r worker --dir api:/src/api:ro \
                 --add-dir https://h/docs --branch fix --base main --without-mcp db --without-mcp web";
    assert_snapshot!(verb(words), @r#"Chats(New(New { name: Some("Fix auth"), prompt: Some("-1 is wrong"), llm: Some("claude"), role: Some("worker"), dirs: [OpenDir { path_or_url: "/src/api", branch: None, base: None, branch_after: None, mode: Some(Ro), label: Some("api"), in_place: false, cwd: None, by: Person, from: None }, OpenDir { path_or_url: "https://h/docs", branch: None, base: None, branch_after: None, mode: None, label: None, in_place: false, cwd: None, by: Person, from: None }], in_place: false, no_project: false, branch: Some("fix"), base: Some("main"), alone: false, permissions: None, without_mcp: ["db", "web"] }))"#);
}

#[test]
fn wrong_use_exits_with_2() {
    for words in [
        "send a",
        "wait a",
        "wait a --for rain",
        "wait a --for idle --timeout soon",
        "wait a --for idle --timeout -1",
        "new --dir :ro",
        "list --no-such-flag",
        "fix-auth list",
    ] {
        assert_eq!(read(words).unwrap_err().exit_code(), 2, "{words}");
    }
    for words in ["--help", "--version", "send --help"] {
        assert_eq!(read(words).unwrap_err().exit_code(), 0, "{words}");
    }
}

#[test]
fn what_may_be_said_in_either_way_is_asked_for_as_such() {
    for (words, either) in [
        ("schedule add -p x", "<--cron <RULE>|--at <TIME>>"),
        (
            "schedule add -p x --cron @daily --at 2027-01-01",
            "<--cron <RULE>|--at <TIME>>",
        ),
        ("schedule preview", "<SCHEDULE|--cron <RULE>>"),
    ] {
        let refused = read(words).unwrap_err().to_string();
        assert!(refused.contains(either), "{refused}");
    }
}

#[test]
fn a_hook_takes_any_words() {
    let Some(Verb::Called(CalledVerb::Hook(hook))) =
        read("hook claude PreToolUse --token-file '/a b' --new x").unwrap().verb
    else {
        panic!("it is a hook");
    };
    assert_eq!((hook.agent(), hook.event()), ("claude", "PreToolUse"));
    assert_eq!(hook.token_file(), Some("/a b".into()));
    for words in ["hook", "hook --json", "hook --help", "hook claude --token-file"] {
        assert!(read(words).is_ok(), "{words}");
    }
}

#[test]
fn a_list_of_chats_is_a_line_each() {
    let answer = json!({"chats": [
        {"handle": "fix-auth", "name": "Fix auth", "llm": "claude", "status": "needs-you", "detail": "Bash: rm -rf\u{202e} x",
         "updated": "2026-02-15T08:58:00.000Z", "unseen": true, "preview": "I will now",
         "projects": [{"name": "grove", "branch": "fix-auth"}, {"name": "docs", "branch": null}]},
        {"handle": "research", "name": "Research", "llm": "shell", "status": "idle", "detail": "",
         "updated": "2026-02-13T09:00:00.000Z", "unseen": false, "preview": "done\nwith 修复", "projects": []},
        {"handle": "notes", "name": "Notes", "status": "idle", "unseen": true},
        {"handle": "tests", "name": "Tests", "status": "idle", "detail": "last command failed", "preview": "Two specs fail.",
         "unseen": true},
        {"handle": "new", "name": "New", "status": "dreaming", "from": "a newer engine"},
    ]});
    assert_snapshot!(list::words(&answer, &ListArgs { all: false }, &look()), @r"
    STATUS               CHAT      AGENT   AGE  PROJECTS                LAST
    ◆ needs-you, unseen  fix-auth  claude  2m   grove · fix-auth, docs  Bash: rm -rf\u{202e} x
    ○ idle               research  shell   2d   (no project)            done with 修复
    ✓ done, unseen       notes                  (no project)            Notes
    ✓ done, unseen       tests                  (no project)            last command failed · Two specs fail.
    ? dreaming           new                    (no project)            New
    ");
    let renamed = json!({"chats": [
        {"handle": "fix-auth", "name": "Log in with a passkey", "llm": "claude", "number": 2, "status": "running",
         "preview": "I will now"},
        {"handle": "research", "name": "Research", "llm": "shell", "status": "idle", "preview": "done"},
    ]});
    assert_snapshot!(list::words(&renamed, &ListArgs { all: false }, &look()), @r"
    #  STATUS     CHAT      NAME                   AGENT   PROJECTS      LAST
    2  ● running  fix-auth  Log in with a passkey  claude  (no project)  I will now
       ○ idle     research                         shell   (no project)  done
    ");
    let in_columns = |width| OutputLook {
        width: Some(width),
        ..look()
    };
    assert_snapshot!(list::words(&renamed, &ListArgs { all: false }, &in_columns(64)), @r"
    #  STATUS     CHAT      NAME                   LAST
    2  ● running  fix-auth  Log in with a passkey  I will now
       ○ idle     research                         done
    ");
    assert!(list::words(&renamed, &ListArgs { all: false }, &in_columns(40)).contains("Log in wi"));
    let mut many: Vec<Value> = (1..10)
        .map(|number| {
            json!({"handle": format!("chat-number-{number}"), "name": format!("Chat number {number}"), "llm": "claude",
                   "status": "logged-out", "updated": "2026-02-15T08:58:00.000Z", "preview": "Both of the tests pass.",
                   "projects": [{"name": "grove", "branch": "feature-auth"}]})
        })
        .collect();
    many[0]["name"] = "what is this".into();
    let narrow = list::words(&json!({"chats": many}), &ListArgs { all: false }, &in_columns(80));
    let lines: Vec<&str> = narrow.lines().take(2).collect();
    assert_snapshot!(lines.join("\n"), @r"
    STATUS        CHAT           AGENT   AGE  PROJECTS              LAST
    ✗ logged-out  chat-number-1  claude  2m   grove · feature-auth  Both of the tes…
    ");
    let none = list::words(&json!({"chats": []}), &ListArgs { all: false }, &look());
    assert_eq!(
        none,
        "no chats yet; `parlour new` makes one, `parlour demo` shows one at work\n"
    );
}

#[test]
fn an_interrupted_chat_is_said_to_be_so_once() {
    let detail = "interrupted · 1 command in the background";
    let chat = json!({"id": "1", "handle": "fix", "name": "fix", "llm": "codex", "status": "idle", "detail": detail,
                      "preview": "interrupted"});
    let words = list::words(&json!({"chats": [chat]}), &ListArgs { all: false }, &look());
    assert!(words.trim_end().ends_with(detail), "{words}");
}

#[test]
fn a_list_of_chats_has_children_below_their_parents() {
    let chat = |id: &str, parent: Option<&str>| json!({"id": id, "parent": parent, "handle": id, "name": id, "llm": "claude", "status": "idle", "preview": "done"});
    let answer = json!({"chats": [
        chat("tester", Some("parser")), chat("alone", None), chat("risky", Some("lead")), chat("lead", None),
        chat("parser", Some("lead")), chat("left", Some("deleted")), chat("egg", Some("hen")), chat("hen", Some("egg")),
    ]});
    assert_snapshot!(list::words(&answer, &ListArgs { all: false }, &look()), @r"
    STATUS  CHAT        AGENT   PROJECTS      LAST
    ○ idle  lead        claude  (no project)  done
    ○ idle  ├ risky     claude  (no project)  done
    ○ idle  └ parser    claude  (no project)  done
    ○ idle    └ tester  claude  (no project)  done
    ○ idle  alone       claude  (no project)  done
    ○ idle  left        claude  (no project)  done
    ○ idle  egg         claude  (no project)  done
    ○ idle  └ hen       claude  (no project)  done
    ");
}

#[test]
fn the_status_is_a_few_lines() {
    let answer = json!({
        "version": "0.1.0", "engine": {"pid": 4711, "uptime_s": 7500, "rss_bytes": 48_000_000},
        "mcp": {"url": "http://127.0.0.1:23456/mcp", "port": 23456}, "home": "/home/ada/.parlour",
        "limits": {"liveAgents": 20, "historyBytes": 67_108_864, "hibernateMinutes": 0.0,
                   "budget": {"chat": null, "tree": null, "day": null, "stop": false}},
        "agents": [{"chat": "aaaaaaaaaa", "handle": "fix-auth", "pid": 4712, "llm": "claude", "status": "running"},
                   {"chat": "bbbbbbbbbb", "handle": "notes", "pid": null, "llm": "shell", "status": "starting"}],
        "settings_problem": {"doing": "reading config.json", "cause": "config.json:3:7: limits.liveAgents: expected a number", "hint": ""},
    });
    assert_snapshot!(status::words(&answer, &look()), @r"
    parlour      0.1.0
    engine       pid 4711, up 2 h 5 min, 48 MB
    home         /home/ada/.parlour
    MCP          http://127.0.0.1:23456/mcp
    limits       liveAgents        20 agents
                 hibernateMinutes  0 minutes
                 historyBytes      64 MiB
    agents       2 running
    checkpoints  none
    settings     config.json:3:7: limits.liveAgents: expected a number
      ● running   fix-auth  claude  pid 4712
      ◌ starting  notes     shell
    ");
}

#[test]
fn the_status_names_a_budget_where_there_is_one() {
    let answer = json!({"limits": {"budget": {"chat": null, "tree": null, "day": 5.0, "stop": false}}});
    let words = status::words(&answer, &look());
    assert!(words.contains("limits       budget.day   5 US dollars\n"), "{words}");
    assert!(words.contains("             budget.stop  off\n"), "{words}");
}

#[test]
fn an_explanation_is_a_verdict_and_its_signals() {
    let answer = json!({
        "chat": "aaaaaaaaaa", "status": "running", "detail": "Bash", "because": "hook: hook PreToolUse",
        "since": "2026-02-15T08:57:00.000Z", "process": "pid 4712 runs",
        "signals": [
            {"source": "hook", "says": "busy with Bash", "because": "hook PreToolUse", "at": "2026-02-15T08:57:00.000Z"},
            {"source": "session file", "says": null},
            {"source": "title", "says": "idle", "because": "title ✳ Claude Code", "at": "2026-02-15T07:00:00.000Z"},
        ],
        "session_began": true, "mcp_connected": false, "open_tools": ["Bash"],
        "prompts": {"waiting": 2, "typing": true, "held_by": "its turn has not ended"},
    });
    assert_snapshot!(explain::words(&answer, &look()), @r"
    ● running, Bash
    because  hook: hook PreToolUse
    since    3m
    process  pid 4712 runs
    session  began
    MCP      not connected
    tools    Bash
    prompts  one being typed, 2 waiting, held by its turn has not ended
    SOURCE        SAYS            AGE  BECAUSE
    hook          busy with Bash  3m   hook PreToolUse
    session file  nothing yet
    title         idle            2h   title ✳ Claude Code
    ");
    let chat = json!({"status": "idle", "signals": [], "sandbox": {"asked": "strict", "in_force": true},
        "dirs": [{"path": "projects/p", "mode": "rw", "kept_by": []},
                 {"path": "projects/q", "mode": "ro", "kept_by": ["gate", "mode bits"]}],
        "servers": [{"name": "parlour", "on": true, "from": "parlour", "place": "http://127.0.0.1:1/mcp"},
                    {"name": "db", "on": false, "from": "config.json", "place": "db-mcp", "because": "left out"},
                    {"name": "x", "on": false, "from": "projects/p/.mcp.json", "place": "npx", "because": "not agreed",
                     "tools": null, "tools_problem": "it did not answer"}]});
    assert_snapshot!(explain::words(&chat, &look()), @r"
    ○ idle
    sandbox    in force
    directory  projects/p, read and write
    directory  projects/q, read only, kept by gate, mode bits
    server     parlour on, parlour, http://127.0.0.1:1/mcp
    server     db off, config.json, db-mcp, left out
    server     x off, projects/p/.mcp.json, npx, not agreed
    ");
    assert_snapshot!(servers::words(&chat, &look()), @r"
         SERVER   FROM                  PLACE                   TOOLS
    on   parlour  parlour               http://127.0.0.1:1/mcp
    off  db       config.json           db-mcp                  left out
    off  x        projects/p/.mcp.json  npx                     not agreed; it did not answer
    ");
    let never =
        json!({"status": "exited", "detail": "engine stopped", "because": "no agent of it has run", "signals": []});
    assert_snapshot!(explain::words(&never, &look()), @r"
    □ exited, engine stopped
    because  no agent of it has run
    ");
}

#[test]
fn what_lies_below_a_fault_is_told_to_programs_and_to_people() {
    let refused = anyhow::anyhow!("exit status 1").context("the import failed");
    let fault = Problem::of("taking up the conversation", &refused).of_kind(ProblemKind::Fault);
    assert_eq!(json!(fault)["cause"], "the import failed");
    assert_eq!(json!(fault)["source"]["said"], "exit status 1");
    let said = said_whole(&fault);
    assert!(
        said.starts_with("taking up the conversation: the import failed; "),
        "{said}"
    );
    assert!(said.ends_with(" (exit status 1)"), "{said}");
}

#[test]
fn the_manual_has_a_page_for_each_verb_that_help_shows() {
    let pages = manual::pages().unwrap();
    let page = |name: &str| {
        let found = pages.iter().find(|(known, _)| known == name);
        String::from_utf8(found.unwrap_or_else(|| panic!("{name} is missing")).1.clone()).unwrap()
    };
    let plain = |name: &str| page(name).replace('\\', "");
    let query = plain("parlour-query.1");
    assert!(query.contains("parlour query [OPTIONS] [TEXT]..."), "{query}");
    for alias in ["[also: --re]", "[also: --dre]", "[also: --profile]"] {
        assert!(query.contains(alias), "{alias}: {query}");
    }
    assert!(plain("parlour-list.1").contains("also: parlour ls"));
    for verb in ParlourArgs::command()
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set())
    {
        page(&format!("parlour-{}.1", verb.get_name()));
    }
    assert!(page("parlour.1").contains("Exit codes: 0 done"));
    let add = page("parlour-schedule-add.1");
    assert!(
        add.contains(".SH EXAMPLES\n.nf\n") && add.contains("\\-\\-cron"),
        "{add}"
    );
    assert!(pages.iter().all(|(name, _)| !name.contains("hook")));
}

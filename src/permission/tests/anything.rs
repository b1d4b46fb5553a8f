//! Command lines nobody would write: no panic, and no way around a denied command by what stands beside it.

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// Text with what matters to shells much likelier than in any text.
fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z./-]{1,6}",
        3 => Just(" ".to_string()),
        1 => prop::sample::select(vec![
            "'", "\"", "\\", "`", "$(", ")", "(", "{", "}", "<<EOF", "EOF", "\n", ";", "|", "&", "&&", "#", "<", ">",
            "$'", "$HOME", "${", "((", "))", "[[", "]]", "if", "then", "fi", "for", "in", "do", "done", "case", "esac",
            "ls", "cat", "echo", "git status", "function", "()", "\r", "\t", "é", "=", "!", "*", "~", "bash -c", "eval",
        ]).prop_map(str::to_string),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// Plain commands that parlour allows, in words a person would write.
fn harmless() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "ls",
        "ls -la src",
        "cat 'a b'",
        "git status",
        "echo \"x; y\"",
        "pwd",
        "wc -l a",
    ])
    .prop_map(str::to_string)
}

proptest! {
    #![proptest_config(at_least(400))]

    #[test]
    fn any_line_gets_a_verdict(text in prop_oneof![line(), any::<String>()]) {
        bash(&rules(&["Bash(ls:*)"], &["Edit(x/**)"], &["Bash(rm * x:*)"]), &text);
    }

    #[test]
    fn a_denied_command_is_never_allowed_beside_another(
        other in prop_oneof![line(), harmless()],
        join in prop::sample::select(vec![";", "&&", "|", "\n", "||", "&", " ; ", " | "]),
        before in any::<bool>(),
    ) {
        let rules = rules(&["Bash(ls:*)", "Bash(cat:*)", "Bash(echo:*)"], &[], &["Bash(wipe all:*)"]);
        let text = match before {
            true => format!("wipe all x{join}{other}"),
            false => format!("{other}{join}wipe all x"),
        };
        let ruling = bash(&rules, &text);
        // Quoted or escaped, the words are an argument of what is allowed.
        let quoted = ["'", "\"", "\\", "#"].iter().any(|mark| other.contains(mark));
        prop_assert!(word(&ruling) != "allow" || (quoted && !before), "{text:?}: {ruling:?}");
    }

    #[test]
    fn beside_a_harmless_command_it_is_denied(
        other in harmless(),
        join in prop::sample::select(vec![";", "&&", "|", "\n", "||", "&"]),
        before in any::<bool>(),
    ) {
        let rules = rules(&["Bash(ls:*)"], &[], &["Bash(wipe all:*)"]);
        let text = match before {
            true => format!("wipe all x{join}{other}"),
            false => format!("{other}{join}wipe all x"),
        };
        prop_assert_eq!(word(&bash(&rules, &text)), "deny", "{}", text);
    }

    #[test]
    fn any_rule_is_read_or_named(rule in "[A-Za-z_*]{0,5}[(]?[ -~]{0,12}[)]?") {
        let (_, misfits) = Rules::parse(&settings(&[&rule], &[], &[]), Path::new("/home/ada"));
        prop_assert!(misfits.iter().all(|misfit| misfit.rule == rule && !misfit.why.is_empty()));
    }
}

#[test]
fn characters_beyond_ascii_are_letters() {
    let rules = rules(&[], &[], &["Bash(löschen:*)", "Bash(wipe:*)"]);
    assert_rows(
        &rules,
        &[
            ("ls über/日本語.txt", "allow"),
            ("ls | löschen x", "deny"),
            ("eval\u{10ffff}<<EOF>>$HOME{\u{10ffff}", "ask"),
            ("cat <<é\nü\n'\né\nwipe\n: '", "deny"),
            ("ls \u{1}", "ask"),
        ],
    );
}

#[test]
fn deep_and_long_lines_are_asked_about() {
    let rules = rules(
        &["Bash(ls:*)", "Bash(echo:*)"],
        &["Edit(x/**)"],
        &["Bash(wipe:*)", "Edit(/y/**)"],
    );
    for text in [
        "(".repeat(20_000) + "ls" + &")".repeat(20_000),
        "$(".repeat(5_000) + "ls" + &")".repeat(5_000),
        "eval ".repeat(5_000) + "ls",
        "sudo ".repeat(5_000) + "ls",
        "sudo --unknown ".repeat(5_000) + "ls",
        "sudo --unknown ".repeat(200) + "ls",
        "strace -x ".repeat(300) + "ls",
        "ls;".repeat(30_000) + "ls",
        ")".repeat(120 << 10),
        "ls|".repeat(40 << 10) + "ls",
        ")".repeat(2000),
        "?(declare ".repeat(500),
        "ls|".repeat(200) + "ls",
        "!a|".repeat(500) + "a",
        format!("echo {}", "x".repeat(200_000)),
        "cd a;".repeat(1000) + "ls " + &">b".repeat(60_000),
        "cd a/;".repeat(60) + "ls " + &">b".repeat(60_000),
        format!("cd {}; ls {}", "a/".repeat(30_000), ">b/c/d".repeat(10_000)),
        "env -C a ls;".repeat(900) + "ls " + &">b".repeat(900),
        "ls >b;".repeat(1100),
        "cd a;".repeat(70),
    ] {
        assert_eq!(word(&bash(&rules, &text)), "ask", "{:.40}", text);
        assert_eq!(word(&bash(&rules, &format!("{text}; wipe"))), "deny", "{:.40}", text);
    }
    // What many honest lines do is not too much.
    let honest = "cd a && ".repeat(9) + "ls\n" + &"echo x >> b\n".repeat(300);
    assert_eq!(word(&bash(&rules, &honest)), "-");
}

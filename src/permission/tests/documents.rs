//! What programs are fed as documents: patches, and programs for interpreters.

use super::*;
use crate::model::{Area, AreaMode};

fn patch(file: &str) -> String {
    format!("*** Begin Patch\n*** Update File: {file}\n@@\n-x\n+y\n*** End Patch")
}

/// Each way in which a shell gives `apply_patch` its patch.
fn given(file: &str) -> Vec<String> {
    let patch = patch(file);
    let heredoc = format!("apply_patch <<'EOF'\n{patch}\nEOF");
    vec![
        heredoc.clone(),
        format!("cd src/.. && {heredoc}"),
        format!("apply_patch <<EOF\n{patch}\nEOF"),
        format!("apply_patch '{patch}'"),
        format!("applypatch \"{patch}\""),
        format!("cat <<'EOF' | apply_patch\n{patch}\nEOF"),
        format!("printf '%s' '{patch}' | apply_patch"),
        format!("/usr/bin/apply_patch <<< '{patch}'"),
        format!("bash -lc 'apply_patch <<EOF\n{patch}\nEOF'"),
        format!("timeout 5 apply_patch '{patch}'"),
    ]
}

#[test]
fn a_patch_in_a_command_line_is_judged_by_its_files() {
    let own = rules(
        &["Bash(apply_patch:*)", "Edit(src/**)"],
        &["Edit(docs/**)"],
        &["Edit(secret/**)"],
    );
    for (file, wanted) in [
        ("src/a.rs", "-"),
        ("docs/a.md", "ask"),
        ("secret/a", "deny"),
        ("/etc/passwd", "ask"),
        ("../../../x", "ask"),
        ("src/.git/hooks/pre-commit", "ask"),
        (".envrc", "ask"),
    ] {
        for line in given(file) {
            assert_eq!(word(&bash(&own, &line)), wanted, "{line}");
        }
    }
    assert_rows(
        &own,
        &[
            ("apply_patch < my.patch", "ask"),
            ("make | apply_patch", "ask"),
            ("apply_patch <<EOF\n*** Update File: src/$X\nEOF", "ask"),
            ("cd secret && apply_patch <<'E'\n*** Add File: b\n+x\nE", "deny"),
            ("which apply_patch", "allow"),
            ("cat <<'E'\n*** Update File: secret/a\nE", "-"),
        ],
    );
}

#[test]
fn a_patch_in_a_command_line_stays_out_of_a_read_only_directory() {
    let ruled = |command: &str| {
        Rules::default().judge(&Call {
            tool: "Bash",
            input: &json!({ "command": command }),
            cwd: Path::new(CWD),
            at: None,
            dirs: &[Area {
                name: "grove".into(),
                mode: AreaMode::Ro,
                asks: false,
                cloned: true,
                paths: vec![Path::new(CWD).join("projects/grove")],
            }],
        })
    };
    let unified = "--- a/projects/grove/a\n+++ b/projects/grove/a\n@@ -1 +1 @@\n-x\n+y\n";
    let rows = [
        (format!("apply_patch <<'E'\n{}\nE", patch("projects/grove/a")), "deny"),
        (
            format!("cd projects/grove && apply_patch <<'E'\n{}\nE", patch("a")),
            "deny",
        ),
        (format!("apply_patch <<'E'\n{}\nE", patch("projects/own/a")), "-"),
        (format!("patch -p1 <<'E'\n{unified}E"), "deny"),
        ("python3 - <<'E'\nopen('projects/grove/a', 'w')\nE".into(), "ask"),
        ("python3 -c \"open('projects/grove/a', 'w')\"".into(), "ask"),
        ("python3 - <<'E'\nprint('projects')\nE".into(), "-"),
        ("ed <<'E'\nr x\nw projects/grove/a\nE".into(), "ask"),
    ];
    for (line, wanted) in rows {
        let ruling = ruled(&line);
        assert_eq!(word(&ruling), wanted, "{line}: {ruling:?}");
    }
}

#[test]
fn a_program_that_is_fed_is_asked_about_as_one_that_is_an_argument() {
    let own = rules(&[], &[], &["Edit(secret/**)"]);
    assert_rows(
        &own,
        &[
            ("python3 -c \"open('.git/hooks/pre-commit', 'w')\"", "ask"),
            ("python3 - <<'E'\nopen('.git/hooks/pre-commit', 'w')\nE", "ask"),
            ("python3 <<E\nopen('a/.envrc', 'w')\nE", "ask"),
            ("node <<< \"fs.writeFileSync('.vscode/tasks.json', x)\"", "ask"),
            ("cd a && ruby <<'E'\nFile.write('.bashrc', x)\nE", "ask"),
            ("patch -p1 <<'E'\n--- a/.husky/x\n+++ b/.husky/x\n@@ -1 +1 @@\nE", "ask"),
            ("git apply <<'E'\n--- a/.envrc\n+++ b/.envrc\n@@ -1 +1 @@\nE", "ask"),
            (
                "patch -p1 <<'E'\n--- a/secret/x\n+++ b/secret/x\n@@ -1 +1 @@\nE",
                "deny",
            ),
            (
                "git apply - <<'E'\n--- a/secret/x\n+++ b/secret/x\n@@ -1 +1 @@\nE",
                "deny",
            ),
            ("python3 - <<'E'\nprint('hello')\nE", "-"),
            ("patch -p1 <<'E'\n--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\nE", "-"),
            (
                "gh pr create --body-file - <<'E'\nmends .github/workflows/ci.yml\nE",
                "-",
            ),
            ("git commit -F - <<'E'\nmends .github/workflows/ci.yml\nE", "-"),
            ("cat <<'E' > src/a\n.git/hooks\nE", "-"),
        ],
    );
}

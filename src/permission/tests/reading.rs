//! Commands that only read: what lets them pass, and what of them follows links or leads elsewhere.

use super::*;
use crate::model::{Area, AreaMode};

/// In a clone, where git is let pass too.
fn in_clone(command: &str) -> Ruling {
    let top = Path::new(CWD).join("projects/web");
    Rules::default().judge(&Call {
        tool: "Bash",
        input: &json!({ "command": command, "workdir": top }),
        cwd: Path::new(CWD),
        at: None,
        dirs: &[Area {
            name: "web".into(),
            mode: AreaMode::Rw,
            asks: false,
            cloned: true,
            paths: vec![top.clone()],
        }],
    })
}

#[test]
fn what_follows_links_by_itself_is_not_let_pass() {
    let rows = [
        ("cat src/main.rs", "allow"),
        ("cat src/*.rs", "allow"),
        ("grep -rn x src", "allow"),
        ("grep -rnA3 x src", "allow"),
        ("grep -eRS src/a", "allow"),
        ("grep -r --include='*.rs' x .", "allow"),
        ("grep --directories=recurse x src", "allow"),
        ("rg foo", "allow"),
        ("rg -n -e L foo", "allow"),
        ("rg -gL foo", "allow"),
        ("ls -la", "allow"),
        ("ls -L", "allow"),
        ("ls -R", "allow"),
        ("find . -name '*L*'", "allow"),
        ("git diff", "allow"),
        ("git diff --no-indent-heuristic", "-"),
        ("git diff --no-renames HEAD~1", "allow"),
        ("git log --oneline -5", "allow"),
        ("tail -f -n 3 a", "allow"),
        ("grep -R x .", "-"),
        ("grep -nR x .", "-"),
        ("grep -3R x .", "-"),
        ("egrep -iR x .", "-"),
        ("fgrep -S x .", "-"),
        ("grep --dereference-recursive x .", "-"),
        ("grep --der x .", "-"),
        ("grep --d x .", "-"),
        ("rg -L x", "-"),
        ("rg -nL x", "-"),
        ("rg --follow x", "-"),
        ("rg -nz x", "-"),
        ("find -L . -name x", "-"),
        ("find -EL . -name x", "-"),
        ("find . -follow", "-"),
        ("ls -LR", "-"),
        ("ls -R --dereference", "-"),
        ("ls -L --recursive", "-"),
        ("git diff --no-index a b", "-"),
        ("git diff --no-in a b", "-"),
        ("grep -nf/etc/passwd a", "-"),
        ("grep -inf../../../../x a", "-"),
        ("grep -f/etc/passwd a", "-"),
        ("rg -nf/etc/passwd a", "-"),
        ("grep -nfpatterns a", "allow"),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, wanted)| (command, wanted, in_clone(command)))
        .filter(|(_, wanted, ruling)| word(ruling) != **wanted)
        .map(|(command, wanted, ruling)| format!("{command:?}: wanted {wanted}, got {ruling:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

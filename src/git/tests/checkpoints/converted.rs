//! Files that git stores differently from how they lie in the clone, beside what the real git makes of them.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::*;
use crate::model::diff::{DiffBody, FileAsk, LineKind};
use crate::model::pick::{PickAct, PickedPart};
use crate::model::review::FileChange;

impl SavedClone {
    /// What differs from the last commit.
    fn differs(&self) -> (Snapshot, Vec<FileChange>) {
        let cancel = CancelFlag::default();
        let now = self.store.now(&self.dir(), &self.options(&[], &cancel)).unwrap();
        let committed = self.store.committed(&now).unwrap();
        let stored = self.store.as_stored(&self.dir(), &now, committed).unwrap();
        let mut changes = self.store.changes(committed, stored).unwrap();
        self.store.tell_staged(&now, (committed, stored), &mut changes).unwrap();
        (now, changes)
    }

    fn shown(&self, path: &str) -> (FileAsk, DiffBody) {
        let (now, _) = self.differs();
        let ask = self
            .store
            .uncommitted(&self.dir(), &now, ("grove", path.as_ref()))
            .unwrap();
        let body = self.store.file_diff(&ask).unwrap().body;
        (ask, body)
    }

    fn does(&self, act: PickAct, path: &str, parts: &[PickedPart]) -> Result<(), String> {
        let (ask, _) = self.shown(path);
        let (now, _) = self.differs();
        let done = self.store.pick(&self.dir(), &now, &ask, parts, act);
        done.map_err(|error| error.to_string())
    }

    fn git_lines(&self, words: &[&str]) -> String {
        self.clone.git(words).trim().to_owned()
    }

    /// The object that the real git makes of a content at this path.
    fn as_git_stores(&self, path: &str, content: &[u8]) -> String {
        let mut git = Command::new("git")
            .current_dir(&self.clone.0)
            .args(["hash-object", "--stdin", "--path", path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        git.stdin.take().unwrap().write_all(content).unwrap();
        let output = git.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

fn shown_lines(body: &DiffBody) -> Vec<(LineKind, String)> {
    let DiffBody::Lines { hunks, .. } = body else {
        panic!("it has lines: {body:?}");
    };
    let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    let changed = lines.filter(|line| line.kind != LineKind::Context);
    changed.map(|line| (line.kind, line.text.clone())).collect()
}

const HUNK: &[PickedPart] = &[PickedPart { hunk: 0, lines: None }];

#[test]
fn every_content_is_stored_as_git_stores_it() {
    let saved = SavedClone::new();
    let contents: [&[u8]; 9] = [
        b"one\r\ntwo\r\n",
        b"one\ntwo\n",
        b"one\r\ntwo\nthree\r\n",
        b"one\rtwo\r\n",
        b"one\r\r\ntwo\r\n",
        b"nul\0\r\n",
        b"\x01\x02\x03\r\n",
        b"end\r\n\x1a",
        "d\u{e9}j\u{e0} vu\r\n".as_bytes(),
    ];
    let attributes = [
        "",
        "text",
        "-text",
        "text=auto",
        "text=input",
        "eol=crlf",
        "eol=lf",
        "text eol=lf",
        "text=auto eol=crlf",
        "text=auto eol=lf",
        "crlf",
        "-crlf",
        "crlf=input",
        "binary",
        "-text eol=crlf",
    ];
    let mut expected = BTreeMap::new();
    for (setting, value) in [
        ("core.autocrlf", "false"),
        ("core.autocrlf", "input"),
        ("core.autocrlf", "true"),
        ("core.eol", "crlf"),
    ] {
        saved.clone.git(&["config", setting, value]);
        let mut lines = String::new();
        for (rule, attribute) in attributes.iter().enumerate() {
            lines.push_str(&format!("r{rule}-* {attribute}\n"));
        }
        saved.write(".gitattributes", &lines);
        for rule in 0..attributes.len() {
            for (number, content) in contents.iter().enumerate() {
                let path = format!("r{rule}-{number}");
                fs::write(saved.path(&path), content).unwrap();
                expected.insert(path.clone(), saved.as_git_stores(&path, content));
            }
        }
        let (_, changes) = saved.differs();
        for change in changes
            .iter()
            .filter(|change| change.path.to_string_lossy().starts_with('r'))
        {
            let path = change.path.to_string_lossy();
            let rule: usize = path[1..].split('-').next().unwrap().parse().unwrap();
            assert_eq!(
                change.id, expected[&*path],
                "{path}: {} with {setting}={value}",
                attributes[rule]
            );
        }
        assert_eq!(changes.len(), expected.len() + 1);
    }
}

#[test]
fn a_file_with_returns_shows_staged_and_discarded_only_what_was_changed() {
    let saved = SavedClone::new();
    let text = |changed: &str| -> String {
        let line = |number| {
            if number == 20 {
                changed.to_owned()
            } else {
                format!("line {number}")
            }
        };
        (1..=40).map(|number| format!("{}\r\n", line(number))).collect()
    };
    saved.write(".gitattributes", "*.bat text eol=crlf\n");
    saved.write("run.bat", &text("line 20"));
    saved.write("guess.txt", "kept\r\n");
    saved.clone.git(&["config", "core.autocrlf", "input"]);
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "files"]);
    assert_eq!(
        saved.differs().1,
        [],
        "git says the same: {}",
        saved.git_lines(&["status", "--porcelain"])
    );

    saved.write("run.bat", &text("changed"));
    let (_, body) = saved.shown("run.bat");
    let expected = [
        (LineKind::Removed, "line 20".to_owned()),
        (LineKind::Added, "changed".to_owned()),
    ];
    assert_eq!(shown_lines(&body), expected);
    saved.does(PickAct::Stage, "run.bat", HUNK).unwrap();
    assert_eq!(saved.git_lines(&["status", "--porcelain"]), "M  run.bat");
    assert_eq!(saved.git_lines(&["diff"]), "");
    assert_eq!(saved.git_lines(&["diff", "--cached", "--numstat"]), "1\t1\trun.bat");
    saved.does(PickAct::Unstage, "run.bat", HUNK).unwrap();
    assert_eq!(saved.git_lines(&["diff", "--cached"]), "");
    saved.does(PickAct::Discard, "run.bat", HUNK).unwrap();
    assert_eq!(saved.text("run.bat"), text("line 20"), "with its returns");
    assert_eq!(saved.git_lines(&["status", "--porcelain"]), "");

    saved.write("run.bat", &text("changed").replacen("\r\n", "\n", 1));
    let mixed = saved.does(PickAct::Discard, "run.bat", HUNK).unwrap_err();
    assert_eq!(
        mixed,
        "run.bat: the ends of its lines differ from each other: discard the whole file"
    );
    saved.does(PickAct::Discard, "run.bat", &[]).unwrap();
    assert_eq!(saved.text("run.bat"), text("line 20"));
    fs::remove_file(saved.path("run.bat")).unwrap();
    saved.does(PickAct::Discard, "run.bat", &[]).unwrap();
    assert_eq!(saved.text("run.bat"), text("line 20"));
}

#[test]
fn what_git_lfs_keeps_is_compared_with_its_pointer() {
    let saved = SavedClone::new();
    let pointer = |content: &[u8]| {
        let sum = data_encoding::HEXLOWER.encode(&<sha2::Sha256 as sha2::Digest>::digest(content));
        format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{sum}\nsize {}\n",
            content.len()
        )
    };
    let content = b"a large\0picture".as_slice();
    saved.write("a.bin", &pointer(content));
    saved.write("b.bin", &pointer(b"another"));
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "pointers"]);
    saved.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    saved.clone.git(&["add", "-A"]);
    saved
        .clone
        .git(&["-c", "filter.lfs.clean=cat", "commit", "-q", "-m", "attributes"]);
    // As `git lfs pull` leaves it.
    fs::write(saved.path("a.bin"), content).unwrap();
    assert_eq!(saved.differs().1, []);

    fs::write(saved.path("a.bin"), b"a larger\0picture").unwrap();
    let (_, changes) = saved.differs();
    let counts: Vec<_> = changes
        .iter()
        .map(|change| (change.binary, change.added, change.removed))
        .collect();
    assert_eq!(counts, [(true, 0, 0)]);
    let (_, body) = saved.shown("a.bin");
    let sizes = DiffBody::Lfs {
        before: Some(15),
        after: Some(16),
    };
    assert_eq!(body, sizes);
    let refused = saved.does(PickAct::Stage, "a.bin", &[]).unwrap_err();
    assert_eq!(refused, "a.bin: git LFS stores it, which parlour does not run");
}

#[test]
fn a_picture_says_its_size() {
    let saved = SavedClone::new();
    // What stands in front of all pictures of this kind.
    let gif = |wide: u8, high: u8| [b"GIF89a", &[wide, 0, high, 0][..], &[0; 4]].concat();
    fs::write(saved.path("a.gif"), gif(3, 2)).unwrap();
    saved.clone.git(&["add", "-A"]);
    saved.clone.git(&["commit", "-q", "-m", "picture"]);
    fs::write(saved.path("a.gif"), gif(30, 20)).unwrap();
    let DiffBody::Binary { before, after } = saved.shown("a.gif").1 else {
        panic!("it is binary");
    };
    let told = |side: Option<crate::model::diff::BinaryContent>| {
        let side = side.unwrap();
        let image = side.image.unwrap();
        (side.bytes, image.kind, image.width, image.height)
    };
    assert_eq!(told(before), (14, "GIF".into(), 3, 2));
    assert_eq!(told(after), (14, "GIF".into(), 30, 20));
}

//! What may be named, what may not, and which spellings are one origin.

use std::path::Path;

use super::super::source::Remote;
use super::super::*;
use super::support::*;

fn parse(text: &str) -> Result<CloneSource, Error> {
    CloneSource::parse(text, Path::new("/work/here"))
}

fn remote(text: &str) -> Remote {
    match parse(text).unwrap() {
        CloneSource::Remote(remote) => remote,
        CloneSource::Local(path) => panic!("{text} was read as the path {}", path.display()),
    }
}

fn key(text: &str) -> String {
    Origin::remote(&remote(text)).key
}

#[test]
fn one_origin_has_one_key_however_it_is_spelt() {
    for text in [
        "https://github.com/team/app",
        "https://GitHub.com/team/app.git",
        "https://github.com:443/team/app/",
        "https://ada:secret@github.com/team/app.git/",
        "ssh://git@github.com/team/app.git",
        "ssh://git@github.com:22/team/app",
        "git@github.com:team/app.git",
        "git@GITHUB.com:/team//app",
        "github.com:team/app",
    ] {
        assert_eq!(key(text), "github.com/team/app", "{text}");
    }
}

#[test]
fn different_origins_have_different_keys_and_caches() {
    let all = [
        "https://github.com/team/app",
        "https://github.com/Team/app",
        "https://github.com:8443/team/app",
        "https://gitlab.com/team/app",
        "https://github.com/team/app/sub",
        "https://github.com/team/app.git/sub",
        "https://github.com/team%2Fapp",
        "ada@host.example:app",
        "bob@host.example:app",
        "bob@host.example:/app",
    ];
    let origins: Vec<_> = all.iter().map(|text| Origin::remote(&remote(text))).collect();
    for (at, one) in origins.iter().enumerate() {
        for other in &origins[..at] {
            // An encoded slash is a slash to every host that we know.
            if one.key != "github.com/team/app" {
                assert_ne!(one.key, other.key);
                assert_ne!(one.cache, other.cache);
            }
            assert!(one.cache == other.cache || !one.cache.starts_with(&other.cache));
        }
    }
}

#[test]
fn an_address_has_a_cache_and_a_name() {
    let origin = Origin::remote(&remote("https://github.com/org/.github"));
    assert_eq!(origin.cache, Path::new("github.com/org/%2Egithub.git"));
    assert_eq!(origin.name.as_str(), "github");
    let origin = Origin::remote(&remote("ssh://git@host:2222/a/b/c.git"));
    assert_eq!(origin.cache, Path::new("host+2222/a/b/c.git"));
    assert_eq!((origin.name.as_str(), origin.key.as_str()), ("c", "host:2222/a/b/c"));
}

#[test]
fn secrets_in_an_address_are_neither_stored_nor_shown() {
    let source = parse("https://ada:s3cret@github.com/team/app.git").unwrap();
    assert_eq!(source.to_string(), "https://github.com/team/app.git");
    assert!(!format!("{source:?}").contains("s3cret"));
    let origin = Origin::remote(&remote("https://ada:s3cret@github.com/team/app.git"));
    assert!(!format!("{origin:?}").contains("s3cret"));
    for bad in [
        "http://ada:s3cret@example.com/a",
        "ftp://ada:s3cret@example.com/a",
        "https://ada:s3cret@h/a?t=s3cret",
    ] {
        let error = parse(bad).unwrap_err().to_string();
        assert!(!error.contains("s3cret"), "{error}");
    }
}

#[test]
fn paths_are_local() {
    for (text, path) in [
        ("/a/b", "/a/b"),
        ("x", "/work/here/x"),
        ("./a:b", "/work/here/./a:b"),
        ("file:///a/b%20c", "/a/b c"),
    ] {
        assert_eq!(parse(text).unwrap(), CloneSource::Local(path.into()));
    }
    assert_eq!(
        parse("~/x").unwrap(),
        CloneSource::Local(std::env::home_dir().unwrap().join("x"))
    );
}

#[test]
fn plain_http_is_only_for_this_machine() {
    for text in ["http://127.0.0.1:8080/a", "http://localhost/a", "http://[::1]:1/a"] {
        assert_eq!(remote(text).protocols, "http");
    }
}

#[test]
fn what_is_no_source_is_refused_with_a_reason() {
    for (text, why) in [
        ("", "nothing was named"),
        ("  ", "nothing was named"),
        ("ext::sh -c touch% /tmp/x", "remote helpers run programs"),
        ("fd::17", "remote helpers run programs"),
        ("git://github.com/a/b", "only https"),
        ("ftp://github.com/a/b", "only https"),
        ("http://github.com/a/b", "plain http"),
        ("http://127.0.0.1.evil.example/a", "plain http"),
        ("--upload-pack=touch /tmp/x", "starts with a dash"),
        ("-oProxyCommand=x:y", "starts with a dash"),
        ("ssh://-oProxyCommand=x/a", "no "),
        ("ssh://-oProxy@host/a", "looks like an option"),
        ("a@-oProxyCommand=x:y", "no user or host"),
        ("-a@host:y", "starts with a dash"),
        ("git@host:-y", "looks like an option"),
        ("https://github.com/a/b?x=1", "a query"),
        ("https://github.com/a/b#x", "a query or a fragment"),
        ("https://github.com/", "no repository"),
        ("git@host:", "no repository"),
        ("git@host:../../etc", "`..`"),
        ("https://github.com/a/%2e%2e%2fb", "`..`"),
        ("https://github.com/a/b%0Ac", "control, invisible"),
        ("https://github.com/a/\u{202E}b", "control, invisible"),
        ("https://github.com/a\u{200B}/b", "control, invisible"),
        ("/a\u{1b}[31m", "control, invisible"),
        ("file://otherhost/a", "another machine"),
        ("~ada/x", "another person's home"),
    ] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains(why), "{text:?}: {error}");
        assert!(!error.chars().any(crate::fs::is_hidden_char), "{text:?}");
    }
}

#[test]
fn branch_names_are_judged_as_git_judges_them() {
    let home = home();
    let repo = home.repository("app");
    for name in [
        "main",
        "feature/login",
        "a.b",
        "ünïcode",
        "a@b",
        "日本",
        "a-",
        "-a",
        "a..b",
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a.",
        "a@{b",
        "a\u{7f}",
        "a\tb",
        "",
    ] {
        let git = std::process::Command::new("git")
            .args(["check-ref-format", "--branch", name])
            .output()
            .unwrap();
        assert_eq!(BranchName::parse(name).is_ok(), git.status.success(), "{name:?}");
    }
    assert!(BranchName::parse("a\u{202E}b").is_err());
    assert!(BranchName::parse("a\u{200D}b").is_err());
    assert!(BranchName::parse("HEAD").is_err());
    assert!(BranchName::parse("@").is_err());
    assert!(BranchName::parse("refs/heads/x").is_err());
    assert!(home.open_on(&repo, Some("--orphan"), None).is_err());
    assert!(home.open_on(&repo, Some("x"), Some("--upload-pack=x")).is_err());
}

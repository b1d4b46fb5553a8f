//! Caches that cannot be read back, as after a power cut: they are fetched anew.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::*;
use super::support::*;
use crate::fs::Dir;

/// Each pack becomes what is made of it.
fn spoil(cache: &Path, with: fn(Vec<u8>) -> Vec<u8>) {
    for entry in fs::read_dir(cache.join("objects/pack")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pack") {
            put(&path, with(fs::read(&path).unwrap()));
        }
    }
}

fn cut_off(pack: Vec<u8>) -> Vec<u8> {
    pack[..pack.len() / 2].to_vec()
}

fn changed(mut pack: Vec<u8>) -> Vec<u8> {
    let middle = pack.len() / 2;
    pack[middle] ^= 0xff;
    pack
}

/// What lies there is replaced, though it is read-only.
fn put(path: &Path, content: impl AsRef<[u8]>) {
    fs::remove_file(path).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn a_damaged_cache_is_fetched_anew_once() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 7] = [
        ("a pack that is cut off", |cache| spoil(cache, cut_off)),
        ("a changed byte", |cache| spoil(cache, changed)),
        ("lost objects", |cache| {
            fs::remove_dir_all(cache.join("objects/pack")).unwrap();
            fs::create_dir(cache.join("objects/pack")).unwrap();
        }),
        ("a broken config", |cache| put(&cache.join("config"), "[")),
        ("an empty directory", |cache| {
            fs::remove_dir_all(cache).unwrap();
            fs::create_dir(cache).unwrap();
        }),
        ("a file", |cache| {
            fs::remove_dir_all(cache).unwrap();
            fs::write(cache, "").unwrap();
        }),
        ("a link", |cache| {
            fs::remove_dir_all(cache).unwrap();
            std::os::unix::fs::symlink("/etc", cache).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let home = home();
        let repo = home.repository("app");
        let origin = home.origin(repo.text());
        assert!(!home.open(&repo).renewed);
        damage(&home.caches.path_of(&origin));
        let opened = run(&home.job(&origin)).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(opened.renewed, "{what}");
        Repo(opened.path).git(&["fsck", "--strict"]);
        assert!(!home.open(&repo).renewed, "{what}");
        assert_eq!(names(&home.staging), [""; 0], "{what}");
        let cache = Dir::open(home.caches.path_of(&origin)).unwrap();
        assert_eq!(damaged_files(&cache).unwrap(), [""; 0].map(PathBuf::from), "{what}");
    }
}

#[test]
fn a_damaged_cache_stays_while_its_origin_cannot_be_reached() {
    let home = home();
    ssh(&home, SERVE);
    let repo = home.repository("app");
    let origin = over_ssh(&home, &repo);
    run(&home.job(&origin)).unwrap();
    let cache = home.caches.path_of(&origin);
    spoil(&cache, cut_off);
    let before = manifest(&cache);
    ssh(&home, "echo 'fatal: no route to host' >&2; exit 255");
    let error = run(&home.job(&origin)).unwrap_err().to_string();
    assert!(
        error.contains("is damaged") && error.contains("no route to host"),
        "{error}"
    );
    assert_eq!(manifest(&cache), before);
    ssh(&home, SERVE);
    assert!(run(&home.job(&origin)).unwrap().renewed);
}

#[test]
fn what_only_a_damaged_cache_had_stays_with_those_that_borrow_it() {
    let home = home();
    let repo = home.repository("app");
    let old = repo.commit("a", "old");
    home.open(&repo);
    let origin = home.origin(repo.text());
    let cache = Repo(home.caches.path_of(&origin));
    repo.git(&["commit", "-q", "--amend", "-m", "rewritten"]);
    put(&cache.0.join("config"), "[");
    assert!(home.open(&repo).renewed);
    assert_eq!(cache.git(&["cat-file", "-t", &old]), "commit");
}

#[test]
fn a_cache_that_can_be_read_is_kept_whatever_fails() {
    let home = home();
    let repo = home.repository("app");
    home.open(&repo);
    let origin = home.origin(repo.text());
    let before = home.caches.path_of(&origin).join("HEAD");
    let inode = || std::os::unix::fs::MetadataExt::ino(&fs::metadata(before.parent().unwrap()).unwrap());
    let first = inode();
    home.open_on(&repo, Some("absent"), Some("nowhere")).unwrap_err();
    assert_eq!(inode(), first);
}

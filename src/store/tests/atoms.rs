//! Work graphs as files, which agents edit too.

use std::convert::Infallible;
use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::model::atom::{AtomChange, AtomKey, AtomRequester, AtomStatus, Edit, Graph, NewAtom, NewAtoms, Who};
use crate::model::{Handle, Problem};

fn by(chat: &ChatId, other: &ChatId) -> AtomRequester {
    let handle = |chat: &ChatId| Handle::parse(chat.as_str()).unwrap();
    AtomRequester {
        who: Who::Agent,
        chat: chat.clone(),
        tree: [chat, other].map(|chat| (chat.clone(), vec![handle(chat)])).into(),
        below: Default::default(),
    }
}

fn change(home: &Home, root: &ChatId, change: &AtomChange, by: &AtomRequester) -> Result<Graph, Problem> {
    let with = |graph: &mut Graph| graph.change(change, by, NOW).map(|molecule| vec![molecule]);
    let chat = home.change_atoms(root, with).expect("the disk takes it")?;
    Ok(chat.work.expect("it has a graph now"))
}

fn add(ids: &[String]) -> AtomChange {
    let atoms = ids.iter().map(|id| NewAtom {
        id: id.clone(),
        title: id.clone(),
        ..NewAtom::default()
    });
    AtomChange::Add(NewAtoms {
        molecule: "plan".into(),
        atoms: atoms.collect(),
    })
}

#[test]
fn of_two_who_claim_at_once_one_has_it_and_the_other_is_told_who() {
    let place = place();
    let (root, other) = (place.chat("Lead", 1), place.chat("One", 2));
    let ids: Vec<String> = (0..20).map(|id| format!("a{id}")).collect();
    change(&place.home, &root, &add(&ids), &by(&root, &other)).unwrap();
    let claim_all = |by: AtomRequester| {
        let claim = |id: &String| {
            let claimed = AtomChange::Claim(AtomKey::new("plan", id));
            change(&place.home, &root, &claimed, &by).map_err(|problem| problem.cause)
        };
        ids.iter().map(claim).collect::<Vec<_>>()
    };
    let (mine, theirs) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| claim_all(by(&other, &root)));
        (claim_all(by(&root, &other)), theirs.join().unwrap())
    });
    let graph = place.home.load(&root).unwrap().work.unwrap();
    for ((id, mine), theirs) in ids.iter().zip(mine).zip(theirs) {
        let (owner, loser) = match (&mine, &theirs) {
            (Ok(_), Err(why)) => (&root, why),
            (Err(why), Ok(_)) => (&other, why),
            (Ok(_), Ok(_)) | (Err(_), Err(_)) => panic!("{id}: {mine:?} {theirs:?}"),
        };
        assert_eq!(*loser, format!("it is in progress with {owner}"));
        let atom = graph.get(&AtomKey::new("plan", id)).unwrap();
        assert_eq!(atom.owner.as_deref(), Some(owner.as_str()));
    }
}

#[test]
fn what_an_agent_wrote_into_its_files_stays() {
    let place = place();
    let root = place.chat("Lead", 1);
    let folder = place.home.chat_path(&root).join("molecules");
    let by_hand = r#"{"v":1,"why":"a plan","atoms":[{"id":"a","title":"A","estimate":{"days":2}},{"title":"no id"}]}"#;
    fs::write(folder.join("plan.json"), by_hand).unwrap();
    fs::write(folder.join("torn.json"), "{\"v\":1,").unwrap();
    fs::write(folder.join("Odd Name.json"), by_hand).unwrap();
    fs::write(folder.join("notes.txt"), "not a molecule").unwrap();
    symlink("/etc/passwd", folder.join("link.json")).unwrap();
    let done = AtomChange::Update(AtomKey::new("plan", "a"), Edit::to(AtomStatus::Done));
    let person = AtomRequester {
        who: Who::Person,
        ..by(&root, &root)
    };
    let graph = change(&place.home, &root, &done, &person).unwrap();
    let odd: Vec<String> = graph.odd().into_iter().map(|(name, _)| name).collect();
    assert_eq!(odd, ["Odd Name", "link", "plan", "torn"]);
    let text = fs::read_to_string(folder.join("plan.json")).unwrap();
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["why"], "a plan");
    assert_eq!(read["atoms"][0]["estimate"]["days"], 2);
    assert_eq!(read["atoms"][0]["status"], "done");
    assert_eq!(read["atoms"][1], serde_json::json!({"title": "no id"}));
    assert_eq!(fs::read_to_string(folder.join("torn.json")).unwrap(), "{\"v\":1,");
}

#[test]
fn a_folder_that_leads_elsewhere_is_not_written_through() {
    let place = place();
    let root = place.chat("Lead", 1);
    let elsewhere = place.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let folder = place.home.chat_path(&root).join("molecules");
    fs::remove_dir(&folder).unwrap();
    symlink(&elsewhere, folder).unwrap();
    let tried = place.home.change_atoms(&root, |graph| {
        Ok::<_, Infallible>(vec![graph.molecules.len().to_string()])
    });
    assert!(tried.is_err());
    let chat = place.home.load(&root).unwrap();
    assert_eq!(chat.work, None);
    assert!(chat.damage.unwrap().contains("molecules"));
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
}

#[test]
fn a_molecule_that_was_not_read_is_never_written_over() {
    let place = place();
    let root = place.chat("Lead", 1);
    let folder = place.home.chat_path(&root).join("molecules");
    for at in 10..80 {
        fs::write(
            folder.join(format!("m{at}.json")),
            r#"{"v":1,"atoms":[{"id":"a","title":"A"}]}"#,
        )
        .unwrap();
    }
    let into = |molecule: &str| {
        let AtomChange::Add(NewAtoms { atoms, .. }) = add(&["b".into()]) else {
            panic!("it adds");
        };
        let change_it = AtomChange::Add(NewAtoms {
            molecule: molecule.into(),
            atoms,
        });
        change(&place.home, &root, &change_it, &by(&root, &root)).map_err(|problem| problem.cause)
    };
    let full = "a tree of chats holds 64 molecules at most";
    assert_eq!(into("m79").unwrap_err(), full);
    assert_eq!(into("new").unwrap_err(), full);
    assert!(!fs::read_to_string(folder.join("m79.json")).unwrap().contains("\"b\""));
    assert!(into("m20").is_ok());
}

#[test]
fn a_molecule_that_appeared_meanwhile_is_never_written_over() {
    let place = place();
    let root = place.chat("Lead", 1);
    let file = place.home.chat_path(&root).join("molecules/plan.json");
    let tried = place.home.change_atoms(&root, |graph| {
        fs::write(&file, "theirs").unwrap();
        graph
            .change(&add(&["a".into()]), &by(&root, &root), NOW)
            .map(|molecule| vec![molecule])
    });
    assert!(tried.is_err());
    assert_eq!(fs::read_to_string(file).unwrap(), "theirs");
}

#[test]
fn a_graph_of_many_large_files_is_read_no_further_than_its_bound() {
    let place = place();
    let root = place.chat("Lead", 1);
    let folder = place.home.chat_path(&root).join("molecules");
    let large = format!(r#"{{"v":1,"why":"{}","atoms":[]}}"#, "x".repeat(1_000_000));
    for number in 0..20 {
        fs::write(folder.join(format!("m{number}.json")), &large).unwrap();
    }
    let graph = place.home.load(&root).unwrap().work.unwrap();
    let damaged = graph.molecules.iter().filter_map(|molecule| molecule.damage.as_deref());
    let why: Vec<&str> = damaged.collect();
    assert_eq!((graph.molecules.len(), why.len()), (20, 12));
    assert_eq!(why[0], "the files of a graph may have 8 MiB together");
    let (me, addition) = (by(&root, &root), add(&["a".into()]));
    let with = |graph: &mut Graph| graph.change(&addition, &me, NOW).map(|molecule| vec![molecule]);
    assert!(place.home.change_atoms(&root, with).is_err(), "it would not be read");
}

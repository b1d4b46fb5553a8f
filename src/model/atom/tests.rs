//! Graphs as agents write them, and what may be done to them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::model::{ChatId, Handle, Timestamp};

const NOW: Timestamp = Timestamp(1_771_156_800_000);

fn molecule(name: &str, atoms: &str) -> Molecule {
    Molecule::parse(name, format!("{{\"v\":1,\"atoms\":[{atoms}]}}").as_bytes())
}

/// Atoms as `id` or `id: need need`, a `+` before what is done.
fn graph(molecules: &[(&str, &[&str])]) -> Graph {
    let atom = |line: &&str| {
        let (status, line) = match line.strip_prefix('+') {
            Some(line) => ("done", line),
            None => ("todo", *line),
        };
        let (id, needs) = line.split_once(": ").unwrap_or((line, ""));
        let needs: Vec<&str> = needs.split_whitespace().collect();
        serde_json::json!({"id": id, "title": id, "status": status, "needs": needs}).to_string()
    };
    let parse = |(name, atoms): &(&str, &[&str])| {
        let atoms: Vec<String> = atoms.iter().map(atom).collect();
        molecule(name, &atoms.join(","))
    };
    Graph {
        molecules: molecules.iter().map(parse).collect(),
    }
}

fn chat(short: &str) -> ChatId {
    ChatId::parse(&format!("{short:a<10}")).unwrap()
}

fn by(short: &str, who: Who) -> AtomRequester {
    let handle = |short: &str| Handle::parse(short).unwrap();
    AtomRequester {
        who,
        chat: chat(short),
        tree: BTreeMap::from(["lead", "one", "two"].map(|short| (chat(short), vec![handle(short)]))),
        below: match short {
            "lead" => BTreeSet::from([chat("one"), chat("two")]),
            _ => BTreeSet::new(),
        },
    }
}

fn agent(short: &str) -> AtomRequester {
    by(short, Who::Agent)
}

fn person() -> AtomRequester {
    by("one", Who::Person)
}

fn new(id: &str, needs: &[&str]) -> NewAtom {
    NewAtom {
        id: id.into(),
        title: id.into(),
        needs: needs.iter().map(|need| need.to_string()).collect(),
        ..NewAtom::default()
    }
}

fn add(molecule: &str, atoms: &[NewAtom]) -> AtomChange {
    AtomChange::Add(NewAtoms {
        molecule: molecule.into(),
        atoms: atoms.to_vec(),
    })
}

fn key(id: &str) -> AtomKey {
    AtomKey::new("m", id)
}

fn to(id: &str, status: AtomStatus) -> AtomChange {
    AtomChange::Update(key(id), Edit::to(status))
}

fn refusal(graph: &mut Graph, change: &AtomChange, by: &AtomRequester) -> String {
    let before = graph.clone();
    let problem = graph.change(change, by, NOW).expect_err("it is refused");
    assert_eq!(*graph, before);
    problem.cause
}

#[test]
fn only_what_waits_for_nothing_is_ready() {
    let graph = graph(&[("m", &["+a", "b: a", "c: b n/x", "d: gone"]), ("n", &["+x"])]);
    let ready: Vec<String> = graph
        .atoms()
        .filter(|(key, _)| graph.is_ready(key))
        .map(|(key, _)| key.to_string())
        .collect();
    assert_eq!(ready, ["m/b"]);
    assert_eq!(graph.waits_for(&key("c")), ["b"]);
    assert_eq!(graph.waits_for(&key("d")), ["gone"]);
}

#[test]
fn a_circle_is_refused_and_named() {
    let mut two = graph(&[("m", &["a: b", "b: n/x"]), ("n", &[])]);
    assert_eq!(
        refusal(&mut two, &add("n", &[new("x", &["m/a"])]), &agent("one")),
        "they would wait for each other for ever: x needs m/a needs m/b needs x"
    );
    let mut one = graph(&[]);
    let both = add("m", &[new("a", &["b"]), new("b", &["a"])]);
    assert_eq!(
        refusal(&mut one, &both, &agent("one")),
        "they would wait for each other for ever: a needs b needs a"
    );
    assert_eq!(
        refusal(&mut one, &add("m", &[new("a", &["a"])]), &agent("one")),
        "they would wait for each other for ever: a needs a"
    );
}

#[test]
fn an_unknown_need_is_refused_and_so_is_a_second_atom_of_one_name() {
    let mut graph = graph(&[("m", &["a"])]);
    let unknown = add("m", &[new("b", &["a", "n/x"])]);
    assert_eq!(
        refusal(&mut graph, &unknown, &agent("one")),
        "b needs n/x, which is not there"
    );
    assert_eq!(
        refusal(&mut graph, &add("m", &[new("a", &[])]), &agent("one")),
        "there is an atom a already"
    );
    let nameless = NewAtom {
        id: "c".into(),
        ..NewAtom::default()
    };
    assert_eq!(
        refusal(&mut graph, &add("m", &[nameless]), &agent("one")),
        "c has no title"
    );
}

#[test]
fn a_comma_too_many_names_no_need() {
    let mut graph = graph(&[("m", &["a"])]);
    graph
        .change(&add("m", &[new("b", &["a", "", " "])]), &agent("one"), NOW)
        .unwrap();
    assert_eq!(graph.get(&key("b")).unwrap().needs, ["a"]);
}

#[test]
fn what_a_person_has_done_is_said_to_be_done_by_a_person() {
    let mut graph = graph(&[("m", &["a"])]);
    graph.change(&to("a", AtomStatus::Done), &person(), NOW).unwrap();
    assert_eq!(
        refusal(&mut graph, &AtomChange::Claim(key("a")), &agent("one")),
        "it was done by a person"
    );
}

#[test]
fn an_atom_has_one_owner_and_that_one_finishes_it() {
    let mut graph = graph(&[("m", &["a", "b: a"])]);
    let (one, two) = (agent("one"), agent("two"));
    let claim = AtomChange::Claim(key("a"));
    assert_eq!(
        refusal(&mut graph, &to("a", AtomStatus::Done), &one),
        "nobody has claimed it"
    );
    assert_eq!(
        refusal(&mut graph, &AtomChange::Claim(key("b")), &one),
        "it waits for a"
    );
    graph.change(&claim, &one, NOW).unwrap();
    graph.change(&claim, &one, NOW).expect("it is theirs already");
    assert_eq!(refusal(&mut graph, &claim, &two), "it is in progress with one");
    assert_eq!(
        refusal(&mut graph, &to("a", AtomStatus::Done), &two),
        "it is in progress with one"
    );
    graph.change(&to("a", AtomStatus::Done), &one, NOW).unwrap();
    assert_eq!(graph.get(&key("a")).unwrap().owner, Some(chat("one").to_string()));
    graph.change(&AtomChange::Claim(key("b")), &two, NOW).unwrap();
    assert_eq!(refusal(&mut graph, &claim, &two), "it was done by one");
}

#[test]
fn who_gave_the_work_sets_it_back_and_so_does_a_person() {
    let back = to("a", AtomStatus::Todo);
    for (who, may) in [
        (agent("two"), false),
        (agent("one"), true),
        (agent("lead"), true),
        (person(), true),
    ] {
        let mut graph = graph(&[("m", &["a"])]);
        graph.change(&AtomChange::Claim(key("a")), &agent("one"), NOW).unwrap();
        assert_eq!(graph.change(&back, &who, NOW).is_ok(), may, "{who:?}");
        assert_eq!(graph.get(&key("a")).unwrap().owner.is_none(), may);
    }
    let mut by_hand = Graph {
        molecules: vec![molecule(
            "m",
            r#"{"id":"a","title":"a","status":"in_progress","owner":"ghost"}"#,
        )],
    };
    assert_eq!(
        refusal(&mut by_hand, &AtomChange::Claim(key("a")), &agent("one")),
        "it is in progress with ghost, which is no chat of this tree"
    );
    by_hand
        .change(&back, &agent("two"), NOW)
        .expect("nobody of the tree has it");
}

#[test]
fn what_a_dead_owner_had_in_progress_is_free_again_and_says_so() {
    let mut graph = Graph {
        molecules: vec![molecule(
            "m",
            r#"{"id":"a","title":"a","status":"in_progress","owner":"one"},
               {"id":"b","title":"b","status":"in_progress","owner":"two"},
               {"id":"c","title":"c","status":"done","owner":"one"},
               {"id":"d","title":"d","status":"in_progress","owner":"new-chat"}"#,
        )],
    };
    let release = Release {
        owner: chat("one"),
        handles: ["one", "new-chat"].map(|handle| Handle::parse(handle).unwrap()).into(),
        why: "ended by signal 9".into(),
    };
    assert_eq!(graph.release(&release, NOW), ["m"]);
    let shown = |id: &str| {
        let atom = graph.get(&key(id)).unwrap();
        (atom.status, atom.owner.clone(), atom.note.clone())
    };
    let note = "free again: one, whose it was, has ended (ended by signal 9)";
    assert_eq!(shown("a"), (AtomStatus::Todo, None, note.into()));
    assert_eq!(shown("d"), (AtomStatus::Todo, None, note.into()));
    assert_eq!(shown("b"), (AtomStatus::InProgress, Some("two".into()), String::new()));
    assert_eq!(shown("c"), (AtomStatus::Done, Some("one".into()), String::new()));
}

#[test]
fn what_is_no_atom_is_said_and_kept() {
    let mut graph = Graph {
        molecules: vec![
            molecule(
                "m",
                r#"{"id":"a","title":"a","priority":3,"detail":null},{"id":"b","status":"doing"},"x",{"id":"a"},{"id":"c/d"}"#,
            ),
            Molecule::parse("n", b"{"),
        ],
    };
    let said: Vec<String> = graph
        .odd()
        .into_iter()
        .map(|(name, why)| format!("{name}: {why}"))
        .collect();
    assert_eq!(
        said,
        [
            "m: unknown variant `doing`, expected one of `todo`, `in_progress`, `done`",
            "m: invalid type: string \"x\", expected struct Atom",
            "m: two atoms are called a",
            "m: \"c/d\" is no id",
            "n: it is not JSON: EOF while parsing an object at line 1 column 1",
        ]
    );
    graph.change(&AtomChange::Claim(key("a")), &agent("one"), NOW).unwrap();
    let text = graph.molecules[0].text();
    let again = Molecule::parse("m", text.as_bytes());
    assert_eq!(again, graph.molecules[0]);
    assert!(text.contains("\"priority\": 3") && text.contains("\"doing\""), "{text}");
    assert_eq!(
        refusal(&mut graph, &add("n", &[new("x", &[])]), &agent("one")),
        "molecules/n.json cannot be read: it is not JSON: EOF while parsing an object at line 1 column 1"
    );
}

#[test]
fn layers_count_the_longest_way_and_end_in_a_circle_too() {
    let names = |graph: &Graph| -> Vec<Vec<String>> {
        let layers = graph.layers().into_iter();
        layers
            .map(|layer| layer.into_iter().map(|key| key.id).collect())
            .collect()
    };
    let plan = graph(&[("m", &["a", "b: a", "c: a", "d: b c a", "e"])]);
    assert_eq!(names(&plan), [vec!["a", "e"], vec!["b", "c"], vec!["d"]]);
    let circle = graph(&[("m", &["a: c", "b: a", "c: b", "d: c"])]);
    assert_eq!(names(&circle).concat().len(), 4);
    assert_eq!(circle.circle(None).as_deref(), Some("a needs c needs b needs a"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever needs what: each atom is in one layer, behind all that it needs where there is no circle.
    #[test]
    fn any_graph_has_layers(needs in prop::collection::vec(prop::collection::vec(0usize..12, 0..4), 1..12)) {
        let lines: Vec<String> = needs
            .iter()
            .enumerate()
            .map(|(at, needs)| format!("{at}: {}", needs.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = graph(&[("m", &lines)]);
        let layers = graph.layers();
        prop_assert_eq!(layers.iter().map(Vec::len).sum::<usize>(), needs.len());
        if graph.circle(None).is_none() {
            let depth = |id: &str| layers.iter().position(|layer| layer.iter().any(|key| key.id == id));
            for (key, atom) in graph.atoms() {
                for need in atom.needs.iter().filter_map(|need| depth(need)) {
                    prop_assert!(Some(need) < depth(&key.id));
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let molecule = Molecule::parse("m", &bytes);
        prop_assert!(molecule.damage.is_some());
    }
}

#[test]
fn a_graph_that_nobody_could_follow_is_not_read() {
    let molecule = |name: &str, atoms: usize, needs: usize| {
        let needs: Vec<String> = (0..needs).map(|at| format!("a{at}")).collect();
        let atoms = (0..atoms).map(|at| serde_json::json!({"id": format!("a{at}"), "title": "x", "needs": needs}));
        let text = serde_json::json!({"v": 1, "atoms": atoms.collect::<Vec<_>>()}).to_string();
        Molecule::parse(name, text.as_bytes())
    };
    assert_eq!(molecule("many", 1, 51).atoms().count(), 0);
    let read = |atoms: usize, needs: usize| {
        let mut graph = Graph::default();
        (0..6).for_each(|at| graph.take(molecule(&format!("m{at}"), atoms, needs)));
        let damaged: Vec<String> = graph.molecules.iter().filter_map(|one| one.damage.clone()).collect();
        (graph.atoms().count(), damaged)
    };
    let why = "with it this tree would hold more than 2000 atoms";
    assert_eq!(read(500, 0), (2_000, vec![why.to_string(); 2]));
    let why = "with it its atoms would need more than 5000 others";
    assert_eq!(read(40, 50), (80, vec![why.to_string(); 4]));
}

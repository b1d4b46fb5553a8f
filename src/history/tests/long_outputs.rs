//! Outputs that lie beside a transcript.

use super::*;
use crate::model::history::SEARCHED;

#[test]
fn a_long_output_is_found_where_it_stands() {
    let place = Place::new();
    let chat = place.chat(1);
    let mut output: String = (0..20_000).map(|line| format!("line {line} of it\n")).collect();
    output.push_str("the needle\n");
    place.write(
        &chat,
        1,
        vec![call("a", "Bash", "seq", None), ended("a", ToolStatus::Ok, &output)],
    );
    place.catch_up();
    let hits = place.page("needle", |_| {}).hits;
    let (file, from) = hits[0].output.clone().unwrap();
    assert_eq!(file, "outputs/a");
    let from = usize::try_from(from).unwrap();
    assert!(output[from..].contains("needle") && output[from..].starts_with("line "));
    assert!(
        shown(&hits[0]).ends_with("line 19999 of it the [needle]"),
        "{}",
        shown(&hits[0])
    );
}

#[test]
fn one_long_output_is_one_hit_and_hides_no_other() {
    let place = Place::new();
    let (chat, other) = (place.chat(1), place.chat(2));
    let output = "the needle is here, and here, and here\n".repeat(20_000);
    let made = vec![call("a", "Bash", "seq", None), ended("a", ToolStatus::Error, &output)];
    place.write(&chat, 1, made);
    place.write(&other, 2, vec![prompt("a needle")]);
    place.catch_up();
    let hits = place.page("needle", |ask| ask.limit = 3).hits;
    assert_eq!(hits.iter().map(|hit| &hit.chat).collect::<Vec<_>>(), [&chat, &other]);
    assert!(hits[0].places > 5 && hits[1].places == 1, "{}", hits[0].places);
}

#[test]
fn an_output_that_is_not_searched_to_its_end_is_told_beside_what_is_found() {
    let place = Place::new();
    let (chat, other) = (place.chat(1), place.chat(2));
    let output = "one line\n".repeat(2_000);
    let made = |id| vec![call(id, "Bash", "seq", None), ended(id, ToolStatus::Ok, &output)];
    place.write(&chat, 1, made("a"));
    place.write(&other, 2, made("b"));
    let kept = place.home.record_path(&chat).join("outputs/a");
    let kept = fs::OpenOptions::new().write(true).open(kept).unwrap();
    kept.set_len(100_000_000).unwrap();
    place.catch_up();
    let page = place.page("needle", |_| {});
    assert!(page.hits.is_empty());
    let told: Vec<_> = page
        .longer
        .iter()
        .map(|hit| (&hit.chat, hit.output.clone(), shown(hit)))
        .collect();
    let words = "2 output: only its first 64 MB of 100 MB were searched";
    assert_eq!(
        told,
        [(&chat, Some(("outputs/a".to_string(), SEARCHED)), words.to_string())]
    );
    let longer = |query: &str, change: &dyn Fn(&mut HistoryAsk)| place.page(query, |ask| change(ask)).longer.len();
    assert_eq!(longer("needle tool:bash", &|_| {}), 1);
    assert_eq!(longer("needle", &|ask| ask.chats = Some(vec![other.clone()])), 0);
    assert_eq!(longer("needle failed:yes", &|_| {}), 0);
    assert_eq!(longer("tool:bash", &|_| {}), 0, "all are listed");
    assert_eq!(place.find("one line").len(), 2);
}

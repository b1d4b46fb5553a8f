//! Outputs that are longer than their previews.

use std::io::Write;

use super::place;
use crate::model::output::{LinesAt, OutputPage};
use crate::store::{Home, KeptOutput};

fn kept(home: &Home, chat: &crate::model::ChatId, text: &[u8]) -> KeptOutput {
    let record = home.record_dir(chat).unwrap();
    record.create_dir("outputs").unwrap();
    record.write_atomic("outputs/t1", text).unwrap();
    home.output(chat, "outputs/t1").unwrap()
}

fn page(output: &KeptOutput, at: LinesAt) -> OutputPage {
    let index = output.index(&|| false).unwrap();
    output.page(&at, Some(&index), &|| false).unwrap()
}

fn texts(page: &OutputPage) -> Vec<&str> {
    page.lines.iter().map(|line| line.text.as_str()).collect()
}

#[test]
fn a_whole_output_is_read_by_pages_of_whole_lines_from_either_end() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let lines: Vec<String> = (0..20_000).map(|line| format!("größe {line}")).collect();
    let output = kept(home, &chat, (lines.join("\r\n") + "\n").as_bytes());
    let (mut forward, mut at) = (Vec::new(), 0);
    while at < output.whole() {
        let page = page(&output, LinesAt::After(at));
        assert_eq!(page.number, Some(forward.len() as u64));
        assert!(page.lines.len() <= 400 && page.from == at);
        forward.extend(texts(&page).into_iter().map(String::from));
        at = page.to;
    }
    assert!(forward == lines);
    let (mut backward, mut at) = (Vec::new(), u64::MAX);
    while at > 0 {
        let page = page(&output, LinesAt::Before(at));
        backward.splice(0..0, texts(&page).into_iter().map(String::from));
        at = page.from;
    }
    assert!(backward == lines);
    for odd in ["events.jsonl", "outputs/../events.jsonl", "outputs/none", "/etc/passwd"] {
        assert!(home.output(&chat, odd).is_err(), "{odd}");
    }
}

#[test]
fn a_line_is_found_by_its_number_and_by_words_in_it() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let text: String = (0..200_000).map(|line| format!("Line {line}\n")).collect();
    let output = kept(home, &chat, text.as_bytes());
    assert_eq!(output.index(&|| false).unwrap().lines, 200_000);
    for line in [0, 1, 23_456, 150_000, 199_999] {
        let page = page(&output, LinesAt::Line(line));
        let at = usize::try_from(line - page.number.unwrap()).unwrap();
        assert_eq!(page.lines[at].text, format!("Line {line}"));
    }
    assert!(texts(&page(&output, LinesAt::Line(u64::MAX))).ends_with(&["Line 199999"]));
    let place_of = |words: &str| text.find(words).unwrap() as u64;
    let next = |words: &str, from| page(&output, LinesAt::Next(words.into(), from));
    let last = |words: &str, to| page(&output, LinesAt::Last(words.into(), to)).found;
    let found = next("line 190000", 0);
    assert_eq!(found.found, Some(place_of("Line 190000")));
    assert_eq!(
        found.lines[found.line_with(found.found.unwrap()).unwrap()].text,
        "Line 190000"
    );
    assert_eq!(next("Line 190000", found.found.unwrap() + 1).found, None);
    assert_eq!(next("LINE", 0).found, None, "capitals are meant");
    assert_eq!(last("line", found.found.unwrap()), Some(place_of("Line 189999")));
    assert_eq!(last("line", 0), None);
    let cancelled = output
        .page(&LinesAt::Next("line 190000".into(), 0), None, &|| true)
        .unwrap();
    assert_eq!(cancelled.found, None);
}

#[test]
fn a_line_of_ten_megabytes_is_shown_in_part() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let mut text = b"first\n".to_vec();
    text.extend("é".repeat(5 << 20).as_bytes());
    text.extend(b"needle");
    text.extend("é".repeat(1 << 20).as_bytes());
    text.write_all(b"\nlast").unwrap();
    let output = kept(home, &chat, &text);
    let all = page(&output, LinesAt::After(0));
    assert_eq!(all.lines.len(), 3);
    let long = &all.lines[1];
    assert!(long.text.chars().all(|c| c == 'é') && long.text.len() <= 4 << 10);
    assert_eq!(long.text.len() as u64 + long.after, (12 << 20) + 6);
    assert_eq!((all.lines[2].text.as_str(), all.lines[2].after), ("last", 0));
    let end = page(&output, LinesAt::Before(output.whole()));
    assert_eq!(end.lines.last(), all.lines.last());
    let found = page(&output, LinesAt::Next("needle".into(), 0));
    let line = &found.lines[found.line_with(found.found.unwrap()).unwrap()];
    assert!(line.text.contains("needle") && !line.text.contains('\u{fffd}') && line.before > 0 && line.after > 0);
    assert_eq!(
        page(&output, LinesAt::Line(2)).line_with(text.len() as u64 - 1),
        Some(1)
    );
}

#[test]
fn a_stretch_is_copied_and_all_of_it_is_saved_in_a_new_file() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let output = kept(home, &chat, "größe\nzwei\n".as_bytes());
    assert_eq!(output.text((0, 8), 100).unwrap(), ("größe\n".into(), true));
    assert_eq!(output.text((0, 8), 3).unwrap(), ("gr".into(), false));
    let path = home.path().join("copy.txt");
    assert_eq!(output.save(&path).unwrap(), 13);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "größe\nzwei\n");
    assert!(output.save(&path).is_err(), "nothing is written over");
}

//! Outputs that are longer than their previews.

use super::place;

#[test]
fn a_whole_output_is_read_in_pieces_of_whole_lines_from_either_end() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let text: String = (0..20_000).map(|line| format!("größe {line}\n")).collect();
    let record = home.record_dir(&chat).unwrap();
    record.create_dir("outputs").unwrap();
    let file = "outputs/t1";
    record.write_atomic(file, &text).unwrap();
    let (mut forward, mut at) = (String::new(), 0);
    while at < text.len() as u64 {
        let piece = home.output_after(&chat, file, at).unwrap();
        assert!(piece.text.ends_with('\n') && piece.to - piece.from <= 64 << 10);
        forward += &piece.text;
        at = piece.to;
    }
    assert!(forward == text);
    let (mut tail_reader, mut at) = (String::new(), u64::MAX);
    while at > 0 {
        let piece = home.output_before(&chat, file, at).unwrap();
        tail_reader.insert_str(0, &piece.text);
        at = piece.from;
    }
    assert!(tail_reader == text);
    let one_line = "é".repeat(100_000);
    record.write_atomic(file, &one_line).unwrap();
    let first = home.output_after(&chat, file, 0).unwrap();
    let last = home.output_before(&chat, file, u64::MAX).unwrap();
    assert!(first.text.chars().chain(last.text.chars()).all(|c| c == 'é'));
    for odd in ["events.jsonl", "outputs/../events.jsonl", "outputs/none", "/etc/passwd"] {
        assert!(home.output_after(&chat, odd, 0).is_err(), "{odd}");
    }
}

#[test]
fn words_are_found_in_a_whole_output_in_either_direction() {
    let place = place();
    let (home, chat) = (&place.home, place.chat("Long", 1));
    let text: String = (0..20_000).map(|line| format!("Line {line}\n")).collect();
    let record = home.record_dir(&chat).unwrap();
    record.create_dir("outputs").unwrap();
    let file = "outputs/t1";
    record.write_atomic(file, &text).unwrap();
    let at = |words: &str| text.find(words).unwrap() as u64;
    let next = |words: &str, from| home.output_next(&chat, file, words, from).unwrap();
    let last = |words: &str, to| home.output_last(&chat, file, words, to).unwrap();
    let found = next("line 19000", 0).unwrap();
    assert_eq!((found.at, found.line), (at("Line 19000"), at("Line 19000")));
    assert_eq!(
        next("19000", 0).map(|found| (found.at, found.line)),
        Some((at("19000"), at("Line 19000")))
    );
    assert_eq!(next("Line 19000", found.at + 1), None);
    assert_eq!(next("LINE", 0), None, "capitals are meant");
    assert_eq!(last("line", found.at).unwrap().at, at("Line 18999"));
    assert_eq!(last("line", 0), None);
}

//! That looking only where a word stands finds what looking at each chat does.

use proptest::prelude::*;

use super::*;
use crate::domain::state::Facts;
use crate::model::{DirectoryPlace, Handle, Record};
use crate::screen::State;

fn chat(number: u64, (name, preview, updated): &(String, String, i64)) -> Chat {
    let id = ChatId::from_bits(number);
    let handle = Handle::parse(&format!("ab-{number}")).expect("it is a handle");
    Chat {
        record: Record::new(id, (name, handle), "claude", Timestamp(0)),
        role: None,
        place: DirectoryPlace::Here,
        projects: Vec::new(),
        changes: 0,
        declared: None,
        work: None,
        preview: preview.clone(),
        updated: Timestamp(*updated),
        seq: 0,
        ended: None,
        damage: None,
        inbox: 0,
        interrupted: false,
        failed: None,
        todos: Default::default(),
        unreadable: None,
    }
}

fn domain(chats: &[(String, String, i64)]) -> Domain {
    let mut state = State::new("/home".into(), Facts::default(), 7);
    for (number, said) in (1..).zip(chats) {
        let chat = chat(number, said);
        state.domain.disk.chats.insert(chat.id().clone(), chat);
    }
    state.domain
}

fn nearness() -> impl Strategy<Value = Nearness> {
    prop_oneof![Just(Nearness::Scattered), Just(Nearness::Said), Just(Nearness::Begins)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chats_are_found_by_where_a_word_stands_as_by_looking_at_each(
        chats in prop::collection::vec(("[abAB é.-]{0,8}", "[abc é\u{1F600}]{0,8}", 0..3_i64), 0..24),
        wanted in "[abcdul é1-]{1,6}",
    ) {
        let domain = domain(&chats);
        let texts = ChatTexts::of(&domain);
        let small = wanted.trim().to_lowercase();
        let words: Vec<Finder> = small.split_whitespace().map(Finder::new).collect();
        prop_assume!(!texts.may_be_states(&domain, &words));
        let (one, other) = (
            texts.near_where_found(&domain, &small, &words),
            texts.near_among_all(&domain, &small, &words),
        );
        prop_assert_eq!(one.all, other.all);
        let order = |best: BestMatches| best.in_order().iter().map(|found| (found.chat, found.near)).collect::<Vec<_>>();
        prop_assert_eq!(order(one), order(other));
    }

    #[test]
    fn the_best_of_many_are_those_that_sorting_all_brings_first(
        found in prop::collection::vec((nearness(), 0..2_u32, 0..3_i64), 0..2_500),
    ) {
        let found = || found.iter().enumerate().map(|(chat, (near, score, updated))| MatchingChat {
            near: *near,
            score: *score,
            updated: Timestamp(*updated),
            chat: Reverse(chat),
        });
        let mut best = BestMatches::default();
        found().for_each(|found| best.add(found));
        let mut sorted: Vec<MatchingChat> = found().collect();
        sorted.sort_by(|one, other| other.cmp(one));
        sorted.truncate(LISTED);
        prop_assert!(best.in_order() == sorted);
    }
}

#[test]
fn a_chat_is_found_by_what_it_does_though_no_text_says_so() {
    let domain = domain(&[("One".into(), String::new(), 1), ("Two".into(), String::new(), 2)]);
    let texts = ChatTexts::of(&domain);
    let found = |wanted: &str| texts.matching(&domain, wanted).chats.len();
    assert_eq!((found("end"), found("ended t"), found("en")), (2, 1, 0));
}

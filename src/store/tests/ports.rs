//! Blocks of ports, of which no two chats have the same.

use std::collections::BTreeSet;

use super::*;

fn port(place: &StoreStage, id: &ChatId) -> u16 {
    place.home.with_port(id).unwrap().record.port.unwrap()
}

#[test]
fn each_chat_has_a_block_of_its_own_and_keeps_it() {
    let place = place();
    // Far more than the square root of all blocks: some wish for the same one.
    let chats: Vec<ChatId> = (1..=120).map(|bits| place.chat("Many", bits)).collect();
    let ports: Vec<u16> = chats.iter().map(|chat| port(&place, chat)).collect();
    assert_eq!(ports.iter().collect::<BTreeSet<_>>().len(), 120);
    let fits = |port: &u16| (30_000..=32_750).contains(port) && port.is_multiple_of(10);
    assert!(ports.iter().all(fits), "{ports:?}");
    let place = place.reopened();
    let again: Vec<u16> = chats.iter().map(|chat| port(&place, chat)).collect();
    assert_eq!(again, ports);
}

#[test]
fn a_chat_that_is_brought_back_leaves_its_block_to_whoever_has_it_by_then() {
    let place = place();
    let (old, new) = (place.chat("Old", 1), place.chat("New", 2));
    let block = port(&place, &old);
    place.home.trash_chat(&old, NOW).unwrap();
    place.home.change(&new, |record| record.port = Some(block)).unwrap();
    place.home.restore(&old).unwrap();
    assert_eq!(port(&place, &new), block);
    assert_ne!(port(&place, &old), block);
}

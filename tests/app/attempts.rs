//! Which chats try the same as one.

use parlour::domain::review::attempt::others;

use crate::support::world::{World, id};

#[test]
fn those_of_its_own_family_come_before_all_others_that_work_on_the_same() {
    let mut world = World::new(120, 40);
    world.chat("lead", "Lead", 90).project("grove", "main");
    world
        .chat("older", "Older", 80)
        .project("grove", "one")
        .forked_from("lead", 1);
    world.chat("part", "Part", 70).project("grove", "two").below("older");
    world.chat("stray", "Stray", 10).project("grove", "three");
    world.chat("other", "Other", 5).project("elsewhere", "main");
    world
        .chat("newer", "Newer", 3)
        .project("grove", "four")
        .forked_from("lead", 1);
    world.chat("last", "Last", 1).project("grove", "five");
    let all = others(&world.state.domain, &id("newer"));
    let expected = ["newer", "part", "older", "lead", "last", "stray"].map(id);
    assert_eq!(all, expected);
}

//! The numbers of chats: what they mean in the shell, and whose they are.

use parlour::model::request::{Request, TrashRequest};

use crate::support::events::refusals;
use crate::support::world::{World, id};

fn find(world: &World, name: &str) -> Result<String, String> {
    let found = world.state.domain.find(name);
    found.map(|chat| chat.to_string()).map_err(|problem| problem.cause)
}

#[test]
fn a_chat_is_found_by_its_number_where_none_is_called_that_and_deleted_by_none() {
    let mut world = World::morning(120, 40);
    for chat in ["auth", "redis"] {
        let number = number(&world, chat).unwrap_or_default().to_string();
        assert_eq!(find(&world, &number), Ok(id(chat).to_string()));
    }
    assert_eq!(number(&world, "auth"), Some(1));
    assert_eq!(
        find(&world, "9"),
        Err("there is no such chat".into()),
        "there are eight"
    );
    let removed = |world: &mut World, yes| {
        let chat = "1".into();
        refusals(&world.ask(Request::Trash(TrashRequest::Rm { chat, yes })))
    };
    // The next chat may have the number by the time that somebody says it again.
    let refused = ["no chat is called that; fix-auth-bug has that number"];
    assert_eq!(removed(&mut world, false), refused);
    assert_eq!(removed(&mut world, true), refused);
    world.chat("one", "1", 1);
    assert_eq!(find(&world, "1"), Ok(id("one").to_string()));
    assert_eq!(removed(&mut world, true), [""; 0]);
}

fn number(world: &World, chat: &str) -> Option<u8> {
    world.state.domain.live.looked_at.numbers.get(&id(chat)).copied()
}

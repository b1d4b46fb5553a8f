//! What changes of a checklist come to.

use super::*;

const FILE: &str =
    "# Plan\n\n- [ ] one\n  more of one\n  - [x] below\n* [X] two\r\n\n```\n- [ ] code\n```\n1. [ ] three";

fn told(file: &str) -> Vec<String> {
    let said = |item: &Todo| format!("{}{}{}", item.depth, if item.done { 'x' } else { ' ' }, item.text);
    Todos::parse(file.as_bytes()).items.iter().map(said).collect()
}

fn after(file: &str, change: TodoChange) -> String {
    let changed = super::change(file.as_bytes(), &[change]).expect("it can be changed");
    String::from_utf8(changed).expect("it is text")
}

fn at(number: usize) -> TodoAt {
    TodoAt::number(number)
}

#[test]
fn items_are_found_at_any_depth_and_not_in_code() {
    assert_eq!(told(FILE), ["0 one", "1xbelow", "0xtwo", "0 three"]);
    assert_eq!(told("- [] a\n-[ ] b\n- [y] c\n- [ ]\n[ ] d\n- [x](link)\n"), ["0 "]);
}

#[test]
fn a_check_changes_one_byte() {
    assert_eq!(
        after(FILE, TodoChange::Check { at: at(1) }),
        FILE.replacen("[ ]", "[x]", 1)
    );
    assert_eq!(after(FILE, TodoChange::Check { at: at(3) }), FILE);
    assert_eq!(
        after(FILE, TodoChange::Uncheck { at: at(3) }),
        FILE.replace("[X]", "[ ]")
    );
}

#[test]
fn what_was_removed_is_put_back_where_it_stood() {
    let list = "- [ ] one\n    - [x] below\n- [ ] two\n";
    for (at, item) in Todos::parse(list.as_bytes()).items.into_iter().enumerate() {
        let number = at + 1;
        let rest = after(
            list,
            TodoChange::Remove {
                at: TodoAt::number(number),
            },
        );
        assert_ne!(rest, list);
        let put_back = after(&rest, TodoChange::PutBack { number, item });
        assert_eq!(told(&put_back), told(list), "{put_back}");
    }
    let item = Todo {
        text: "alone".into(),
        done: false,
        depth: 0,
    };
    let done = Todo {
        done: true,
        ..item.clone()
    };
    assert_eq!(after("", TodoChange::PutBack { number: 4, item }), "- [ ] alone\n");
    let put_back = TodoChange::PutBack { number: 1, item: done };
    assert_eq!(after("", put_back), "- [x] alone\n");
}

#[test]
fn what_is_added_stands_behind_the_last_item_of_the_outermost_list() {
    let add = |text: &str| TodoChange::Add { text: text.into() };
    assert_eq!(after("", add("first")), "- [ ] first\n");
    assert_eq!(after("notes", add(" a\nb ")), "notes\n- [ ] a b\n");
    assert_eq!(after("* [ ] a\r\nend\r\n", add("b")), "* [ ] a\r\n* [ ] b\r\nend\r\n");
    assert_eq!(
        after(FILE, add("four")),
        format!("{FILE}\n- [ ] four\n")
            .replace("three\n", "three\r\n")
            .replace("three\r\n", "three\n")
    );
    assert!(super::change(b"", &[add(" \n")]).is_err());
}

#[test]
fn an_item_is_edited_and_removed_and_what_is_below_it_stays() {
    let edit = TodoChange::Edit {
        at: at(3),
        to: "zwei".into(),
    };
    assert_eq!(after(FILE, edit), FILE.replace("two", "zwei"));
    let removed = after(FILE, TodoChange::Remove { at: at(1) });
    assert_eq!(removed, FILE.replace("- [ ] one\n  more of one\n", ""));
}

#[test]
fn an_item_moves_with_what_is_indented_below_it() {
    let moved = after(FILE, TodoChange::Move { at: at(1), to: 3 });
    assert_eq!(told(&moved), ["0xtwo", "0 one", "1xbelow", "0 three"]);
    let back = after(&moved, TodoChange::Move { at: at(2), to: 1 });
    assert_eq!(told(&back), told(FILE));
    let last = after(FILE, TodoChange::Move { at: at(4), to: 1 });
    assert_eq!(told(&last), ["0 three", "0 one", "1xbelow", "0xtwo"]);
    assert!(super::change(FILE.as_bytes(), &[TodoChange::Move { at: at(1), to: 2 }]).is_err());
}

#[test]
fn a_list_that_changed_meanwhile_is_told_by_the_words() {
    let of = |text: &str| TodoAt {
        number: 1,
        text: Some(text.into()),
    };
    assert_eq!(
        after(FILE, TodoChange::Check { at: of("three") }),
        FILE.replace("[ ] three", "[x] three")
    );
    let gone = super::change(FILE.as_bytes(), &[TodoChange::Check { at: of("four") }]);
    assert_eq!(
        gone.map_err(|problem| problem.cause),
        Err("the list has changed since".into())
    );
}

#[test]
fn bytes_that_are_no_text_stay() {
    let file = b"\xff\n- [ ] caf\xe9\n\xfe";
    let changed = super::change(file, &[TodoChange::Check { at: at(1) }]);
    assert_eq!(changed.ok(), Some(b"\xff\n- [x] caf\xe9\n\xfe".to_vec()));
}

//! A function that is named like a question changes nothing: whoever reads a call of it may leave it out or ask twice.

use syn::visit::Visit;
use syn::{FnArg, Signature, Type};

use super::source::files;

/// Questions of which an answer is yes or no.
const QUESTIONS: [&str; 9] = [
    "is_", "are_", "has_", "was_", "can_", "may_", "holds_", "lacks_", "needs_",
];

struct Queries {
    file: String,
    changing: Vec<String>,
}

impl Visit<'_> for Queries {
    fn visit_signature(&mut self, function: &Signature) {
        let name = function.ident.to_string();
        if QUESTIONS.iter().any(|question| name.starts_with(question)) && function.inputs.iter().any(is_mutable) {
            self.changing.push(format!("{}: {name}", self.file));
        }
        syn::visit::visit_signature(self, function);
    }
}

/// Whether something behind the argument may be changed.
fn is_mutable(argument: &FnArg) -> bool {
    let of = match argument {
        FnArg::Receiver(receiver) => &receiver.ty,
        FnArg::Typed(typed) => &typed.ty,
    };
    matches!(of.as_ref(), Type::Reference(reference) if reference.mutability.is_some())
}

fn changing(file: &str, text: &str) -> Vec<String> {
    let mut queries = Queries {
        file: file.into(),
        changing: Vec::new(),
    };
    queries.visit_file(&syn::parse_file(text).expect("a source file is Rust"));
    queries.changing
}

#[test]
fn a_question_changes_nothing() {
    let changing: Vec<String> = files()
        .iter()
        .flat_map(|(file, _, text)| changing(file, text))
        .collect();
    assert!(changing.is_empty(), "name these by verbs: {changing:#?}");
}

#[test]
fn a_question_that_changes_something_is_found() {
    let text = "
        fn is_empty(list: &[u8]) -> bool { list.is_empty() }
        fn is_full(list: &mut Vec<u8>) -> bool { list.pop().is_some() }
        trait Reader { fn has_more(&mut self) -> bool; fn take_more(&mut self); }
    ";
    assert_eq!(changing("a.rs", text), ["a.rs: is_full", "a.rs: has_more"]);
}

//! Tests go through the door: state is changed by events, as the engine sends them. What a test writes into state itself
//! may be a state that the program never reaches.

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprAssign, ExprBinary, ExprMethodCall, Local, Member};

use super::source::files_in;

/// So many places write into state past its events. This number may only become smaller.
const POKES: usize = 107;

/// Methods of collections by which what they hold is changed.
const CHANGES: [&str; 12] = [
    "change",
    "clear",
    "entry",
    "extend",
    "get_mut",
    "insert",
    "pop",
    "push",
    "push_back",
    "remove",
    "retain",
    "values_mut",
];

#[derive(Default)]
struct Pokes(usize);

impl<'ast> Visit<'ast> for Pokes {
    fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
        match is_within_state(&assign.left) {
            true => self.0 += 1,
            false => self.visit_expr(&assign.left),
        }
        self.visit_expr(&assign.right);
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        let adds = matches!(binary.op, BinOp::AddAssign(_) | BinOp::SubAssign(_));
        self.0 += usize::from(adds && is_within_state(&binary.left));
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let changes = CHANGES.iter().any(|name| call.method == name);
        self.0 += usize::from(changes && is_within_state(&call.receiver));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let init = local.init.as_ref().map(|init| &*init.expr);
        let borrows = matches!(init, Some(Expr::Reference(part)) if part.mutability.is_some());
        self.0 += usize::from(borrows && init.is_some_and(is_within_state));
        visit::visit_local(self, local);
    }
}

/// It leads through a field named `state`, or through the view that a world lends.
fn is_within_state(part: &Expr) -> bool {
    match part {
        Expr::Field(field) => {
            matches!(&field.member, Member::Named(name) if name == "state") || is_within_state(&field.base)
        }
        Expr::MethodCall(call) => call.method == "view" || is_within_state(&call.receiver),
        Expr::Index(index) => is_within_state(&index.expr),
        Expr::Paren(paren) => is_within_state(&paren.expr),
        Expr::Reference(reference) => is_within_state(&reference.expr),
        Expr::Unary(unary) => is_within_state(&unary.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().any(is_within_state),
        _ => false,
    }
}

#[test]
fn tests_change_state_by_events() {
    let mut pokes = Pokes::default();
    for (_, _, text) in files_in("tests/app").into_iter().chain(files_in("tests/ui")) {
        pokes.visit_file(&syn::parse_file(&text).expect("a test is Rust"));
    }
    let found = pokes.0;
    assert_eq!(
        found, POKES,
        "places in tests/app and tests/ui that write into state themselves"
    );
}

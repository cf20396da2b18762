//! How many names a symbol calls: a measure of how thin it is.

use rustc_hash::FxHashSet;

use crate::facts::*;

/// The number of distinct names that each symbol calls, by its index. A function of the file's own facts:
/// whether a name is resolved plays no part.
pub fn call_names(facts: &Facts) -> Vec<u32> {
    let mut out = vec![0; facts.symbols.len()];
    let mut seen = FxHashSet::default();
    for call in &facts.calls {
        let mut callee = facts.expr(call.callee);
        while let Expr::Generic(inner, _) | Expr::TypeOf(inner) | Expr::Await(inner) | Expr::New(inner) = callee {
            callee = facts.expr(*inner);
        }
        if let Expr::Name(name) | Expr::Attr(_, name) = callee
            && seen.insert((call.caller, *name))
            && let Some(count) = out.get_mut(call.caller.0 as usize)
        {
            *count += 1;
        }
    }
    out
}

//! `impact`, `tests`, `cochange`, `review`, `context` and `hooks git` on real repositories.

mod impact {
    mod change_kinds;
    mod context;
    mod hooks;
    mod pages;
    mod places;
    mod ran;
    mod tests_of;
}

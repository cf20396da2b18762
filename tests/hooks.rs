//! Tests of the hooks' dialects on what hosts really send.

mod hooks {
    mod fixture;
    mod foreign;
    mod hostile;
    mod payloads;
    mod reference;
}

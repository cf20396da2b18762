//! Any number of agents at once: hooks, claims, the journal, lessons. Real processes of the real program, and time that is
//! injected.

mod agents {
    mod claims;
    mod damage;
    mod hooks;
    mod journal;
    mod lessons;
    mod migration;
    mod place;
    mod race;
}

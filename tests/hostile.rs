//! Bad input of every kind, with the real program: an error names what is wrong and what to do, nothing is lost, and
//! nothing panics.

mod hostile {
    mod content;
    mod damage;
    mod disk;
    mod foreign;
    mod names;
    mod place;
    mod queries;
    mod ran;
}

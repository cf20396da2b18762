//! Installing into prepared home folders and leaving them, with the real program.

mod install {
    mod clients;
    mod cut;
    mod doctor;
    mod edited;
    mod home;
    mod kinds;
    mod matrix;
    mod scope;
}

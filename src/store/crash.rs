//! What is said when the engine takes the whole process down: a damaged file can end in SIGSEGV or SIGBUS inside
//! it, a disk that fills up while it writes its log in SIGABRT. No error handling can catch that, so a
//! handler of these signals names the graph that was open and the next step, and ends the process with exit code 2.

use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

const SIGNALS: [libc::c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGFPE, libc::SIGILL];

/// What to say of one graph file. Lives as long as the process: a handler may read it at any moment.
struct Note {
    path: PathBuf,
    opening: [Vec<u8>; 2],
    working: [Vec<u8>; 2],
    being_opened: AtomicUsize,
    open: AtomicUsize,
    next: *const Note,
}

static NOTES: AtomicPtr<Note> = AtomicPtr::new(ptr::null_mut());
static ADDING: Mutex<()> = Mutex::new(());
static JSON: AtomicBool = AtomicBool::new(false);
static BEFORE: [OnceLock<libc::sigaction>; 5] = [const { OnceLock::new() }; 5];

/// Reports crashes of the engine from now on; `json`: on stdout as an object, too. For programs, not for libraries.
pub fn report(json: bool) {
    JSON.store(json, Ordering::Relaxed);
    for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
        // SAFETY: both structs are plain data, valid when zeroed, and the pointers are to live ones of ours; the
        // handler makes only async-signal-safe calls.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let mut old: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            if libc::sigaction(signal, ptr::null(), &mut old) == 0 && before.set(old).is_ok() {
                libc::sigaction(signal, &action, ptr::null_mut());
            }
        }
    }
}

extern "C" fn handle(signal: libc::c_int) {
    let (mut found, mut opening) = (ptr::null::<Note>(), false);
    let mut at = NOTES.load(Ordering::Acquire).cast_const();
    // SAFETY: notes are never freed, and are complete before they are linked in.
    while let Some(note) = unsafe { at.as_ref() } {
        if note.being_opened.load(Ordering::Relaxed) > 0 {
            (found, opening) = (at, true);
            break;
        }
        if found.is_null() && note.open.load(Ordering::Relaxed) > 0 {
            found = at;
        }
        at = note.next;
    }
    // SAFETY: as above; write and _exit are async-signal-safe.
    unsafe {
        if let Some(note) = found.as_ref() {
            let texts = if opening { &note.opening } else { &note.working };
            if JSON.load(Ordering::Relaxed) {
                libc::write(libc::STDOUT_FILENO, texts[1].as_ptr().cast(), texts[1].len());
            }
            libc::write(libc::STDERR_FILENO, texts[0].as_ptr().cast(), texts[0].len());
            libc::_exit(2);
        }
        // Not the engine's doing: whoever saw to it before, sees to it now.
        let place = SIGNALS.iter().position(|s| *s == signal).unwrap_or(0);
        if let Some(before) = BEFORE[place].get() {
            libc::sigaction(signal, before, ptr::null_mut());
        }
        libc::raise(signal);
    }
}

/// Between the two, the graph is open or about to be.
pub(crate) struct Watch {
    note: &'static Note,
    opened: bool,
}

impl Watch {
    /// The engine is about to open `path`.
    pub(crate) fn opening(path: &Path) -> Watch {
        let note = note(path);
        note.being_opened.fetch_add(1, Ordering::Relaxed);
        Watch { note, opened: false }
    }

    /// It is open.
    pub(crate) fn opened(&mut self) {
        self.opened = true;
        self.note.open.fetch_add(1, Ordering::Relaxed);
        self.note.being_opened.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let count = if self.opened { &self.note.open } else { &self.note.being_opened };
        count.fetch_sub(1, Ordering::Relaxed);
    }
}

fn note(path: &Path) -> &'static Note {
    let _one = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
    let first = NOTES.load(Ordering::Acquire).cast_const();
    let mut at = first;
    // SAFETY: notes are never freed, and are complete before they are linked in.
    while let Some(note) = unsafe { at.as_ref() } {
        if note.path == path {
            return note;
        }
        at = note.next;
    }
    let shown = path.display();
    let rebuild = "`portolan index --rebuild` builds it anew from the repository and restores agents' memory from \
                   memory.jsonl; the damaged file is kept aside";
    let opening = format!(
        "the graph at {shown} is damaged: the engine crashed while it opened the file or its log\nNothing was changed. {rebuild}"
    );
    let working = format!(
        "the engine crashed while it worked on the graph at {shown}. With a full disk, free some space and run it \
         again. If other commands fail like this too, the graph is damaged: {rebuild}"
    );
    let texts = |message: String| {
        let object = serde_json::json!({ "error": { "message": message } });
        [format!("portolan: {message}\n").into_bytes(), format!("{object}\n").into_bytes()]
    };
    let note = Box::leak(Box::new(Note {
        path: path.to_owned(),
        opening: texts(opening),
        working: texts(working),
        being_opened: AtomicUsize::new(0),
        open: AtomicUsize::new(0),
        next: first,
    }));
    NOTES.store(note, Ordering::Release);
    note
}

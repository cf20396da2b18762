//! Telling a person what long work is doing. The library reports stages; the command line draws them.

/// Receives the stages of long work. All methods may be called from several threads.
pub trait Progress: Send + Sync {
    /// A stage begins; `total` is the number of its steps, 0 when unknown.
    fn stage(&self, name: &str, total: u64);
    /// Steps of the current stage are done.
    fn done(&self, steps: u64);
    /// A line that the user should see, such as whom we wait for.
    fn note(&self, text: &str);
}

/// Says nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Quiet;

impl Progress for Quiet {
    fn stage(&self, _name: &str, _total: u64) {}
    fn done(&self, _steps: u64) {}
    fn note(&self, _text: &str) {}
}

//! Long work on a terminal: a line that moves once it has taken a second; nothing when piped.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use portolan::progress::Progress;

/// Draws on stderr.
pub(crate) struct Bar {
    bar: ProgressBar,
    stop: Option<Sender<()>>,
    starter: Option<JoinHandle<()>>,
}

/// Work that is over before is not worth a line.
const QUIET_FOR: Duration = Duration::from_secs(1);

impl Bar {
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !std::io::stderr().is_terminal() {
            return Bar { bar, stop: None, starter: None };
        }
        let (stop, stopped) = channel();
        let shown = bar.clone();
        let starter = std::thread::spawn(move || {
            if stopped.recv_timeout(QUIET_FOR).is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(120));
            }
        });
        Bar { bar, stop: Some(stop), starter: Some(starter) }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        let (template, length) = match total {
            0 => ("{spinner} {msg} ({elapsed})", None),
            n => ("{spinner} {msg} {pos}/{len} ({elapsed})", Some(n)),
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_position(0);
        match length {
            Some(n) => self.bar.set_length(n),
            None => self.bar.unset_length(),
        }
        self.bar.set_message(name.to_owned());
    }

    fn done(&self, steps: u64) {
        self.bar.inc(steps);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| super::remark(text));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(starter) = self.starter.take() {
            // It only waits for the channel, which is closed now.
            let _ = starter.join();
        }
        self.bar.finish_and_clear();
    }
}

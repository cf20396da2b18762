//! Long work on a terminal: a line that moves once it has taken a second; nothing when piped.

use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use portolan::progress::Progress;

/// Draws on stderr. What each stage cost goes to the log (`PORTOLAN_LOG=info`).
pub(crate) struct Bar {
    bar: ProgressBar,
    stage: Mutex<Option<Stage>>,
    stop: Option<Sender<()>>,
    starter: Option<JoinHandle<()>>,
}

/// A stage that has begun.
struct Stage {
    name: String,
    begun: Instant,
    cpu: Duration,
}

impl Stage {
    fn log(self) {
        let (used, peak_mib) = usage();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (cpu, wall) = (ms(used.saturating_sub(self.cpu)), ms(self.begun.elapsed()));
        tracing::info!("{}: {cpu:.0} ms CPU, {wall:.0} ms wall, peak memory so far {peak_mib} MiB", self.name);
    }
}

/// CPU time of this process up to now, all threads, and its peak memory in MiB.
fn usage() -> (Duration, u64) {
    // SAFETY: a zeroed rusage is a valid one, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let time = |t: libc::timeval| Duration::new(t.tv_sec.max(0) as u64, t.tv_usec.max(0) as u32 * 1000);
    // Kibibytes on Linux, bytes on macOS.
    let unit = if cfg!(target_os = "macos") { 1 << 20 } else { 1 << 10 };
    (time(usage.ru_utime) + time(usage.ru_stime), usage.ru_maxrss.max(0) as u64 / unit)
}

/// Work that is over before is not worth a line.
const QUIET_FOR: Duration = Duration::from_secs(1);

impl Bar {
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !std::io::stderr().is_terminal() {
            return Bar { bar, stage: Mutex::default(), stop: None, starter: None };
        }
        let (stop, stopped) = channel();
        let shown = bar.clone();
        let starter = std::thread::spawn(move || {
            if stopped.recv_timeout(QUIET_FOR).is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(120));
            }
        });
        Bar { bar, stage: Mutex::default(), stop: Some(stop), starter: Some(starter) }
    }

    /// The next stage in place of the one that ran until now.
    fn follow(&self, next: Option<Stage>) {
        // A panic while it was held cannot have left it half written.
        let mut stage = self.stage.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(last) = std::mem::replace(&mut *stage, next) {
            last.log();
        }
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        self.follow(Some(Stage { name: name.to_owned(), begun: Instant::now(), cpu: usage().0 }));
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
        self.follow(None);
        drop(self.stop.take());
        if let Some(starter) = self.starter.take() {
            // It only waits for the channel, which is closed now.
            let _ = starter.join();
        }
        self.bar.finish_and_clear();
    }
}

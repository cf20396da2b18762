//! Worker processes: one call each at a time, started when needed, replaced when they die.

use std::future::Future;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout};

use super::wire::{Answer, Ask, Said, Stage};

/// Calls that are answered at the same time; more wait.
const SEATS: usize = 6;
/// A worker that has nothing to do ends after so long if there is another one.
const IDLE: Duration = Duration::from_secs(10);
/// No question takes so long, other than indexing; a worker that does hangs.
const HANGS: Duration = Duration::from_secs(120);

/// The allocator's setting for how long it keeps what was freed.
pub(super) const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";

/// What came of a question.
pub(super) enum Outcome {
    Answer(Answer),
    /// The client does not want it any more.
    Cancelled,
    /// Indexing takes longer than a client waits; it goes on.
    Late(Stage),
    /// The worker died or could not be started; why.
    Died(String),
}

/// The workers.
pub(super) struct Pool {
    program: PathBuf,
    /// How long a call waits for indexing before it is answered with how far that is.
    patience: Duration,
    idle: Mutex<Vec<Worker>>,
    seats: Arc<Semaphore>,
}

impl Pool {
    pub fn new(program: PathBuf, patience: Duration) -> Arc<Pool> {
        Arc::new(Pool { program, patience, idle: Mutex::default(), seats: Arc::new(Semaphore::new(SEATS)) })
    }

    /// Starts a worker for the first question.
    pub fn warm(self: &Arc<Self>) {
        // Without one the first question tells why.
        if let Ok(worker) = Worker::start(&self.program) {
            self.put_back(worker);
        }
    }

    /// Asks a worker. What it says of long work goes to `stages`.
    pub async fn ask(
        self: &Arc<Self>,
        ask: &Ask,
        cancelled: impl Future<Output = ()>,
        stages: UnboundedSender<Stage>,
    ) -> Outcome {
        tokio::pin!(cancelled);
        let late = Instant::now() + self.patience;
        let seat = tokio::select! {
            seat = self.seats.clone().acquire_owned() => seat,
            () = &mut cancelled => return Outcome::Cancelled,
            () = sleep_until(late) => return Outcome::Late(Stage { name: "waiting for other calls".into(), ..Stage::default() }),
        };
        let Ok(seat) = seat else { return Outcome::Cancelled };
        let mut worker = match self.take(ask).await {
            Ok(worker) => worker,
            Err(error) => return not_started(&error),
        };
        let hangs = Instant::now() + HANGS;
        let mut at_work: Option<Stage> = None;
        let mut taken = false;
        loop {
            tokio::select! {
                said = worker.next() => match said {
                    Some(Said::Taken) => taken = true,
                    Some(Said::Progress(stage)) => {
                        // The client may not have asked for it.
                        let _ = stages.send(stage.clone());
                        at_work = Some(stage);
                    }
                    Some(Said::Answer(answer)) => {
                        if !answer.last {
                            self.put_back(worker);
                        }
                        return Outcome::Answer(answer);
                    }
                    // It died of something else, before it read the question: another one answers it.
                    None if !taken && worker.waited => match self.take(ask).await {
                        Ok(other) => worker = other,
                        Err(error) => return not_started(&error),
                    },
                    None => return Outcome::Died(worker.obituary().await),
                },
                () = &mut cancelled => {
                    // A question is dropped with its process; what was indexed so far is not thrown away.
                    if at_work.is_some() {
                        self.leave(worker, seat);
                    }
                    return Outcome::Cancelled;
                }
                () = sleep_until(late), if at_work.is_some() => {
                    self.leave(worker, seat);
                    return Outcome::Late(at_work.unwrap_or_default());
                }
                () = sleep_until(hangs), if at_work.is_none() => {
                    return Outcome::Died(format!("it gave no answer within {} s", HANGS.as_secs()));
                }
            }
        }
    }

    /// An idle worker that lives, or a new one, with the question sent to it.
    async fn take(&self, ask: &Ask) -> std::io::Result<Worker> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        while let Some(mut worker) = idle() {
            if worker.lives() && worker.send(ask).await.is_ok() {
                return Ok(worker);
            }
        }
        let mut worker = Worker::start(&self.program)?;
        worker.send(ask).await?;
        Ok(worker)
    }

    fn put_back(self: &Arc<Self>, mut worker: Worker) {
        worker.waited = true;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(worker);
        if idle.len() > 1 {
            let pool = Arc::downgrade(self);
            tokio::spawn(async move {
                tokio::time::sleep(IDLE).await;
                let Some(pool) = pool.upgrade() else { return };
                let mut idle = pool.idle.lock().unwrap_or_else(PoisonError::into_inner);
                // The one that was used last stays.
                if idle.len() > 1 {
                    idle.remove(0);
                }
            });
        }
    }

    /// Lets a worker that indexes finish without anybody waiting for it.
    fn leave(self: &Arc<Self>, mut worker: Worker, seat: OwnedSemaphorePermit) {
        let pool = self.clone();
        tokio::spawn(async move {
            let _seat = seat;
            loop {
                match worker.next().await {
                    Some(Said::Taken | Said::Progress(_)) => {}
                    Some(Said::Answer(answer)) => {
                        if !answer.last {
                            pool.put_back(worker);
                        }
                        return;
                    }
                    None => return,
                }
            }
        });
    }
}

/// One process; it is killed when this is dropped.
struct Worker {
    /// It has waited for a question in the pool, where it may have died unseen.
    waited: bool,
    child: Child,
    stdin: ChildStdin,
    said: Lines<BufReader<ChildStdout>>,
    last_words: Arc<Mutex<String>>,
}

impl Worker {
    fn start(program: &std::path::Path) -> std::io::Result<Worker> {
        let mut command = Command::new(program);
        command.arg0("portolan").args(["mcp", "--worker"]).kill_on_drop(true);
        // Each opening of the engine asks for large blocks that must be zero and touches little of them. Kept by the
        // allocator and handed out again they are written full: 86 MiB a worker. Given back they come fresh.
        command.env(PURGE_DELAY, "0");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let missing = || std::io::Error::other("a pipe to it is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let said = BufReader::new(child.stdout.take().ok_or_else(missing)?).lines();
        let last_words = Arc::new(Mutex::new(String::new()));
        if let Some(stderr) = child.stderr.take() {
            let kept = last_words.clone();
            tokio::spawn(async move {
                let mut lines = BufReader::new(stderr).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    eprintln!("{line}");
                    *kept.lock().unwrap_or_else(PoisonError::into_inner) = line;
                }
            });
        }
        Ok(Worker { waited: false, child, stdin, said, last_words })
    }

    fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    async fn send(&mut self, ask: &Ask) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(ask)?;
        line.push(b'\n');
        self.stdin.write_all(&line).await?;
        self.stdin.flush().await
    }

    /// What it says next; `None` when it is gone or talks nonsense. Safe to give up on.
    async fn next(&mut self) -> Option<Said> {
        let line = self.said.next_line().await.ok()??;
        serde_json::from_str(&line).ok()
    }

    /// How it ended, in words.
    async fn obituary(&mut self) -> String {
        let ended = timeout(Duration::from_secs(1), self.child.wait()).await;
        let how = match ended {
            Ok(Ok(status)) => ended_how(status),
            _ => "it closed its output".into(),
        };
        // What it wrote last may still be on its way.
        tokio::task::yield_now().await;
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if words.is_empty() { how } else { format!("{how}: {words}") }
    }
}

fn not_started(error: &std::io::Error) -> Outcome {
    Outcome::Died(format!("no worker process could be started: {error}"))
}

fn ended_how(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("it was ended by signal {signal}"),
        (_, Some(code)) => format!("it ended with code {code}"),
        _ => "it ended".into(),
    }
}

//! Fits and checks the weights of the ranking on cases whose right places are known.
//!
//! ```text
//! cargo run --release --example fit -- score|ablate|search|sure|curve --set NAME=CASES.jsonl:DIR ... [--with substance/link=1.0 ...]
//! ```
//!
//! CASES are those of `eval/localize.py`, DIR is its `--keep` folder: DIR/<id> holds the graph of the case's base commit. The ranking runs in
//! process; what the graph answers is kept beside it in `answers.json` and asked again when the graph is newer.
//!
//! - `score`: file@k, MRR, function@k and map shares with 95 % intervals (Wilson), by set, by repository and by whether the text names a right file.
//! - `ablate`: the same with each signal off.
//! - `search`: coordinate search over all weights (`--only PREFIX` for some). The objective is the mean over sets. What was tried is also scored
//!   leaving out one repository at a time: the configuration that is best on the others is applied to it.
//! - `sure`: coordinate search over the weights of confidence, for the order of the answers by file@3.
//! - `curve`: confidence against the truth.
//!
//! `--with` changes a weight by its place in the JSON of [`Weights`]; `--per-case` prints each case's ranks.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use portolan::locate::graph_view::StoredGraph;
use portolan::locate::{Answer, GraphView, Limits, Place, SIGNALS, Signal, Task, TestOf, Weights, locate_by};
use portolan::search::Index;
use portolan::store::{Layout, Store, StoreError};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Gold {
    file: String,
    #[serde(default)]
    qualname: String,
    #[serde(default)]
    start: u32,
    #[serde(default)]
    end: u32,
    #[serde(default)]
    kind: String,
}

#[derive(Deserialize)]
struct Known {
    id: String,
    repo: String,
    title: String,
    #[serde(default)]
    body: Option<String>,
    gold_files: BTreeSet<String>,
    #[serde(default)]
    gold_functions: Vec<Gold>,
    #[serde(default)]
    names_file: Option<bool>,
}

struct Case {
    set: usize,
    known: Known,
    task: Task,
    folder: PathBuf,
    index: Index,
    memo: std::sync::Mutex<Memo>,
}

type Memo = BTreeMap<String, Value>;

/// Answers of a graph that were given before; with a graph at hand, new ones too.
struct Remembered<'a> {
    memo: RefCell<&'a mut Memo>,
    graph: Option<StoredGraph<'a>>,
}

#[derive(Debug)]
enum Trouble {
    NotRemembered,
    Store(StoreError),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Store(error)
    }
}

impl Remembered<'_> {
    fn ask<T: serde::Serialize + serde::de::DeserializeOwned>(
        &self,
        kind: &str,
        id: &str,
        ask: impl FnOnce(&StoredGraph<'_>) -> Result<T, StoreError>,
    ) -> Result<T, Trouble> {
        let key = format!("{kind} {id}");
        if let Some(known) = self.memo.borrow().get(&key).and_then(|v| T::deserialize(v).ok()) {
            return Ok(known);
        }
        let answer = ask(self.graph.as_ref().ok_or(Trouble::NotRemembered)?)?;
        self.memo.borrow_mut().insert(key, serde_json::to_value(&answer).unwrap_or_default());
        Ok(answer)
    }
}

impl GraphView for Remembered<'_> {
    type Error = Trouble;

    fn calls(&self, ids: &[String]) -> Result<Vec<Vec<(String, f64)>>, Trouble> {
        let one = |id: &String| self.ask("calls", id, |g| Ok(g.calls(std::slice::from_ref(id))?.swap_remove(0)));
        ids.iter().map(one).collect()
    }

    fn bases(&self, id: &str) -> Result<Vec<String>, Trouble> {
        self.ask("bases", id, |g| g.bases(id))
    }

    fn tests_of(&self, _ids: &[String]) -> Result<Vec<TestOf>, Trouble> {
        // No tests are asked for (`Limits`).
        Ok(Vec::new())
    }

    fn rank(&self, id: &str) -> Result<f64, Trouble> {
        self.ask("rank", id, |g| g.rank(id))
    }
}

impl Case {
    fn answer(&self, weights: &Weights) -> Answer {
        let limits = Limits { tests: 0, ..Limits::ALL };
        let mut memo = self.memo.lock().expect("no case panics");
        let known = Remembered { memo: RefCell::new(&mut memo), graph: None };
        match locate_by(weights, &self.index, &known, &self.task, limits) {
            Ok(answer) => return answer,
            Err(Trouble::NotRemembered) => {}
            Err(Trouble::Store(error)) => panic!("{}: {error}", self.known.id),
        }
        let store = Store::new(Layout::at(&self.folder));
        let answer = store.read(Duration::from_secs(30), |graph| {
            let known = Remembered {
                memo: RefCell::new(&mut memo),
                graph: Some(StoredGraph { graph, symbols: self.index.unit_count() as usize }),
            };
            locate_by(weights, &self.index, &known, &self.task, limits)
        });
        let path = self.folder.join("answers.json");
        std::fs::write(&path, serde_json::to_vec(&*memo).expect("plain data")).expect("cannot write answers.json");
        answer.unwrap_or_else(|e| panic!("{}: {e:?}", self.known.id))
    }
}

/// Names of the scores, in the order of [`Scores`].
const METRICS: [&str; 9] = ["file@1", "file@3", "file@5", "MRR", "fn@1", "fn@5", "fn@10", "map file", "map fn"];
const OBJECTIVE: [f32; 9] = [0.15, 0.0, 0.1, 0.2, 0.1, 0.2, 0.0, 0.05, 0.2];

/// A case's scores; the functions' are none when the fix changed no function.
type Scores = [Option<f32>; 9];

fn same_name(a: &str, b: &str) -> bool {
    let plain = |s: &str| s.split('#').next().unwrap_or("").replace("::", ".");
    let (a, b) = (plain(a), plain(b));
    let mut pairs = a.rsplit('.').zip(b.rsplit('.'));
    !a.is_empty() && !b.is_empty() && pairs.all(|(x, y)| x == y)
}

fn is_function(place: &Place, gold: &Gold) -> bool {
    if place.file != gold.file {
        return false;
    }
    if same_name(&place.qualname, &gold.qualname) {
        return true;
    }
    if place.end_line == 0 || gold.end == 0 {
        return false;
    }
    let shared = i64::from(place.end_line.min(gold.end)) - i64::from(place.start_line.max(gold.start)) + 1;
    let shorter = (place.end_line - place.start_line).min(gold.end - gold.start) + 1;
    2 * shared >= i64::from(shorter)
}

fn judge(known: &Known, answer: &Answer) -> (Scores, usize, usize) {
    let mut files: Vec<&str> = Vec::new();
    for place in &answer.places {
        if !files.contains(&place.file.as_str()) {
            files.push(&place.file);
        }
    }
    let file = files.iter().position(|f| known.gold_files.contains(*f)).map_or(usize::MAX, |i| i + 1);
    let gold: Vec<&Gold> = known.gold_functions.iter().filter(|g| g.kind.is_empty() || g.kind == "function").collect();
    let right = |p: &Place| gold.iter().any(|g| is_function(p, g));
    let ranked = answer.places.iter().filter(|p| !p.qualname.is_empty() || p.end_line > 0);
    let function = ranked.clone().position(right).map_or(usize::MAX, |i| i + 1);
    let within = |rank: usize, most: usize| Some(f32::from(u8::from(rank <= most)));
    let some = |x| if gold.is_empty() { None } else { x };
    let map: Vec<&Place> = answer.places.iter().take(Limits::MAP.places).collect();
    let yes = |b: bool| Some(f32::from(u8::from(b)));
    let scores = [
        within(file, 1),
        within(file, 3),
        within(file, 5),
        Some(if file == usize::MAX { 0.0 } else { 1.0 / file as f32 }),
        some(within(function, 1)),
        some(within(function, 5)),
        some(within(function, 10)),
        yes(map.iter().any(|p| known.gold_files.contains(&p.file))),
        some(yes(map.iter().any(|p| right(p)))),
    ];
    (scores, file, function)
}

/// Wilson's interval of a share, in per cent.
fn interval(share: f32, n: usize) -> (f32, f32) {
    let (n, z) = (n.max(1) as f32, 1.96f32);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    (100.0 * (middle - half).max(0.0), 100.0 * (middle + half).min(1.0))
}

fn mean(rows: &[&Scores], metric: usize) -> Option<(f32, usize)> {
    let values: Vec<f32> = rows.iter().filter_map(|r| r[metric]).collect();
    (!values.is_empty()).then(|| (values.iter().sum::<f32>() / values.len() as f32, values.len()))
}

fn line(name: &str, rows: &[&Scores], intervals: bool) {
    print!("{name:<26} {:>4}", rows.len());
    for (metric, name) in METRICS.iter().enumerate() {
        match mean(rows, metric) {
            Some((share, _)) if !intervals => print!(" {:>8.1}", 100.0 * share),
            Some((share, n)) if *name != "MRR" => {
                let (low, high) = interval(share, n);
                print!(" {:>8}", format!("{low:.0}-{high:.0}"));
            }
            _ => print!(" {:>8}", ""),
        }
    }
    println!();
}

fn objective(scores: &Scores) -> f32 {
    let parts = scores.iter().zip(OBJECTIVE).filter_map(|(s, w)| s.map(|s| (s * w, w)));
    let (sum, whole) = parts.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    sum / whole
}

struct Bench {
    sets: Vec<String>,
    cases: Vec<Case>,
}

impl Bench {
    fn load(specs: &[String]) -> Bench {
        let mut bench = Bench { sets: Vec::new(), cases: Vec::new() };
        for spec in specs {
            let (name, rest) = spec.split_once('=').expect("--set NAME=CASES:DIR");
            let (cases, keep) = rest.rsplit_once(':').expect("--set NAME=CASES:DIR");
            let set = bench.sets.len();
            bench.sets.push(name.to_owned());
            let text = std::fs::read_to_string(cases).expect("cases");
            let loaded: Vec<Case> = text
                .lines()
                .filter(|l| !l.trim().is_empty())
                .filter_map(|l| load_case(set, Path::new(keep), serde_json::from_str(l).expect("a case")))
                .collect();
            bench.cases.extend(loaded);
        }
        bench
    }

    fn run(&self, weights: &Weights) -> Vec<Scores> {
        self.cases.par_iter().map(|c| judge(&c.known, &c.answer(weights)).0).collect()
    }

    fn goodness(&self, scores: &[Scores], keep: impl Fn(&Case) -> bool) -> f32 {
        let mut by_set: BTreeMap<usize, (f32, f32)> = BTreeMap::new();
        for (case, scores) in self.cases.iter().zip(scores).filter(|(c, _)| keep(c)) {
            let entry = by_set.entry(case.set).or_default();
            entry.0 += objective(scores);
            entry.1 += 1.0;
        }
        by_set.values().map(|(sum, n)| sum / n).sum::<f32>() / by_set.len().max(1) as f32
    }

    fn table(&self, scores: &[Scores], long: bool) {
        println!("{:<26}    n {}", "", METRICS.map(|m| format!("{m:>8}")).join(" "));
        for (set, name) in self.sets.iter().enumerate() {
            let of = |keep: &dyn Fn(&Case) -> bool| -> Vec<&Scores> {
                self.cases.iter().zip(scores).filter(|(c, _)| c.set == set && keep(c)).map(|(_, s)| s).collect()
            };
            line(name, &of(&|_| true), false);
            if !long {
                continue;
            }
            line("  95 % interval", &of(&|_| true), true);
            let repos: BTreeSet<&str> =
                self.cases.iter().filter(|c| c.set == set).map(|c| c.known.repo.as_str()).collect();
            for repo in repos {
                line(&format!("  {repo}"), &of(&|c| c.known.repo == repo), false);
            }
            line("  names the file", &of(&names_file), false);
            line("  does not", &of(&|c| !names_file(c)), false);
        }
    }
}

fn names_file(case: &Case) -> bool {
    case.known.names_file.unwrap_or_else(|| {
        let text = format!("{}\n{}", case.known.title, case.known.body.as_deref().unwrap_or("")).to_lowercase();
        case.known.gold_files.iter().any(|f| {
            let base = f.rsplit('/').next().unwrap_or(f).to_lowercase();
            let stem = base.rsplit_once('.').map_or(base.as_str(), |(s, _)| s);
            text.contains(&base) || stem.len() > 4 && text.contains(stem)
        })
    })
}

fn load_case(set: usize, keep: &Path, known: Known) -> Option<Case> {
    let name: String =
        known.id.chars().map(|c| if c.is_alphanumeric() || "_.-".contains(c) { c } else { '_' }).collect();
    let folder = keep.join(name);
    let cache = folder.join(".portolan").join("cache").join("search");
    let Ok(index) = Index::open(&cache) else {
        eprintln!("left out: no index of {}", known.id);
        return None;
    };
    let age = |p: &Path| p.metadata().and_then(|m| m.modified()).ok();
    let answers = folder.join("answers.json");
    let memo = if age(&answers) > age(&cache) {
        std::fs::read(&answers).ok().and_then(|b| serde_json::from_slice(&b).ok()).unwrap_or_default()
    } else {
        Memo::new()
    };
    let task = Task::read(None, &format!("{}\n\n{}", known.title, known.body.as_deref().unwrap_or("")));
    Some(Case { set, known, task, folder, index, memo: std::sync::Mutex::new(memo) })
}

fn set(weights: &Weights, path: &str, value: f64) -> Weights {
    let mut json = serde_json::to_value(weights).expect("plain data");
    let slot = json.pointer_mut(&format!("/{path}")).unwrap_or_else(|| panic!("no weight {path}"));
    *slot = Value::from(value);
    serde_json::from_value(json).expect("a number")
}

fn get(weights: &Weights, path: &str) -> f64 {
    serde_json::to_value(weights)
        .expect("plain data")
        .pointer(&format!("/{path}"))
        .and_then(Value::as_f64)
        .expect("a weight")
}

fn leaves(at: &str, value: &Value, out: &mut Vec<String>) {
    let join = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}/{key}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(k, v)| leaves(&join(k), v, out)),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| leaves(&join(&i.to_string()), v, out)),
        _ => out.push(at.to_owned()),
    }
}

fn search(bench: &Bench, start: Weights, only: &[String]) {
    let mut paths = Vec::new();
    leaves("", &serde_json::to_value(&start).expect("plain data"), &mut paths);
    paths.retain(|p| {
        !p.starts_with("confidence/") && (only.is_empty() || only.iter().any(|o| p.starts_with(o.as_str())))
    });
    let mut best = (start.clone(), bench.run(&start));
    let mut value = bench.goodness(&best.1, |_| true);
    println!("start {value:.4}");
    let mut tried = vec![(String::from("start"), best.1.clone())];
    for round in 1..=2 {
        let before = value;
        for path in &paths {
            let now = get(&best.0, path);
            let steps = if now == 0.0 { vec![0.1, 0.3] } else { vec![now * 0.6, now * 0.8, now * 1.25, now * 1.6] };
            for step in steps {
                let step = (step * 1000.0).round() / 1000.0;
                let weights = set(&best.0, path, step);
                let scores = bench.run(&weights);
                let new = bench.goodness(&scores, |_| true);
                tried.push((format!("{path}={step}"), scores.clone()));
                if new > value + 0.0003 {
                    println!("round {round}  {path} {now} -> {step}  {value:.4} -> {new:.4}");
                    (value, best) = (new, (weights, scores));
                }
            }
        }
        if value - before < 0.001 {
            break;
        }
    }
    // Left-out repositories: each is scored by what is best on all others.
    let repos: BTreeSet<&str> = bench.cases.iter().map(|c| c.known.repo.as_str()).collect();
    let mut held: Vec<Scores> = tried[0].1.clone();
    for repo in repos {
        let chosen = tried
            .iter()
            .max_by(|a, b| {
                bench
                    .goodness(&a.1, |c| c.known.repo != repo)
                    .total_cmp(&bench.goodness(&b.1, |c| c.known.repo != repo))
            })
            .expect("one was tried");
        for (i, case) in bench.cases.iter().enumerate().filter(|(_, c)| c.known.repo == repo) {
            debug_assert_eq!(case.known.repo, repo);
            held[i] = chosen.1[i];
        }
    }
    println!("\n{} configurations. As it was:", tried.len());
    bench.table(&tried[0].1, false);
    println!("best on everything:");
    bench.table(&best.1, false);
    println!("leaving out one repository at a time:");
    bench.table(&held, false);
    println!("{}", serde_json::to_string_pretty(&best.0).expect("plain data"));
}

const SIGNAL_NAMES: [(&str, Signal); SIGNALS] = [
    ("text", Signal::Text),
    ("mention", Signal::Mention),
    ("path", Signal::Path),
    ("frame", Signal::Frame),
    ("literal", Signal::Literal),
    ("calls", Signal::Calls),
    ("commits", Signal::Commits),
    ("co-change", Signal::CoChange),
    ("witness", Signal::Witness),
];

fn ablate(bench: &Bench, weights: &Weights) {
    println!("== nothing off");
    bench.table(&bench.run(weights), false);
    for (name, signal) in SIGNAL_NAMES {
        let mut without = weights.clone();
        without.fusion.file[signal as usize] = 0.0;
        without.fusion.unit[signal as usize] = 0.0;
        if signal == Signal::Text {
            without.fusion.best_unit = 0.0;
        }
        println!("== {name} off");
        bench.table(&bench.run(&without), false);
    }
}

/// Probability that an answer whose first three files hold a right one is surer than one whose do not; over the sets' mean.
fn auc(bench: &Bench, weights: &Weights, keep: impl Fn(&Case) -> bool + Sync) -> f32 {
    let rows: Vec<(usize, f32, f32)> = bench
        .cases
        .par_iter()
        .filter(|c| keep(c))
        .map(|c| {
            let answer = c.answer(weights);
            (c.set, answer.certainty, judge(&c.known, &answer).0[1].unwrap_or(0.0))
        })
        .collect();
    let mut sum = 0.0;
    for set in 0..bench.sets.len() {
        let of = |right: f32| rows.iter().filter(move |r| r.0 == set && r.2 == right).map(|r| r.1);
        let pairs = of(1.0).count() * of(0.0).count();
        let won: f32 = of(1.0)
            .map(|a| {
                of(0.0)
                    .map(|b| {
                        if a > b {
                            1.0
                        } else if a == b {
                            0.5
                        } else {
                            0.0
                        }
                    })
                    .sum::<f32>()
            })
            .sum();
        sum += won / pairs.max(1) as f32;
    }
    sum / bench.sets.len() as f32
}

/// Coordinate search over the weights of confidence for the best order of answers.
fn sure(bench: &Bench, start: &Weights) {
    let mut best = start.clone();
    let mut value = auc(bench, &best, |_| true);
    println!("start {value:.4}");
    for round in 1..=3 {
        let before = value;
        for name in ["margin", "exact", "kinds", "coverage", "counts"] {
            let path = format!("confidence/{name}");
            let now = get(&best, &path);
            for step in [now * 0.5, now * 0.75, now * 1.3, now * 2.0, now - 0.1, now + 0.1] {
                let weights = set(&best, &path, (step * 1000.0).round() / 1000.0);
                let new = auc(bench, &weights, |_| true);
                if new > value + 0.001 {
                    println!("round {round}  {path} {now} -> {step:.3}  {value:.4} -> {new:.4}");
                    (value, best) = (new, weights);
                }
            }
        }
        if value - before < 0.002 {
            break;
        }
    }
    println!("{}", serde_json::to_string_pretty(&best.confidence).expect("plain data"));
    curve(bench, &best);
}

fn curve(bench: &Bench, weights: &Weights) {
    for (set, name) in bench.sets.iter().enumerate() {
        let mut rows: Vec<(f32, f32, &str)> = bench
            .cases
            .par_iter()
            .filter(|c| c.set == set)
            .map(|c| {
                let answer = c.answer(weights);
                (answer.certainty, judge(&c.known, &answer).0[1].unwrap_or(0.0), answer.confidence.as_str())
            })
            .collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        println!("{name}: surest share of the answers, certainty from, file@3 of them");
        for tenth in 1..=10 {
            let n = rows.len() * tenth / 10;
            let right: f32 = rows[..n].iter().map(|r| r.1).sum();
            println!("  {:>3} % {:>6.2} {:>6.1}", tenth * 10, rows[n - 1].0, 100.0 * right / n as f32);
        }
        for word in ["high", "medium", "low"] {
            let of: Vec<f32> = rows.iter().filter(|r| r.2 == word).map(|r| r.1).collect();
            let right = of.iter().sum::<f32>() / of.len().max(1) as f32;
            println!(
                "  {word:<7} {:>4} of {} ({:.0} %), file@3 {:.1}",
                of.len(),
                rows.len(),
                100.0 * of.len() as f32 / rows.len() as f32,
                100.0 * right
            );
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let (mut sets, mut only, mut weights, mut per_case) = (Vec::new(), Vec::new(), Weights::default(), false);
    while let Some(arg) = args.next() {
        let mut next = || args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--set" => sets.push(next()),
            "--only" => only.push(next()),
            "--with" => {
                let spec = next();
                let (path, value) = spec.split_once('=').expect("--with PATH=NUMBER");
                weights = set(&weights, path, value.parse().expect("a number"));
            }
            "--per-case" => per_case = true,
            other => panic!("unknown argument {other}"),
        }
    }
    let bench = Bench::load(&sets);
    match command.as_str() {
        "score" => {
            let scores = bench.run(&weights);
            bench.table(&scores, true);
            println!("objective {:.4}", bench.goodness(&scores, |_| true));
        }
        "ablate" => ablate(&bench, &weights),
        "search" => search(&bench, weights.clone(), &only),
        "sure" => sure(&bench, &weights),
        "curve" => curve(&bench, &weights),
        _ => panic!("score, ablate, search, sure or curve"),
    }
    if per_case {
        for case in &bench.cases {
            let answer = case.answer(&weights);
            let (_, file, function) = judge(&case.known, &answer);
            let show = |r: usize| if r == usize::MAX { "-".to_owned() } else { r.to_string() };
            let title: String = case.known.title.chars().take(70).collect();
            println!(
                "{:<34} file {:>3} fn {:>3} {:.2}  {title}",
                case.known.id,
                show(file),
                show(function),
                answer.certainty
            );
        }
    }
}

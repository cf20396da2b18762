//! The ranking on small repositories written here, through the real extraction.

use std::collections::BTreeMap;

use super::*;
use crate::extract::{Extracted, extract};
use crate::search::{CommitDoc, FileDoc, to_bytes};

/// An index of Python files and commits (subject, touched files, newest first).
pub(super) fn index(files: &[(&str, &str)], commits: &[(&str, &[&str])]) -> Index {
    let python = crate::lang::by_name("python").unwrap();
    let extracted: Vec<Extracted> = files.iter().map(|(_, text)| extract(python, "py", text)).collect();
    let docs: Vec<FileDoc<'_>> = files
        .iter()
        .zip(&extracted)
        .map(|((path, _), e)| FileDoc {
            path,
            language: "python",
            is_test: path.starts_with("tests/"),
            generated: false,
            facts: Some(&e.facts),
            terms: e.terms.reader(),
        })
        .collect();
    let number = |path: &&str| files.iter().position(|f| f.0 == *path).unwrap() as u32;
    let touched: Vec<Vec<u32>> = commits.iter().map(|c| c.1.iter().map(number).collect()).collect();
    let commits: Vec<CommitDoc<'_>> = commits
        .iter()
        .zip(&touched)
        .enumerate()
        .map(|(i, (c, files))| CommitDoc {
            at: 1_700_000_000 - i as i64 * 86_400,
            short_hash: i as u64,
            subject: c.0,
            body: "",
            files,
        })
        .collect();
    Index::from_bytes(to_bytes(1, &docs, &commits).unwrap()).unwrap()
}

pub(super) fn library() -> Index {
    index(
        &[
            (
                "src/shop/types.py",
                "class Choice:\n    \"\"\"One of several values.\"\"\"\n    def __init__(self, choices):\n        \
                 self.choices = choices\n    def normalize_choice(self, choice):\n        return choice.casefold()\n    \
                 def convert(self, value):\n        raise ValueError(f\"{value!r} is no valid flavour, pick a listed one\")\n\n\
                 class Colour:\n    def convert(self, value):\n        return value\n",
            ),
            (
                "src/shop/graph.py",
                "def shortest(graph, a, b):\n    return _between(graph, a, b)\n\ndef _between(graph, a, b):\n    \
                 return _spread(graph, [a])\n\ndef _spread(graph, seeds):\n    heap = list(seeds)\n    return heap\n",
            ),
            (
                "src/shop/cart.py",
                "def total(cart):\n    return sum(cart)\n\ndef add(cart, item):\n    cart.append(item)\n",
            ),
            ("src/shop/invoice.py", "def render(doc):\n    return doc\n"),
            ("tests/test_types.py", "def test_choice_apple():\n    assert Choice(['Apple']).convert('apple')\n"),
            ("tests/test_cart.py", "def test_total():\n    assert total([1]) == 1\n"),
        ],
        &[
            ("Round prices half up", &["src/shop/invoice.py"]),
            ("Round prices in euro", &["src/shop/invoice.py"]),
            ("Discounts", &["src/shop/cart.py", "src/shop/invoice.py"]),
            ("More discounts", &["src/shop/cart.py", "src/shop/invoice.py"]),
        ],
    )
}

fn ask(index: &Index, text: &str) -> Answer {
    locate(index, &NoGraph, &Task::read(None, text), Limits::MAP).unwrap()
}

fn names(answer: &Answer) -> Vec<String> {
    answer.places.iter().map(|p| format!("{}:{}", p.file, p.qualname)).collect()
}

/// A graph given as call lists.
struct Calls(BTreeMap<&'static str, Vec<&'static str>>);

impl GraphView for Calls {
    type Error = &'static str;

    fn calls(&self, ids: &[String]) -> Result<Vec<Vec<(String, f64)>>, &'static str> {
        if self.0.is_empty() {
            return Err("the graph is gone");
        }
        let of =
            |id: &String| self.0.get(id.as_str()).into_iter().flatten().map(|id| ((*id).to_owned(), 0.7)).collect();
        Ok(ids.iter().map(of).collect())
    }

    fn bases(&self, id: &str) -> Result<Vec<String>, &'static str> {
        Ok(if id.ends_with("::Colour") { vec!["src/shop/types.py::Choice".into()] } else { vec![] })
    }

    fn tests_of(&self, ids: &[String]) -> Result<Vec<TestOf>, &'static str> {
        let spread = ids.iter().filter(|id| id.ends_with("_spread"));
        let (file, test) = ("tests/test_cart.py", "tests/test_cart.py::test_spread");
        let test = |id: &String| TestOf { id: id.clone(), file: file.into(), test: test.into(), confidence: 1.0 };
        Ok(spread.map(test).collect())
    }

    fn rank(&self, _id: &str) -> Result<f64, &'static str> {
        Ok(0.0)
    }
}

#[test]
fn a_report_in_a_users_words_finds_the_function_and_its_test() {
    let answer = ask(&library(), "Choice(['Apple', 'Banana']) doesn't normalize the choice apple");
    assert_eq!(names(&answer)[0], "src/shop/types.py:Choice.normalize_choice");
    assert_eq!(answer.tests[0], "tests/test_types.py");
    assert!(answer.places.iter().all(|p| !p.file.starts_with("tests/")), "a test is no place: {:?}", names(&answer));
    let why = &answer.places[0].why;
    assert!(why.iter().any(|e| e.signal == Signal::Mention && e.points > 0.0), "{why:?}");
    assert!(why.is_sorted_by(|a, b| a.points >= b.points));
}

#[test]
fn a_qualified_name_shuts_out_its_namesakes() {
    let answer = ask(&library(), "Crash\n`Colour.convert` is broken");
    assert_eq!(names(&answer)[0], "src/shop/types.py:Colour.convert");
}

#[test]
fn the_innermost_frame_inside_counts() {
    let trace = "It crashes\n```\nTraceback (most recent call last):\n  File \"/home/me/app.py\", line 3, in <module>\n  \
                 File \"/venv/site-packages/shop/graph.py\", line 2, in shortest\n  \
                 File \"/venv/site-packages/shop/graph.py\", line 8, in _spread\n  \
                 File \"/usr/lib/python3/heapq.py\", line 5, in heapify\nTypeError: no\n```";
    let answer = ask(&library(), trace);
    assert_eq!(names(&answer)[0], "src/shop/graph.py:_spread");
    assert!(answer.places[0].why.iter().any(|e| e.signal == Signal::Frame));
}

#[test]
fn a_formatted_message_finds_its_literal() {
    let answer = ask(&library(), "Odd failure\nValueError: 'mint' is no valid flavour, pick a listed one");
    assert_eq!(names(&answer)[0], "src/shop/types.py:Choice.convert");
    assert!(answer.places[0].why.iter().any(|e| e.signal == Signal::Literal), "{:?}", answer.places[0].why);
}

#[test]
fn the_walk_reaches_what_the_words_do_not() {
    let index = library();
    let task = Task::read(None, "`shortest` gives the wrong distance for two sources");
    let graph = Calls(BTreeMap::from([
        ("src/shop/graph.py::shortest", vec!["src/shop/graph.py::_between"]),
        ("src/shop/graph.py::_between", vec!["src/shop/graph.py::_spread"]),
    ]));
    let answer = locate(&index, &graph, &task, Limits::MAP).unwrap();
    let found = answer.places.iter().find(|p| p.qualname == "_spread").expect("the function below");
    assert!(
        found.why.iter().any(|e| e.signal == Signal::Calls && e.note == "2 calls below shortest"),
        "{:?}",
        found.why
    );
    let wrapper = answer.places.iter().position(|p| p.qualname == "shortest");
    assert!(wrapper.is_some(), "the wrapper has its own line: {:?}", names(&answer));
    assert!(answer.tests.contains(&"tests/test_cart.py".to_owned()), "tests by the graph: {:?}", answer.tests);
    assert_eq!(locate(&index, &Calls(BTreeMap::new()), &task, Limits::MAP), Err("the graph is gone"));
}

#[test]
fn what_a_named_class_inherits_from_is_walked_too() {
    let index = library();
    let task = Task::read(None, "`Colour` does not lower its letters");
    let graph = Calls(BTreeMap::from([(
        "src/shop/types.py::Choice.convert",
        vec!["src/shop/types.py::Choice.normalize_choice"],
    )]));
    let answer = locate(&index, &graph, &task, Limits::MAP).unwrap();
    let found = answer.places.iter().find(|p| p.qualname == "Choice.normalize_choice").expect("two steps away");
    let calls = found.why.iter().find(|e| e.signal == Signal::Calls).expect("by its calls");
    assert!(["base of Colour", "1 call below Colour"].contains(&calls.note.as_str()), "{calls:?}");
}

#[test]
fn past_commits_and_what_changes_together() {
    let answer = ask(&library(), "Prices should round half up in euro");
    assert_eq!(answer.places[0].file, "src/shop/invoice.py");
    assert!(answer.places[0].why.iter().any(|e| e.signal == Signal::Commits));
    let cart = answer.places.iter().find(|p| p.file == "src/shop/cart.py").expect("it changes together");
    assert!(cart.why.iter().any(|e| e.signal == Signal::CoChange));
}

#[test]
fn no_file_takes_all_lines() {
    let many: String = (0..9).map(|i| format!("def parse_money_{i}():\n    return 'money'\n\n")).collect();
    let index = index(
        &[
            ("a.py", &many),
            ("b.py", "def money():\n    pass\n"),
            ("c.py", "def pay_money():\n    pass\n"),
            ("d.py", "def money_bag():\n    pass\n"),
        ],
        &[],
    );
    let files = |text| -> Vec<String> { ask(&index, text).places.into_iter().map(|p| p.file).collect() };
    let of_a = |files: &[String]| files.iter().filter(|f| *f == "a.py").count();
    let like = files("money wrong");
    assert_eq!(like.len(), 6);
    assert!(of_a(&like[..5]) <= 3 && like.iter().any(|f| f == "b.py") && like.iter().any(|f| f == "c.py"), "{like:?}");
    // Files with far less for them leave it two of their lines, and keep one.
    let far = files("parse money wrong");
    assert!((4..=5).contains(&of_a(&far)), "{far:?}");
}

#[test]
fn overloads_take_one_line() {
    let index = index(
        &[
            (
                "a.py",
                "def load(x: int): ...\n\ndef load(x: str): ...\n\ndef load(x: bytes): ...\n\ndef load(x):\n    data = read(x)\n    \
                 return parse(data)\n\ndef load_all(x):\n    return [load(y) for y in x]\n",
            ),
            ("b.py", "def loads():\n    pass\n"),
        ],
        &[],
    );
    let answer = ask(&index, "load fails");
    let of_load: Vec<usize> =
        (0..answer.places.len()).filter(|&i| answer.places[i].qualname.split('#').next() == Some("load")).collect();
    assert_eq!(of_load[0], 0, "{:?}", names(&answer));
    assert_eq!(answer.places[0].start_line, 7, "the one that does something: {:?}", names(&answer));
    let others: Vec<usize> = (0..answer.places.len()).filter(|i| !of_load.contains(i)).collect();
    assert!(others.len() >= 2 && of_load[1..].iter().all(|i| *i > others[1]), "{:?}", names(&answer));
}

#[test]
fn silence_and_nothing() {
    let index = library();
    assert!(ask(&index, "thanks, commit this please").silent);
    let nothing = ask(&index, "Zwiebelkuchen mit Quittengelee");
    assert!(!nothing.silent && nothing.places.is_empty());
    assert_eq!(nothing.confidence, Confidence::Low);
}

#[test]
fn any_text_gets_the_same_answer_twice() {
    let index = library();
    let odd = [
        String::new(),
        "\0\u{1}\u{202e}".into(),
        "x".repeat(1 << 20),
        "Choice convert `cart` total ".repeat(40_000),
        "ошибка в Choice.convert".into(),
        "文件名错误 normalize_choice".into(),
        "def total(cart):\n    return sum(cart)".into(),
    ];
    for text in odd {
        assert_eq!(ask(&index, &text), ask(&index, &text));
    }
    assert_eq!(names(&ask(&index, "ошибка в Choice.convert"))[0], "src/shop/types.py:Choice.convert");
    assert_eq!(names(&ask(&index, "文件名错误 normalize_choice"))[0], "src/shop/types.py:Choice.normalize_choice");
}

#[test]
fn an_empty_index_has_no_places() {
    let index = index(&[], &[]);
    assert!(ask(&index, "Choice.convert fails").places.is_empty());
}

#[test]
fn a_private_function_that_is_named_is_left_less_than_a_public_one() {
    let index = library();
    let below = |text: &str, from: &'static str| {
        let task = Task::read(None, text);
        let graph = Calls(BTreeMap::from([(from, vec!["src/shop/graph.py::_spread"])]));
        let answer = locate(&index, &graph, &task, Limits::MAP).unwrap();
        let why = answer.places.iter().find(|p| p.qualname == "_spread").map_or(&[][..], |p| &p.why[..]);
        why.iter().find(|e| e.signal == Signal::Calls).map_or(0.0, |e| e.points)
    };
    let public = below("`shortest` is too long", "src/shop/graph.py::shortest");
    let private = below("`_between` is too long", "src/shop/graph.py::_between");
    assert!(public > private, "{public} {private}");
}

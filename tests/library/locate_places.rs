//! Where reports of different kinds lead, over made-up repositories that are really indexed.

use std::path::Path;
use std::time::Duration;

use portolan::ask;
use portolan::config::Config;
use portolan::index::{self, Options};
use portolan::locate::{Answer, Evidence, Limits, Signal, Task};
use portolan::progress::Quiet;
use portolan::repo::Repo;
use portolan::store::{Layout, Store};

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let repo = open(folder.path());
        index::index(&repo, &Config::default(), Options::default(), &Quiet).unwrap();
        Project { folder }
    }

    fn ask(&self, text: &str) -> Answer {
        let store = Store::new(Layout::open(self.folder.path(), false).unwrap());
        let task = Task::read(None, text);
        ask::locate(&open(self.folder.path()), &store, Duration::from_secs(20), &task, Limits::MAP).unwrap()
    }

    /// The place of a name on the map, 1-based; 0 when it is not there.
    fn line_of(&self, text: &str, qualname: &str) -> usize {
        line_of(&self.ask(text), qualname)
    }
}

fn open(folder: &Path) -> Repo {
    Repo::open(folder, true).unwrap()
}

fn line_of(answer: &Answer, qualname: &str) -> usize {
    answer.places.iter().position(|p| p.qualname == qualname).map_or(0, |i| i + 1)
}

const PALETTE: &[(&str, &str)] = &[
    (
        "src/paint/palette.py",
        "from .base import Source\n\n\nclass Palette(Source):\n    \"\"\"A set of colours.\n\n    :param strict_order: keep the colours as given\n    \"\"\"\n\n    \
         def __init__(self, colours, strict_order=True):\n        self.colours = colours\n        self.strict_order = strict_order\n\n    \
         def describe(self):\n        info = super().describe()\n        info.update({\"colours\": self.colours, \"strict_order\": self.strict_order})\n        return info\n\n    \
         def arrange(self, colour, context):\n        key = colour.name if hasattr(colour, \"name\") else str(colour)\n        \
         if context is not None and context.order_with is not None:\n            key = context.order_with(key)\n        \
         if not self.strict_order:\n            key = key.strip().lower()\n        return key\n\n    \
         def pick(self, value, context):\n        wanted = self.arrange(value, context)\n        for colour in self.colours:\n            \
         if self.arrange(colour, context) == wanted:\n                return colour\n        raise LookupError(value)\n\n    \
         def complete(self, start, context):\n        return [c for c in self.colours if self.arrange(c, context).startswith(start)]\n\n    \
         def __repr__(self):\n        return f\"Palette({self.colours})\"\n",
    ),
    ("src/paint/base.py", "class Source:\n    def describe(self):\n        return {\"kind\": type(self).__name__}\n"),
    (
        "src/paint/canvas.py",
        "def draw(colours, order, strict):\n    for colour in colours:\n        print(colour, order, strict)\n\n\n\
         def clear(canvas):\n    canvas.pixels = []\n",
    ),
    ("tests/test_canvas.py", "from paint.canvas import clear\n\n\ndef test_clear():\n    clear(object())\n"),
    (
        "tests/test_palette.py",
        "from paint.palette import Palette\n\n\ndef test_loose_order():\n    palette = Palette([\"Red\"], strict_order=False)\n    \
         assert palette.pick(\"red\", None) == \"Red\"\n",
    ),
];

#[test]
fn a_named_class_leads_to_the_method_that_its_members_share() {
    let project = Project::new(PALETTE);
    let answer = project.ask("Palette([\"Red\", \"Blue\"], strict_order=False) doesn't pick red");
    let line = line_of(&answer, "Palette.arrange");
    let names: Vec<&str> = answer.places.iter().map(|p| p.qualname.as_str()).collect();
    assert!(line == 1 || line == 2, "{names:?}");
    assert_eq!(answer.tests.first().map(String::as_str), Some("tests/test_palette.py"), "{:?}", answer.tests);
    // Storing an argument and handing it on are no places.
    assert!(line_of(&answer, "Palette.__init__") != 1, "{names:?}");
}

const ROUTES: &[(&str, &str)] = &[
    (
        "trip/plan.py",
        "def cheapest_trip_cost(network, start, end):\n    \"\"\"Cost of the cheapest trip.\"\"\"\n    \
         costs = _from_one(network, start, end)\n    return costs[end]\n\n\n\
         def cheapest_trip(network, start, end):\n    paths = {}\n    _from_one(network, start, end, paths)\n    return paths[end]\n\n\n\
         def _from_one(network, start, end, paths=None):\n    return _expand(network, [start], paths, end)\n\n\n\
         def _expand(network, seeds, paths, stop):\n    fringe = [(0, s) for s in seeds]\n    done = {}\n    while fringe:\n        \
         fringe.sort()\n        spent, here = fringe.pop(0)\n        if here in done:\n            continue\n        \
         done[here] = spent\n        if here == stop:\n            break\n        for there, price in network[here].items():\n            \
         fringe.append((spent + price, there))\n            if paths is not None:\n                paths.setdefault(there, here)\n    return done\n",
    ),
    (
        "trip/print.py",
        "def show_trip(trip):\n    print(\" -> \".join(trip))\n\n\ndef show_cost(cost):\n    print(f\"{cost:.2f}\")\n",
    ),
    (
        "trip/load.py",
        "def read_network(path):\n    with open(path) as f:\n        return [line.split() for line in f]\n",
    ),
];

#[test]
fn a_wrapper_and_the_function_below_it_each_have_a_line() {
    let project = Project::new(ROUTES);
    let answer = project.ask("cheapest_trip_cost is too high if two roads lead to the same town");
    let (wrapper, below) = (line_of(&answer, "cheapest_trip_cost"), line_of(&answer, "_expand"));
    assert!((1..=2).contains(&wrapper) && (1..=3).contains(&below), "{:?}", answer.places);
}

#[test]
fn a_base_classs_method_is_found_through_the_subclass() {
    let project = Project::new(&[
        (
            "mail/base.py",
            "class Sender:\n    def send(self, letter):\n        envelope = self._wrap(letter)\n        return self._post(envelope)\n\n    \
             def _wrap(self, letter):\n        lines = letter.splitlines()\n        return [line.rstrip() for line in lines if line]\n\n    \
             def _post(self, envelope):\n        raise NotImplementedError\n",
        ),
        (
            "mail/fast.py",
            "from .base import Sender\n\n\nclass FastSender(Sender):\n    def __init__(self, host):\n        self.host = host\n\n    \
             def deliver(self, letter):\n        return self.send(letter)\n\n    def _post(self, envelope):\n        \
             return self.host.put(envelope)\n",
        ),
        ("mail/stamp.py", "def stamp(letter):\n    return letter + \"stamp\"\n"),
    ]);
    let answer = project.ask("`FastSender.deliver` swallows empty lines of the letter");
    let place = answer.places.iter().find(|p| p.qualname == "Sender._wrap").expect("on the map");
    let below = |e: &&Evidence| e.signal == Signal::Calls && e.note.contains(" below FastSender");
    assert!(place.why.iter().find(below).is_some(), "{:?}", place.why);
}

#[test]
fn a_message_leads_to_the_function_that_raises_it() {
    let project = Project::new(&[
        (
            "store/shelf.go",
            "package store\n\nimport \"fmt\"\n\ntype Shelf struct{ room int }\n\nfunc (s *Shelf) Put(box int) error {\n\t\
             return s.check(box)\n}\n\nfunc (s *Shelf) check(box int) error {\n\tif box > s.room {\n\t\t\
             return fmt.Errorf(\"box of %d litres exceeds the shelf\", box)\n\t}\n\treturn nil\n}\n",
        ),
        ("store/box.go", "package store\n\nfunc Volume(a, b, c int) int {\n\treturn a * b * c\n}\n"),
    ]);
    let line = project.line_of("Cannot store anything\n\nerror: box of 3 litres exceeds the shelf", "Shelf.check");
    assert_eq!(line, 1);
}

#[test]
fn a_trace_through_a_library_leads_to_its_innermost_frame_here() {
    let project = Project::new(&[
        (
            "src/queue.js",
            "export function push(queue, job) {\n  return enqueue(queue, job);\n}\n\nfunction enqueue(queue, job) {\n  \
             queue.items.push(job);\n  return queue;\n}\n",
        ),
        ("src/job.js", "export function job(name) {\n  return { name };\n}\n"),
    ]);
    let text = "Crash at start\n\nTypeError: Cannot read properties of undefined\n    at Array.push (<anonymous>)\n    \
                at enqueue (/app/node_modules/jobs/src/queue.js:6:15)\n    at push (/app/node_modules/jobs/src/queue.js:2:10)\n    \
                at main (/app/index.js:3:1)\n";
    assert_eq!(project.line_of(text, "enqueue"), 1);
}

#[test]
fn a_struct_in_rust_leads_to_its_methods() {
    let project = Project::new(&[
        (
            "src/walk.rs",
            "pub struct Walker {\n    depth: usize,\n    hidden: bool,\n}\n\nimpl Walker {\n    pub fn new(depth: usize, hidden: bool) -> Walker {\n        \
             Walker { depth, hidden }\n    }\n\n    pub fn files(&self, names: &[String]) -> Vec<String> {\n        \
             names.iter().filter(|n| self.wanted(n)).cloned().collect()\n    }\n\n    pub fn count(&self, names: &[String]) -> usize {\n        \
             names.iter().filter(|n| self.wanted(n)).count()\n    }\n\n    fn wanted(&self, name: &str) -> bool {\n        \
             let shown = self.hidden || !name.starts_with('.');\n        shown && name.matches('/').count() <= self.depth\n    }\n}\n",
        ),
        (
            "src/print.rs",
            "pub fn print_all(names: &[String]) {\n    for name in names {\n        println!(\"{name}\");\n    }\n}\n",
        ),
    ]);
    let line = project.line_of("Walker with hidden = true still skips hidden files", "Walker.wanted");
    assert!((1..=3).contains(&line), "line {line}");
}

#[test]
fn a_request_for_something_new_finds_its_siblings() {
    let project = Project::new(&[
        ("exporters/csv.py", "def export_csv(rows, out):\n    for row in rows:\n        out.write(\",\".join(row))\n"),
        (
            "exporters/html.py",
            "def export_html(rows, out):\n    out.write(\"<table>\")\n    for row in rows:\n        out.write(row)\n",
        ),
        (
            "server/http.py",
            "def serve(port):\n    while True:\n        handle(port)\n\n\ndef handle(port):\n    print(port)\n",
        ),
    ]);
    let answer =
        project.ask("Please add an exporter for JSON\n\nWe have CSV and HTML and need export to JSON as well.");
    let files: Vec<&str> = answer.places.iter().take(2).map(|p| p.file.as_str()).collect();
    assert!(files.iter().all(|f| f.starts_with("exporters/")), "{files:?}");
}

//! Stack traces in a text: Python, JavaScript, Java, Go, Rust, C and C++ (gdb, sanitizers).

use std::sync::LazyLock;

use regex::Regex;

/// Most frames that are read.
const MAX_FRAMES: usize = 80;

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The file as the trace gives it, forward slashes; may be absolute, or a bare name (Java).
    pub path: String,
    /// Its line, 1-based; 0 when not given.
    pub line: u32,
    /// The function, as the trace names it; empty when not given.
    pub function: String,
    /// 0 for the innermost frame of its trace.
    pub depth: u32,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a constant pattern"));
    };
}

pattern!(PYTHON, r#"^[ \t\r]*File "([^"]+)", line ([0-9]+)(?:, in ([^ \t\r\n]+))?"#);
pattern!(
    JAVASCRIPT,
    r"^[ \t\r]*at (?:(?:async |new )*([^ \t\r\n(]+)[^(\n]* \()?((?:file://)?[^ \t\r\n()]+?):([0-9]+)(?::[0-9]+)?\)?[ \t\r]*$"
);
pattern!(
    JAVA,
    r"^[ \t\r]*at ([A-Za-z0-9_.$<>/@]+)\.([A-Za-z0-9_$<>]+)\(([A-Za-z0-9_$]+\.(?:java|kt|scala|groovy)):([0-9]+)\)"
);
pattern!(GO_FILE, r"^[ \t\r]+([^ \t\r\n]+\.go):([0-9]+)(?:[ \t\r]|$)");
pattern!(GO_FUNCTION, r"^(?:created by )?([A-Za-z0-9_./*()\-]+?)(?:\((?:[^*].*)?\))?(?: in goroutine [0-9]+)?$");
pattern!(RUST_FUNCTION, r"^[ \t\r]*[0-9]+:[ \t\r]+(?:0x[0-9a-f]+ - )?([A-Za-z0-9_:<>{}# \t\r\n,&'\[\];*$]+)$");
pattern!(RUST_FILE, r"^[ \t\r]+at ([^ \t\r\n]+\.rs):([0-9]+)(?::[0-9]+)?[ \t\r]*$");
pattern!(RUST_PANIC, r"panicked at (?:'[^']*', )?([^ \t\r\n]+\.rs):([0-9]+)");
pattern!(
    NATIVE,
    r"^[ \t\r]*#[0-9]+[ \t\r]+(?:0x[0-9a-f]+ )?in ([A-Za-z0-9_:~<>$]+)[^/\n]*?([A-Za-z0-9_./+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)):([0-9]+)"
);
// gdb: `#0  parse (s=0x0) at src/parse.c:12`; its other frames are NATIVE's unless their arguments hold a slash.
pattern!(
    GDB,
    r"^[ \t\r]*#[0-9]+[ \t\r]+(?:0x[0-9a-f]+[ \t\r]+in[ \t\r]+)?([A-Za-z_~][A-Za-z0-9_:~<>$, ]*?)[ \t\r]*\(.*\)[ \t\r]+at[ \t\r]+([^ \t\r\n:]+):([0-9]+)"
);
// valgrind: `==7==    by 0x4005: parse (parse.c:12)`.
pattern!(
    VALGRIND,
    r"^[ \t\r]*(?:==[0-9]+==)?[ \t\r]*(?:at|by)[ \t\r]+0x[0-9A-Fa-f]+:[ \t\r]+([A-Za-z_~][A-Za-z0-9_:~<>$]*)[^\n]*\(([A-Za-z0-9_./+-]+\.[A-Za-z]+):([0-9]+)\)"
);
// A failed assertion of C: `prog: src/parse.c:12: parse: Assertion `x' failed.`
pattern!(
    ASSERTION,
    r"(?:^|[ \t\r])([A-Za-z0-9_./+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx)):([0-9]+): ([^:\n]*(?:::[^:\n]*)*): Assertion "
);

fn put(out: &mut Vec<Frame>, path: &str, line: &str, function: &str, depth: u32) {
    if out.len() < MAX_FRAMES {
        let path = path.trim_start_matches("file://").replace('\\', "/");
        out.push(Frame { path, line: line.parse().unwrap_or(0), function: function.to_owned(), depth });
    }
}

/// Says whether a line on its own is a frame, or the part of one that names the file.
pub fn is_frame(line: &str) -> bool {
    ["File \"", " at ", ".go:", " in ", " by ", "Assertion"].iter().any(|mark| line.contains(mark))
        && !frames(crate::extract::clip(line, 1000)).is_empty()
}

/// All frames of a text. Python writes the innermost last, the others first; `depth` counts from the innermost.
pub fn frames(text: &str) -> Vec<Frame> {
    let mut out = Vec::new();
    let mut python: Vec<(String, String, String)> = Vec::new();
    let mut gap = 0;
    let mut depth = 0;
    let mut before = "";
    let flush = |python: &mut Vec<(String, String, String)>, out: &mut Vec<Frame>| {
        let last = python.len();
        for (i, (path, line, function)) in python.drain(..).enumerate() {
            put(out, &path, &line, &function, (last - 1 - i) as u32);
        }
    };
    for line in text.lines() {
        // Logs put their own marks before a trace's lines.
        let line = line.trim_start_matches(['|', '>', 'E']);
        let line = crate::extract::clip(line, 1000);
        gap += 1;
        if let Some(f) = PYTHON.captures(line) {
            python.push((f[1].to_owned(), f[2].to_owned(), f.get(3).map_or("", |m| m.as_str()).to_owned()));
            gap = 0;
        } else {
            if gap > 4 && !python.is_empty() {
                flush(&mut python, &mut out);
            }
            let found = if let Some(f) = JAVA.captures(line) {
                let class = f[1].rsplit(['.', '/']).next().unwrap_or("").to_owned();
                let folder = f[1].rsplit_once('.').map_or(String::new(), |(package, _)| {
                    format!("{}/", package.rsplit('/').next().unwrap_or(package).replace('.', "/"))
                });
                let class = class.split('$').next().unwrap_or("").to_owned();
                Some((format!("{folder}{}", &f[3]), f[4].to_owned(), format!("{class}.{}", &f[2])))
            } else if let Some(f) = RUST_PANIC.captures(line) {
                Some((f[1].to_owned(), f[2].to_owned(), String::new()))
            } else if let Some(f) = RUST_FILE.captures(line) {
                let function = RUST_FUNCTION.captures(before).map_or(String::new(), |f| f[1].trim().to_owned());
                Some((f[1].to_owned(), f[2].to_owned(), function))
            } else if let Some(f) = GO_FILE.captures(line) {
                let function = GO_FUNCTION.captures(before).map_or("", |f| f.get(1).map_or("", |m| m.as_str()));
                let function = function.rsplit('/').next().unwrap_or("");
                let function = function.split_once('.').map_or(function, |(_, rest)| rest);
                Some((f[1].to_owned(), f[2].to_owned(), function.replace(['(', ')', '*'], "")))
            } else if let Some(f) =
                GDB.captures(line).or_else(|| VALGRIND.captures(line)).or_else(|| NATIVE.captures(line))
            {
                Some((f[2].to_owned(), f[3].to_owned(), f[1].replace("::", ".")))
            } else if let Some(f) = ASSERTION.captures(line) {
                let function = f[3].split('(').next().unwrap_or("").rsplit(' ').next().unwrap_or("").replace("::", ".");
                Some((f[1].to_owned(), f[2].to_owned(), function))
            } else {
                JAVASCRIPT.captures(line).map(|f| {
                    let function = f.get(1).map_or("", |m| m.as_str());
                    (f[2].to_owned(), f[3].to_owned(), function.trim_start_matches("Object.").to_owned())
                })
            };
            match found {
                Some((path, line, function)) => {
                    if gap > 6 {
                        depth = 0;
                    }
                    put(&mut out, &path, &line, &function, depth);
                    depth += 1;
                    gap = 0;
                }
                None if gap > 6 => depth = 0,
                None => {}
            }
        }
        before = line;
    }
    if !python.is_empty() {
        flush(&mut python, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Vec<(String, u32, String, u32)> {
        frames(text).into_iter().map(|f| (f.path, f.line, f.function, f.depth)).collect()
    }

    fn row(path: &str, line: u32, function: &str, depth: u32) -> (String, u32, String, u32) {
        (path.into(), line, function.into(), depth)
    }

    #[test]
    fn python_counts_from_the_last() {
        let text = "Traceback (most recent call last):\n  File \"/x/a.py\", line 3, in main\n    go()\n  \
                    File \"/x/b.py\", line 9, in go\n    1/0\nZeroDivisionError: division by zero\n";
        assert_eq!(one(text), [row("/x/a.py", 3, "main", 1), row("/x/b.py", 9, "go", 0)]);
    }

    #[test]
    fn javascript_and_java_count_from_the_first() {
        let text = "TypeError: x\n    at Dayjs.format (/app/src/index.js:10:5)\n    at /app/b.js:2:1\n";
        assert_eq!(one(text), [row("/app/src/index.js", 10, "Dayjs.format", 0), row("/app/b.js", 2, "", 1)]);
        let text = "java.lang.X: y\n\tat org.mockito.internal.MockUtil$1.create(MockUtil.java:51)\n";
        assert_eq!(one(text), [row("org/mockito/internal/MockUtil.java", 51, "MockUtil.create", 0)]);
    }

    #[test]
    fn go_rust_and_native() {
        let text = "goroutine 1 [running]:\ngithub.com/a/b/core.(*Engine).Run(0x1)\n\t/src/core/engine.go:77 +0x1\n";
        assert_eq!(one(text), [row("/src/core/engine.go", 77, "Engine.Run", 0)]);
        let text =
            "thread 'main' panicked at src/walk.rs:12:5:\n   2: fd::walk::scan\n             at ./src/walk.rs:44:9\n";
        assert_eq!(one(text), [row("src/walk.rs", 12, "", 0), row("./src/walk.rs", 44, "fd::walk::scan", 1)]);
        let text = "    #0 0x55d in fmt::v7::detail::write<char> /src/include/fmt/format.h:1730:3\n";
        assert_eq!(one(text), [row("/src/include/fmt/format.h", 1730, "fmt.v7.detail.write<char>", 0)]);
    }

    #[test]
    fn c_by_gdb_valgrind_and_assert() {
        let text = "#0  parse_item (s=0x0, path=0x7f \"/tmp/x\") at src/parse.c:12\n#1  0x0000555 in main () at /src/main.c:7\n";
        assert_eq!(one(text), [row("src/parse.c", 12, "parse_item", 0), row("/src/main.c", 7, "main", 1)]);
        let text = "==7== Invalid read of size 4\n==7==    at 0x401136: parse_item (parse.c:12)\n==7==    by 0x40115A: main (main.c:7)\n";
        assert_eq!(one(text), [row("parse.c", 12, "parse_item", 0), row("main.c", 7, "main", 1)]);
        let text = "tool: src/parse.c:40: int ns::parse(const char *): Assertion `s != NULL' failed.\n";
        assert_eq!(one(text), [row("src/parse.c", 40, "ns.parse", 0)]);
    }

    #[test]
    fn prose_has_no_frames() {
        assert_eq!(
            one("Look at the clock: 10:30\nat noon\nfile a.py line 3\n#12 in the list (see above) at home: 3"),
            []
        );
    }
}

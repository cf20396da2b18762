//! Source text by rule: the same arguments give the same bytes.

use std::fmt::Write as _;

const VERBS: [&str; 12] =
    ["parse", "load", "store", "fetch", "render", "merge", "split", "check", "apply", "count", "close", "open"];
const NOUNS: [&str; 14] = [
    "order", "invoice", "header", "token", "session", "cache", "route", "buffer", "record", "price", "basket", "field",
    "window", "report",
];

fn verb(i: usize) -> &'static str {
    VERBS[i % VERBS.len()]
}

fn noun(i: usize) -> &'static str {
    NOUNS[i % NOUNS.len()]
}

/// Definitions in each file beside its classes.
const FUNCTIONS: usize = 24;
/// Classes in each file, each with [`METHODS`].
const CLASSES: usize = 4;
const METHODS: usize = 6;

/// A language that text can be made for, by the extension of its files.
pub const EXTENSIONS: [&str; 3] = ["py", "ts", "go"];

/// The name of function `j` of file `i`: distinct within 168 functions, so that files share names as real ones do.
fn function(i: usize, j: usize) -> String {
    format!("{}_{}_{}", verb(i + j), noun(i * 5 + j), j)
}

fn method(j: usize) -> String {
    format!("{}_{}", verb(j * 5), noun(j * 3))
}

/// Path and text of `count` files that import and call each other.
pub fn project(extension: &str, count: usize) -> Vec<(String, String)> {
    (0..count).map(|i| (path(extension, i), text(extension, i, count))).collect()
}

fn path(extension: &str, i: usize) -> String {
    match extension {
        // A folder is a package.
        "go" => format!("go/pkg{i}/file.go"),
        _ => format!("{extension}/pkg{}/mod{i}.{extension}", i / 16),
    }
}

fn text(extension: &str, i: usize, count: usize) -> String {
    match extension {
        "py" => python(i, count),
        "ts" => typescript(i, count),
        "go" => go(i, count),
        _ => unreachable!("EXTENSIONS lists what there is"),
    }
}

fn others(i: usize, count: usize) -> [usize; 3] {
    [(i * 7 + 3) % count, (i + 1) % count, (i * 13 + 5) % count]
}

fn python(i: usize, count: usize) -> String {
    let mut out = format!("\"\"\"Part {i}: {} of the {}.\"\"\"\nimport os\n", verb(i), noun(i));
    let others = others(i, count);
    for (k, other) in others.iter().enumerate() {
        let _ = writeln!(
            out,
            "from py.pkg{}.mod{other} import {} as far{k}, C{other}_0 as Far{k}",
            other / 16,
            function(*other, k)
        );
    }
    for j in 0..FUNCTIONS {
        let (name, next) = (function(i, j), function(i, (j + 1) % FUNCTIONS));
        let _ = write!(
            out,
            "\n\ndef {name}(value, *, limit: int = {j}, strict=False):\n    \"\"\"Takes a {noun} and gives its {next}.\"\"\"\n    \
             if not value and strict:\n        raise ValueError('no {noun} for {name} of part {i}')\n    \
             items = [far{k}(x, limit) for x in value.items if x]\n    helper = Far{k}(items)\n    \
             helper.{method}(os.path.join('a', str(limit)))\n    return {next}(items, limit=len(items))\n",
            noun = noun(j),
            k = j % 3,
            method = method(j % METHODS),
        );
    }
    for c in 0..CLASSES {
        let base = if c == 0 { "object".to_owned() } else { format!("C{i}_{}", c - 1) };
        let _ = write!(
            out,
            "\n\nclass C{i}_{c}({base}):\n    \"\"\"Keeps {} apart.\"\"\"\n\n    def __init__(self, items):\n        self.items = items\n        self.part = Far1(items)\n",
            noun(c)
        );
        for m in 0..METHODS {
            let _ = write!(
                out,
                "\n    def {}(self, name, depth=0):\n        # a {} may be empty here\n        found = self.{}(name, depth + 1)\n        \
                 self.part.{}(found)\n        return {}(found)\n",
                method(m),
                noun(m),
                method((m + 1) % METHODS),
                method(m),
                function(i, m),
            );
        }
    }
    out
}

fn typescript(i: usize, count: usize) -> String {
    let mut out = String::new();
    let others = others(i, count);
    for (k, other) in others.iter().enumerate() {
        let _ = writeln!(
            out,
            "import {{ {} as far{k}, C{other}_0 as Far{k} }} from '../pkg{}/mod{other}';",
            function(*other, k),
            other / 16
        );
    }
    for j in 0..FUNCTIONS {
        let (name, next) = (function(i, j), function(i, (j + 1) % FUNCTIONS));
        let _ = write!(
            out,
            "\n/** Takes a {noun} and gives its {next}. */\nexport function {name}(value: any[], limit: number = {j}, strict?: boolean): any {{\n  \
             if (!value && strict) {{\n    throw new Error(`no {noun} for {name} of part ${{limit}}`);\n  }}\n  \
             const items = value.map((x) => far{k}(x, limit)).filter(Boolean);\n  const helper = new Far{k}(items);\n  \
             helper.{method}('a/b', limit);\n  return {next}(items, items.length);\n}}\n",
            noun = noun(j),
            k = j % 3,
            method = method(j % METHODS),
        );
    }
    for c in 0..CLASSES {
        let base = if c == 0 { String::new() } else { format!(" extends C{i}_{}", c - 1) };
        let _ = write!(
            out,
            "\nexport class C{i}_{c}{base} {{\n  private part: Far1;\n  constructor(public items: any[]) {{\n    {}this.part = new Far1(items);\n  }}\n",
            if c == 0 { "" } else { "super(items);\n    " }
        );
        for m in 0..METHODS {
            let _ = write!(
                out,
                "\n  {}(name: string, depth = 0): any {{\n    // a {} may be empty here\n    const found = this.{}(name, depth + 1);\n    \
                 this.part.{}(found);\n    return {}(found);\n  }}\n",
                method(m),
                noun(m),
                method((m + 1) % METHODS),
                method(m),
                function(i, m),
            );
        }
        out.push_str("}\n");
    }
    out
}

fn go(i: usize, count: usize) -> String {
    let mut out = format!("// Package pkg{i} does {} things.\npackage pkg{i}\n\nimport (\n\t\"fmt\"\n", verb(i));
    let others = others(i, count);
    for (k, other) in others.iter().enumerate() {
        let _ = writeln!(out, "\tfar{k} \"example.org/shop/go/pkg{other}\"");
    }
    out.push_str(")\n");
    let exported = |name: String| format!("F{name}");
    for j in 0..FUNCTIONS {
        let (name, next) = (exported(function(i, j)), exported(function(i, (j + 1) % FUNCTIONS)));
        let _ = write!(
            out,
            "\n// {name} takes a {noun} and gives its {next}.\nfunc {name}(value []string, limit int) ([]string, error) {{\n\t\
             if len(value) == 0 {{\n\t\treturn nil, fmt.Errorf(\"no {noun} for {name} of part %d\", limit)\n\t}}\n\t\
             items, err := far{k}.{far}(value, limit)\n\tif err != nil {{\n\t\treturn nil, err\n\t}}\n\t\
             helper := &far{k}.C0{{Items: items}}\n\thelper.M{method}(\"a\", limit)\n\treturn {next}(items, len(items))\n}}\n",
            noun = noun(j),
            k = j % 3,
            far = exported(function(others[j % 3], j % 3)),
            method = method(j % METHODS),
        );
    }
    for c in 0..CLASSES {
        let base = if c == 0 { String::new() } else { format!("\tC{}\n", c - 1) };
        let _ = write!(
            out,
            "\n// C{c} keeps {} apart.\ntype C{c} struct {{\n{base}\tItems []string\n\tpart *far1.C0\n}}\n",
            noun(c)
        );
        for m in 0..METHODS {
            let _ = write!(
                out,
                "\nfunc (c *C{c}) M{}(name string, depth int) []string {{\n\t// a {} may be empty here\n\tfound := c.M{}(name, depth+1)\n\t\
                 c.part.M{}(name, depth)\n\tall, _ := {}(found, depth)\n\treturn all\n}}\n",
                method(m),
                noun(m),
                method((m + 1) % METHODS),
                method(m),
                exported(function(i, m)),
            );
        }
    }
    out
}

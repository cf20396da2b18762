//! What stands in settings before Portolan comes.

use portolan::install::{Entry, Form, Part};
use serde_json::{Value as Json, json};

/// How the files were prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Empty,
    Blank,
    EmptyObject,
    Real,
    Crlf,
    Bom,
    Minified,
    Foreign,
    Huge,
}

impl Kind {
    /// The content for a part's file; none where the file is ours alone.
    pub(crate) fn content(self, part: &Part) -> Option<Vec<u8>> {
        let text = match &part.form {
            Form::Own { .. } => return None,
            Form::Json { strict, entries } => self.json(*strict, entries)?,
            Form::Toml(_) => self.toml()?,
            Form::Block(_) => self.markdown()?,
        };
        Some(match self {
            Kind::Crlf => text.replace('\n', "\r\n").into_bytes(),
            Kind::Bom => format!("\u{feff}{text}").into_bytes(),
            _ => text.into_bytes(),
        })
    }

    fn json(self, strict: bool, entries: &[Entry]) -> Option<String> {
        Some(match self {
            Kind::Empty => return None,
            Kind::Blank => "\n".into(),
            Kind::EmptyObject => "{}".into(),
            Kind::Minified => foreign(entries).to_string(),
            Kind::Foreign => format!("{}\n", serde_json::to_string_pretty(&foreign(entries)).unwrap()),
            Kind::Huge => {
                let mut value = foreign(entries);
                value["history"] = (0..12_000).map(|n| json!({"prompt": format!("do {n} // \"it\""), "n": n})).collect();
                format!("{}\n", serde_json::to_string_pretty(&value).unwrap())
            }
            Kind::Real | Kind::Crlf | Kind::Bom if strict => {
                "{\n    \"theme\": \"dark\",\n    \"env\": {\n        \"TOKEN\": \"s\\u00e9cret // no comment\"\n    },\n    \
                 \"list\": [1, 2.50, 1e3, true, null],\n    \"empty\": {}\n}\n"
                    .into()
            }
            Kind::Real | Kind::Crlf | Kind::Bom => {
                "// My settings\n{\n  \"theme\": \"dark\", // at night\n  /* fonts */\n  \"font\": { \"size\": 13.0 },\n  \
                 \"list\": [1, 2.50, 1e3, true, null], // numbers\n  // \"off\": true,\n}\n// the end\n"
                    .into()
            }
        })
    }

    fn toml(self) -> Option<String> {
        Some(match self {
            Kind::Empty => return None,
            Kind::Blank => "\n".into(),
            Kind::EmptyObject => String::new(),
            Kind::Minified => "model='x'".into(),
            Kind::Huge => (0..12_000).map(|n| format!("[t{n}]\nx = {n}\n")).collect(),
            _ => "# My settings\nmodel = \"x\"  # fast\n\n[mcp_servers.other]\ncommand = \"y\"\nargs = [ 'a', ]\n\n\
                  [[hooks]]\nevent = \"Stop\"\ncommand = \"lint\"\n\n[projects.\"/a\"]\ntrust_level = \"trusted\""
                .into(),
        })
    }

    fn markdown(self) -> Option<String> {
        Some(match self {
            Kind::Empty => return None,
            Kind::Blank => "\n".into(),
            Kind::EmptyObject => String::new(),
            Kind::Minified => "Be brief.".into(),
            Kind::Huge => "Be brief.\n".repeat(50_000),
            _ => "# How we work\n\n- Be brief.\n- Test.\n\n\n".into(),
        })
    }
}

/// Settings with somebody else's servers and hooks in all places that ours go to.
pub(crate) fn foreign(entries: &[Entry]) -> Json {
    let mut root = json!({"theme": "dark"});
    for entry in entries {
        match entry {
            Entry::Property { at, .. } => {
                place(&mut root, at, json!({}))["other"] = json!({"command": "npx", "args": ["other", "mcp"]});
            }
            Entry::Element { at, .. } => {
                let hook =
                    json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "lint --all", "timeout": 5}]});
                *place(&mut root, at, json!([])) = json!([hook]);
            }
            Entry::Default { key, value } => root[key] = value.clone(),
        }
    }
    root
}

fn place<'a>(root: &'a mut Json, at: &[String], empty: Json) -> &'a mut Json {
    let mut value = root;
    for (i, key) in at.iter().enumerate() {
        let new = if i + 1 == at.len() { empty.clone() } else { json!({}) };
        value = value.as_object_mut().unwrap().entry(key.clone()).or_insert(new);
    }
    value
}

//! A review as SARIF 2.1.0 (OASIS standard), for code scanning: one result for each changed definition of medium or
//! high risk, at the lines that it has now.

use serde_json::{Value, json};

use crate::impact::ChangeKind;
use crate::review::{Grade, Review};

/// Rules are not to be more than a viewer shows.
const RESULTS: usize = 500;

/// The SARIF log of a review.
pub fn sarif(review: &Review) -> Value {
    let results: Vec<Value> = review
        .risks
        .iter()
        .filter(|r| r.grade >= Grade::Medium && r.symbol.change != ChangeKind::Removed)
        .take(RESULTS)
        .map(|r| {
            let s = &r.symbol;
            let text = format!(
                "{} of {} changed: risk {:.0} of 100 ({}), {} users outside its file",
                s.change.as_str(),
                super::line::one_line(&s.qualname, 120),
                r.risk,
                r.grade.as_str(),
                r.factors.users_outside
            );
            json!({
                "ruleId": format!("portolan/{}", s.change.as_str()),
                "level": if r.grade == Grade::High { "warning" } else { "note" },
                "message": { "text": text },
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": { "uri": uri(&s.file), "uriBaseId": "%SRCROOT%" },
                        "region": { "startLine": s.start_line.max(1), "endLine": s.end_line.max(s.start_line).max(1) }
                    },
                    "logicalLocations": [{ "fullyQualifiedName": s.id, "kind": s.kind }]
                }],
                "partialFingerprints": { "portolanSymbol/v1": s.id },
                "properties": { "risk": r.risk, "factors": r.factors }
            })
        })
        .collect();
    let rules: Vec<Value> = ["renamed", "signature", "value", "body", "added"]
        .iter()
        .map(|kind| {
            json!({
                "id": format!("portolan/{kind}"),
                "shortDescription": { "text": format!("Changed definition: {kind}") },
                "fullDescription": { "text": "Risk by users outside the file, tests, entry points, past fixes, size and certainty of the calls." }
            })
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "portolan", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results
        }]
    })
}

/// A path as a relative URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_uris() {
        assert_eq!(super::uri("src/a b.py"), "src/a%20b.py");
        assert_eq!(super::uri("ä.py"), "%C3%A4.py");
    }
}

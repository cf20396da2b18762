//! Small phrases that every answer uses: counts, ages, days, line numbers.

/// A date from seconds since 1970.
pub fn day(seconds: i64) -> String {
    chrono::DateTime::from_timestamp(seconds, 0).map_or_else(|| "?".into(), |t| t.format("%Y-%m-%d").to_string())
}

/// `1 file`, `2 files`.
pub fn count(n: impl std::fmt::Display, what: &str) -> String {
    let n = n.to_string();
    let s = if n == "1" { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// How long ago that was: `5 minutes`. In seconds since 1970.
pub fn age(seconds: i64) -> String {
    let past = (chrono::Utc::now().timestamp() - seconds).max(0);
    let (n, unit) = match past {
        0..60 => (past, "second"),
        60..3600 => (past / 60, "minute"),
        3600..86_400 => (past / 3600, "hour"),
        _ => (past / 86_400, "day"),
    };
    count(n, unit)
}

/// `src/a.py:12,40,41 and 3 more`.
pub fn lines(file: &str, lines: &[i64]) -> String {
    const SHOWN: usize = 5;
    let mut distinct = lines.to_vec();
    distinct.dedup();
    let shown: Vec<String> = distinct.iter().take(SHOWN).map(i64::to_string).collect();
    let more = distinct.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    if shown.is_empty() { file.to_owned() } else { format!("{file}:{}{more}", shown.join(",")) }
}

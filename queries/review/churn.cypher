// Part of review, not shipped: a look-up of many files at once, which scans the paths.
// churn: how often files changed, and how often to mend something, by the words of the commits' subjects.
// param: $paths STRING[], files
// param: $own STRING[], commits that do not count
// column: path STRING, the file
// column: commits INT64, commits that touched it
// column: fixes INT64, those whose subject speaks of a fault
UNWIND $paths AS p
MATCH (f:File {path: p})<-[:TOUCHED]-(c:Commit)
WHERE NOT c.is_merge AND NOT list_contains($own, c.hash)
RETURN p AS path, count(*) AS commits,
       sum(CASE WHEN regexp_matches(lower(c.subject), '\\b(fix|fixes|fixed|bug|bugs|regression|crash|revert|broken)\\b') THEN 1 ELSE 0 END) AS fixes
ORDER BY path;

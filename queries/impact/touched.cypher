// Part of impact, not shipped: it scans the history.
// touched: which commit touched which file that is there now; merges left out.
// param: $own STRING[], commits that do not count
// column: commit INT64, number of the commit
// column: at INT64, seconds since 1970
// column: file INT64, number of the file
MATCH (c:Commit)-[:TOUCHED]->(f:File)
WHERE NOT c.is_merge AND f.present AND NOT list_contains($own, c.hash)
RETURN offset(id(c)) AS commit, c.at AS at, offset(id(f)) AS file;

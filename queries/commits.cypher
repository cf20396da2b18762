// commits: the commits that touched a file, the newest first (merges left out).
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// param: $limit INT64, how many rows at most, e.g. 20
// column: hash STRING, the commit
// column: at INT64, when, seconds since 1970
// column: subject STRING, the first line of its message
// column: author STRING, who wrote it, as the newest mailmap has it
// start: key $path
MATCH (f:File {path: $path})<-[:TOUCHED]-(c:Commit)<-[:AUTHORED]-(p:Person)
WHERE NOT c.is_merge
RETURN c.hash AS hash, c.at AS at, c.subject AS subject, min(p.name) AS author
ORDER BY at DESC, hash
LIMIT $limit;

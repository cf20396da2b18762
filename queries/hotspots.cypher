// hotspots: files that are large and change often; generated files are left out.
// Change frequency times size as a cheap measure of where work and faults gather: A. Tornhill, Your Code as a Crime Scene (2015).
// version: 1
// schema: 2
// param: $since INT64, only commits from then on, seconds since 1970 (0: all that are in the graph), e.g. 0
// param: $limit INT64, how many rows at most, e.g. 20
// column: path STRING, the file
// column: commits INT64, commits that touched it (merges don't count)
// column: lines INT64, its length now
// column: last_at INT64, the newest of the commits, seconds since 1970
// column: score INT64, commits times lines
// start: scan Commit
MATCH (c:Commit)-[:TOUCHED]->(f:File)
WHERE c.at >= $since AND NOT c.is_merge AND f.present AND NOT f.generated
RETURN f.path AS path, count(*) AS commits, f.lines AS lines, max(c.at) AS last_at, count(*) * f.lines AS score
ORDER BY score DESC, path
LIMIT $limit;

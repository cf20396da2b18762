// cochange: files that changed in the same commits as a file.
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// param: $limit INT64, how many rows at most, e.g. 20
// column: other STRING, path of the other file
// column: together INT64, commits that touched both
// column: commits INT64, commits that touched the file asked about (merges don't count)
// column: weight DOUBLE, what the shared commits were worth at the file's newest commit: 1 each, halved every half-life
// start: key $path
MATCH (g:File {path: $path})<-[:TOUCHED]-(c:Commit)
WHERE NOT c.is_merge
WITH count(*) AS commits, max(c.at) AS newest
MATCH (h:Meta {k: 'half_life'}), (t:Meta {k: 't0'})
WITH commits, pow(2.0, (CAST(t.v AS DOUBLE) - newest) / CAST(h.v AS DOUBLE)) AS scale
MATCH (f:File {path: $path})-[x:CO_CHANGES]-(o:File)
WHERE o.present
RETURN o.path AS other, x.count AS together, commits, x.weight * scale AS weight
ORDER BY weight DESC, other
LIMIT $limit;

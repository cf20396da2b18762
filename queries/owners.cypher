// owners: who changed a file, the one with most commits first (merges don't count).
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// param: $limit INT64, how many rows at most, e.g. 20
// column: person STRING, id of the person
// column: name STRING, the name as the newest mailmap has it
// column: email STRING, the address likewise
// column: commits INT64, commits of that person that touched the file
// column: last_at INT64, the newest of them, seconds since 1970
// start: key $path
MATCH (f:File {path: $path})<-[:TOUCHED]-(c:Commit)<-[:AUTHORED]-(p:Person)
WHERE NOT c.is_merge
RETURN p.id AS person, p.name AS name, p.email AS email, count(*) AS commits, max(c.at) AS last_at
ORDER BY commits DESC, last_at DESC, person
LIMIT $limit;

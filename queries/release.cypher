// release: gives a session's claim to a file or an area back; no row when it had none.
// It writes.
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, or the area's pattern, e.g. "src/shop/cart.py"
// param: $session STRING, whose claim: host and session, e.g. "claude-code:7f3a"
// column: path STRING, what was given back
// start: key $session
MATCH (s:Session {id: $session})-[c:CLAIMS]->(f:File:Area)
WHERE coalesce(f.path, f.pattern) = $path
DELETE c
RETURN coalesce(f.path, f.pattern) AS path;

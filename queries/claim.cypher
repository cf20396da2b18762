// claim: takes a file for a session, or gives no row when another owner has it; one statement, so two never both get it.
// It writes. Within a session a sub-agent may take what its parent has; sub-agents of one session keep each other out.
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// param: $session STRING, who asks: host and session, e.g. "claude-code:7f3a"
// param: $host STRING, the host alone, e.g. "claude-code"
// param: $agent STRING, the sub-agent that asks, or empty, e.g. ""
// param: $boot STRING, id of the running boot, e.g. "b"
// param: $tick INT64, milliseconds since boot, e.g. 1000000
// param: $now INT64, seconds since 1970, e.g. 1700000000
// param: $until INT64, the claim holds until this tick whatever its session does, 0 for as long as the session is alive, e.g. 0
// param: $expires INT64, the same as seconds since 1970, e.g. 0
// param: $process STRING, the process that must live for the claim to hold, or empty, e.g. ""
// param: $dead STRING[], processes that the caller knows to be dead, e.g. [""]
// column: path STRING, the file, which is now the asker's
// column: since INT64, since when, seconds since 1970
// start: key $path
// start: key $session
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s:Session {id: $session})
ON CREATE SET s.host = $host, s.started = $now, s.last_at = $now, s.ended = 0, s.boot = $boot, s.alive = $tick + 600000
WITH f, s
OPTIONAL MATCH (f)<-[c:CLAIMS]-(o:Session)
WHERE (o.id <> $session OR (c.agent <> '' AND c.agent <> $agent))
    AND NOT c.note
    AND (c.process = '' OR NOT list_contains($dead, c.process))
    AND CASE WHEN c.boot = $boot
        THEN c.until >= $tick OR (c.until = 0 AND o.boot = $boot AND o.alive >= $tick)
        ELSE c.since <= $now AND c.expires >= $now END
WITH f, s, count(c) AS others
WHERE others = 0
MERGE (s)-[c:CLAIMS]->(f)
ON CREATE SET c.since = $now
SET c.since = CASE WHEN c.note OR c.boot <> $boot THEN $now ELSE c.since END,
    c.agent = $agent, c.boot = $boot, c.until = $until, c.expires = $expires, c.note = false, c.process = $process
RETURN f.path AS path, c.since AS since;

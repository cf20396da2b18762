// What is read and written round a claim, beside queries/claim.cypher, claims.cypher and release.cypher.

// name: claim area
MERGE (a:Area {pattern: $pattern})
WITH a
MATCH (s:Session {id: $session})
MERGE (s)-[c:CLAIMS]->(a)
ON CREATE SET c.since = $now
SET c.agent = $agent, c.boot = $boot, c.until = $until, c.expires = $expires, c.note = false, c.process = $process
RETURN a.pattern AS path, c.since AS since;

// queries/claims.cypher in short: planning takes a third of the time without functions and order.
// name: claims
MATCH (s:Session)-[c:CLAIMS]->(x:File:Area)
RETURN x.path, x.pattern, s.id, c.agent, c.since, c.note, c.boot, c.until, c.expires, c.process, s.boot, s.alive;

// queries/claim.cypher in short, for who has read all claims in this transaction: that one takes many times as long to
// plan. No row: the file or the session has none yet.
// name: claim anew
MATCH (s:Session {id: $session}), (f:File {path: $path})
CREATE (s)-[:CLAIMS {since: $now, agent: $agent, boot: $boot, until: $until, expires: $expires, note: false,
    process: $process}]->(f)
RETURN f.path;

// name: claim again
MATCH (s:Session {id: $session})-[c:CLAIMS]->(f:File {path: $path})
SET c.since = CASE WHEN c.note OR c.boot <> $boot THEN $now ELSE c.since END,
    c.agent = $agent, c.boot = $boot, c.until = $until, c.expires = $expires, c.note = false, c.process = $process
RETURN f.path;

// name: edited by others
MATCH (f:File {path: $path})<-[e:EDITED]-(o:Session) WHERE o.id <> $session RETURN o.id LIMIT 1;

// name: edited since read
MATCH (s:Session {id: $session})-[r:READ]->(f:File {path: $path})<-[e:EDITED]-(o:Session)
WHERE o.id <> $session AND CASE WHEN o.boot = s.boot THEN e.tick > r.tick ELSE e.last_at > r.last_at END
OPTIONAL MATCH (s)-[mine:EDITED]->(f)
WITH o, e, s, mine
WHERE mine.tick IS NULL OR CASE WHEN o.boot = s.boot THEN e.tick > mine.tick ELSE e.last_at > mine.last_at END
RETURN o.id, e.last_at
ORDER BY e.last_at DESC LIMIT 1;

// name: forget claim
MATCH (s:Session {id: $session})-[c:CLAIMS]->(x:File:Area)
WHERE coalesce(x.path, x.pattern) = $path DELETE c;

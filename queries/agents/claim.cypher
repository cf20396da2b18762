// What is read and written round a claim, beside queries/claim.cypher, claims.cypher and release.cypher.

// name: claim area
MERGE (a:Area {pattern: $pattern})
WITH a
MATCH (s:Session {id: $session})
MERGE (s)-[c:CLAIMS]->(a)
ON CREATE SET c.since = $now
SET c.agent = $agent, c.boot = $boot, c.until = $until, c.expires = $expires, c.note = false, c.process = $process
RETURN a.pattern AS path, c.since AS since;

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

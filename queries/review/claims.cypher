// Part of review, not shipped.
// claims: what sessions have claimed and not yet given back.
// param: $now INT64, seconds since 1970
// column: session STRING, whose claim
// column: host STRING, the program that the session runs in
// column: target STRING, a file's path or an area's pattern
// column: expires INT64, seconds since 1970
MATCH (s:Session)-[c:CLAIMS]->(f:File)
WHERE c.expires > $now
RETURN s.id AS session, s.host AS host, f.path AS target, c.expires AS expires
UNION ALL
MATCH (s:Session)-[c:CLAIMS]->(a:Area)
WHERE c.expires > $now
RETURN s.id AS session, s.host AS host, a.pattern AS target, c.expires AS expires;

// What is worth a line after a file was edited.

// name: tests
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)
WITH s MATCH (s)<-[t:TESTS]-(o:Symbol)
WHERE o.present AND o.file <> $path
RETURN o.file AS file, count(*) AS n ORDER BY n DESC, file LIMIT 2;

// name: callers
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)
WITH s MATCH (s)<-[c:CALLS]-(o:Symbol)
WHERE o.present AND o.file <> $path AND c.confidence >= 0.7 AND NOT o.is_test
RETURN count(DISTINCT o.id) AS callers, count(DISTINCT o.file) AS files;

// localize_tests, version 1, for schema 1.
// The test files that exercise one symbol.
// Parameters:
//   id  STRING  the symbol: path::Qual.name
// Columns: file STRING, confidence DOUBLE (of its surest edge), tests INT64 (how many)
// Plan: starts from the primary key of Symbol (s); the filter stands behind the WITH so that no table is scanned.
MATCH (s:Symbol {id: $id})<-[e:TESTS]-(t:Symbol)
WITH t.file AS file, e.confidence AS sure, t.present AS present
WHERE present
RETURN file, max(sure) AS confidence, count(*) AS tests
ORDER BY confidence DESC, tests DESC, file
LIMIT 20;

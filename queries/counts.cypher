// counts: how many rows the graph has; code that is not in the tree now is left out.
// version: 1
// schema: 2
// column: files INT64, files
// column: symbols INT64, symbols
// column: calls INT64, CALLS: one for each caller, callee and way of resolving
// column: commits INT64, commits
// start: scan File
// start: scan Symbol
// start: scan Commit
MATCH (f:File) WHERE f.present
WITH count(*) AS files
OPTIONAL MATCH (s:Symbol) WHERE s.present
WITH files, count(s.id) AS symbols
OPTIONAL MATCH (c:Commit)
WITH files, symbols, count(c.hash) AS commits
OPTIONAL MATCH (:Symbol)-[e:CALLS]->(:Symbol)
RETURN files, symbols, count(e) AS calls, commits;

// counts: how many rows the graph has; code that is not in the tree now is left out.
// version: 1
// schema: 1
// column: files INT64, files
// column: symbols INT64, symbols
// column: calls INT64, CALLS: one for each caller, callee and way of resolving
// column: commits INT64, commits
// start: scan File
// start: scan Symbol
// start: scan Commit
MATCH (f:File) WHERE f.present
WITH count(*) AS files
MATCH (s:Symbol) WHERE s.present
WITH files, count(*) AS symbols
MATCH (c:Commit)
WITH files, symbols, count(*) AS commits
MATCH (:Symbol)-[e:CALLS]->(:Symbol)
RETURN files, symbols, count(e) AS calls, commits;

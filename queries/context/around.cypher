// Part of context, not shipped: what calls a symbol and what it calls, with signatures.
// around: neighbours of a symbol over calls that are no guess.
// param: $id STRING, the symbol
// column: direction STRING, caller or callee
// column: id STRING, the neighbour
// column: signature STRING, its declaration on one line
// column: start_line INT64, its first line
// column: lines INT64[], the call sites, in the caller's file
// column: confidence DOUBLE, between 0 and 1
// column: is_test BOOL, a test
// column: rank DOUBLE, how central it is
MATCH (s:Symbol {id: $id})<-[c:CALLS]-(o:Symbol)
WHERE o.present AND c.confidence >= 0.6
RETURN 'caller' AS direction, o.id AS id, o.signature AS signature, o.start_line AS start_line, c.lines AS lines,
       c.confidence AS confidence, o.is_test AS is_test, o.rank AS rank
UNION ALL
MATCH (s:Symbol {id: $id})-[c:CALLS]->(o:Symbol)
WHERE o.present AND c.confidence >= 0.6
RETURN 'callee' AS direction, o.id AS id, o.signature AS signature, o.start_line AS start_line, c.lines AS lines,
       c.confidence AS confidence, o.is_test AS is_test, o.rank AS rank;

// calls: every call in the graph, a row for each caller, callee and way of resolving.
// version: 1
// schema: 2
// column: caller_file STRING, file of the symbol that holds the call
// column: caller_qualname STRING, its dotted name; <module> for code at the top level
// column: callee_file STRING, file of what is called
// column: callee_qualname STRING, its dotted name
// column: lines INT64[], line of each call site, in the caller's file
// column: how STRING, how the call was resolved
// column: confidence DOUBLE, between 0 and 1
// start: scan Symbol
MATCH (a:Symbol)-[c:CALLS]->(b:Symbol)
WHERE a.present AND b.present
RETURN a.file AS caller_file, a.qualname AS caller_qualname, b.file AS callee_file, b.qualname AS callee_qualname,
       c.lines AS lines, c.how AS how, c.confidence AS confidence
ORDER BY caller_file, caller_qualname, callee_file, callee_qualname, how, a.id, b.id;

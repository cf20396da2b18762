// callees: what a symbol calls, the surest edges first.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: callee STRING, id of the symbol that is called
// column: file STRING, the callee's file
// column: start_line INT64, first line of the callee
// column: lines INT64[], line of each call site, in the caller's file
// column: how STRING, how the call was resolved: scip, lexical, import, type, override, unique name, ambiguous name
// column: confidence DOUBLE, between 0 and 1; below 0.7 the edge is a guess
// start: key $id
MATCH (s:Symbol {id: $id})-[c:CALLS]->(o:Symbol)
WHERE o.present
RETURN o.id AS callee, o.file AS file, o.start_line AS start_line, c.lines AS lines, c.how AS how,
       c.confidence AS confidence
ORDER BY confidence DESC, callee, how
LIMIT $limit;

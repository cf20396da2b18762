// callers: who calls a symbol, the surest edges first.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: caller STRING, id of the symbol that holds the call
// column: file STRING, its file
// column: lines INT64[], line of each call site
// column: how STRING, how the call was resolved: scip, lexical, import, type, override, unique name, ambiguous name
// column: confidence DOUBLE, between 0 and 1; below 0.7 the edge is a guess
// start: key $id
MATCH (s:Symbol {id: $id})<-[c:CALLS]-(o:Symbol)
WHERE o.present
RETURN o.id AS caller, o.file AS file, c.lines AS lines, c.how AS how, c.confidence AS confidence
ORDER BY confidence DESC, caller, how
LIMIT $limit;

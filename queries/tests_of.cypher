// tests_of: tests that exercise a symbol, the surest first.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: test STRING, id of the test
// column: file STRING, its file
// column: start_line INT64, its first line
// column: how STRING, how the edge was resolved
// column: confidence DOUBLE, between 0 and 1
// start: key $id
MATCH (s:Symbol {id: $id})<-[t:TESTS]-(o:Symbol)
WHERE o.present
RETURN o.id AS test, o.file AS file, o.start_line AS start_line, t.how AS how, t.confidence AS confidence
ORDER BY confidence DESC, test, how
LIMIT $limit;

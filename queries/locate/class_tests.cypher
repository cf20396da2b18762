// Part of locate, not shipped: a plan of several hops, whose scans are not all bounded by the key.
// class_tests: the test files that exercise the class that holds a symbol, through any of its members: tests make
// the object and reach the symbol over calls that no reader of the code can follow.
// version: 1
// schema: 1
// param: $id STRING, the member, e.g. "src/shop/cart.py::Cart.total"
// column: file STRING, the test file
// column: tests INT64, how many tests of that file
// start: key $id
MATCH (s:Symbol {id: $id})<-[:CONTAINS]-(c:Symbol)-[:CONTAINS]->(m:Symbol)<-[:TESTS]-(t:Symbol)
WITH t.file AS file, t.id AS test, t.present AS present, c.kind AS kind
WHERE present AND kind <> 'module'
RETURN file, count(DISTINCT test) AS tests
ORDER BY tests DESC, file
LIMIT 20;

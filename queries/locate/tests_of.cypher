// Part of locate, not shipped.
// tests_of: the tests that exercise some symbols.
// version: 1
// schema: 1
// param: $ids STRING[], the symbols, e.g. ["src/shop/cart.py::Cart.total"]
// column: id STRING, one of them
// column: file STRING, the test's file
// column: test STRING, the test
// column: sure DOUBLE, how certain the edge is
// start: scan Symbol
MATCH (s:Symbol)<-[e:TESTS]-(t:Symbol)
WHERE s.id IN $ids
WITH s.id AS id, t.file AS file, t.id AS test, e.confidence AS sure, t.present AS present
WHERE present
RETURN id, file, test, sure;

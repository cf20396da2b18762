// Part of locate, not shipped: what one test says of the code.
// tested: the symbols that a test exercises, without guesses, and how many call each.
// version: 1
// schema: 1
// param: $id STRING, the test, e.g. "tests/test_cart.py::test_total"
// column: id STRING, the symbol tested
// column: rank DOUBLE, ln(1 + its distinct callers)
// start: key $id
MATCH (s:Symbol {id: $id})-[e:TESTS]->(t:Symbol)
WITH t.id AS id, t.rank AS rank, t.present AS present, e.confidence AS sure
WHERE present AND sure >= 0.5
RETURN id, rank
ORDER BY id
LIMIT 60;

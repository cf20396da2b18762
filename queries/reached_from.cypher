// reached_from: entry points and tests from which calls lead to a symbol, the nearest first.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.total"
// param: $limit INT64, how many rows at most, e.g. 5
// column: entry STRING, id of the entry point or test
// column: through STRING[], ids of the symbols between the two, from the symbol back to the entry
// column: calls INT64, length of the chain
// column: is_test BOOL, whether the entry is a test
// start: key $id
MATCH (s:Symbol {id: $id})
WITH s
MATCH (s)<-[e:CALLS* SHORTEST 1..8]-(x:Symbol)
WHERE (x.entry_point OR x.is_test) AND x.present
RETURN x.id AS entry, properties(nodes(e), 'id') AS through, length(e) AS calls, x.is_test AS is_test
ORDER BY is_test, calls, entry
LIMIT $limit;

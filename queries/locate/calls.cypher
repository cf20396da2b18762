// Part of locate, not shipped: one step of its walk.
// calls: what a symbol calls itself, without guesses, and how many call that.
// version: 1
// schema: 1
// param: $id STRING, the symbol, e.g. "src/shop/cart.py::Cart.total"
// column: id STRING, the symbol called
// column: rank DOUBLE, ln(1 + its distinct callers)
// start: key $id
MATCH (s:Symbol {id: $id})-[e:CALLS]->(t:Symbol)
WITH t.id AS id, t.rank AS rank, t.present AS present, e.confidence AS sure
WHERE present AND sure >= 0.5 AND id <> $id
RETURN id, rank
ORDER BY id
LIMIT 100;

// Part of locate, not shipped: one step of its walk, for all symbols of the step at once.
// calls_of: what some symbols call themselves, without guesses, and how many call that. `IN` reads every key once, which is
// cheaper than a few look-ups as long as the graph is not large; locate/calls looks up one.
// version: 1
// schema: 1
// param: $ids STRING[], the symbols, e.g. ["src/shop/cart.py::Cart.total"]
// column: caller STRING, one of them
// column: id STRING, the symbol called
// column: rank DOUBLE, ln(1 + its distinct callers)
// start: scan Symbol
MATCH (s:Symbol)-[e:CALLS]->(t:Symbol)
WHERE s.id IN $ids
WITH s.id AS caller, t.id AS id, t.rank AS rank, t.present AS present, e.confidence AS sure
WHERE present AND sure >= 0.5 AND id <> caller
RETURN caller, id, rank;

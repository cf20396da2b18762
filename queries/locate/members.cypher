// Part of locate, not shipped: a plan of several hops, whose scans are not all bounded by the key.
// members: what the members of a class call, one call deep: the methods that share a callee show where the work of
// the class is done. Edges that are guesses and tools of everybody (rank above 3.3) are left out, as in localize_calls.
// version: 1
// schema: 1
// param: $id STRING, the class, e.g. "src/shop/cart.py::Cart"
// column: member STRING, the member that calls
// column: id STRING, the symbol called
// start: key $id
MATCH (c:Symbol {id: $id})-[:CONTAINS]->(m:Symbol)-[e:CALLS]->(t:Symbol)
WITH m.id AS member, m.present AS here, t.id AS id, t.rank AS rank, t.present AS present, e.confidence AS sure
WHERE here AND present AND rank <= 3.3 AND sure >= 0.5 AND member <> id
RETURN member, id
ORDER BY member, id
LIMIT 500;

// Part of locate, not shipped: one step of its walk.
// bases: the classes that a class inherits from directly.
// version: 1
// schema: 1
// param: $id STRING, the class, e.g. "src/shop/cart.py::Cart"
// column: id STRING, the base
// start: key $id
MATCH (s:Symbol {id: $id})-[e:INHERITS]->(t:Symbol)
WITH t.id AS id, t.present AS present, e.confidence AS sure
WHERE present AND sure >= 0.5
RETURN id
ORDER BY id
LIMIT 10;

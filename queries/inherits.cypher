// inherits: what a class, interface or trait inherits from, and what inherits from it.
// version: 1
// schema: 2
// param: $id STRING, id of the class, e.g. "src/shop/cart.py::Cart"
// column: relation STRING, base or derived
// column: id STRING, id of the other one
// column: file STRING, its file
// column: start_line INT64, its first line
// column: how STRING, how the base was resolved
// column: confidence DOUBLE, between 0 and 1
// start: key $id
MATCH (s:Symbol {id: $id})-[i:INHERITS]->(o:Symbol)
WHERE o.present
RETURN 'base' AS relation, o.id AS id, o.file AS file, o.start_line AS start_line, i.how AS how,
       i.confidence AS confidence
UNION ALL
MATCH (s:Symbol {id: $id})<-[i:INHERITS]-(o:Symbol)
WHERE o.present
RETURN 'derived' AS relation, o.id AS id, o.file AS file, o.start_line AS start_line, i.how AS how,
       i.confidence AS confidence;

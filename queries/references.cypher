// references: who reads, writes, passes on or names as a type a variable, field, constant, function or class; calls are not among them.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.items"
// param: $limit INT64, how many rows at most, e.g. 20
// column: from STRING, id of the symbol whose code mentions it
// column: file STRING, its file
// column: lines INT64[], line of each mention
// column: access STRING, read, write, type, or value (handed on, stored, returned)
// column: how STRING, how the mention was resolved
// column: confidence DOUBLE, between 0 and 1
// start: key $id
MATCH (s:Symbol {id: $id})<-[r:REFERENCES]-(o:Symbol)
WHERE o.present
RETURN o.id AS from, o.file AS file, r.lines AS lines, r.access AS access, r.how AS how, r.confidence AS confidence
ORDER BY confidence DESC, from, access, how
LIMIT $limit;

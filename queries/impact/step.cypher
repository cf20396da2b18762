// Part of impact, not shipped: one step of a walk from many symbols at once, whose look-up scans the ids.
// step: edges into the given symbols.
// param: $ids STRING[], symbols
// param: $least DOUBLE, least confidence of an edge
// column: target STRING, the symbol that is depended on
// column: id STRING, the symbol that depends on it
// column: is_test BOOL, it is a test
// column: entry_point BOOL, it is called from outside
// column: relation STRING, CALLS, REFERENCES or INHERITS
// column: how STRING, how the edge was resolved
// column: access STRING, what a mention does; NULL else
// column: line INT64, first line of the sites, in the file of `id`; NULL without
UNWIND $ids AS i
MATCH (s:Symbol {id: i})<-[e:CALLS|REFERENCES|INHERITS]-(x:Symbol)
WHERE e.confidence >= $least AND x.present
RETURN i AS target, x.id AS id, x.is_test AS is_test, x.entry_point AS entry_point, label(e) AS relation, e.how AS how,
       e.access AS access, e.lines[1] AS line
ORDER BY target, id, relation, how;

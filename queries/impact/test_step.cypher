// Part of impact, not shipped: one step of a walk from many symbols at once, whose look-up scans the ids.
// test_step: edges into the given symbols, what tests exercise through fixtures and helpers included.
// param: $ids STRING[], symbols
// column: target STRING, the symbol that is depended on
// column: id STRING, the symbol that depends on it
// column: relation STRING, CALLS, REFERENCES, INHERITS or TESTS
// column: how STRING, how the edge was resolved
// column: access STRING, what a mention does; NULL else
// column: lines INT64[], lines of the sites, in the file of `id`
UNWIND $ids AS i
MATCH (s:Symbol {id: i})<-[e:CALLS|REFERENCES|INHERITS|TESTS]-(x:Symbol)
WHERE x.present
RETURN i AS target, x.id AS id, label(e) AS relation, e.how AS how, e.access AS access, e.lines AS lines
ORDER BY target, id, relation, how;

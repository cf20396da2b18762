// Part of impact, not shipped: a look-up of many symbols at once, which scans the ids.
// sites: call and mention sites of symbols.
// param: $ids STRING[], symbols that are called
// column: target STRING, the symbol called
// column: id STRING, the symbol that holds the sites
// column: lines INT64[], their lines
// column: how STRING, how the edge was resolved
// column: confidence DOUBLE, between 0 and 1
// column: is_test BOOL, the holder is a test
UNWIND $ids AS i
MATCH (s:Symbol {id: i})<-[e:CALLS|REFERENCES]-(x:Symbol)
WHERE x.present
RETURN i AS target, x.id AS id, e.lines AS lines, e.how AS how, e.confidence AS confidence, x.is_test AS is_test
ORDER BY target, id, how;

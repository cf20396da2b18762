// Part of impact, not shipped: a look-up of many symbols at once, which scans the ids.
// places: where symbols stand.
// param: $ids STRING[], symbols
// column: id STRING, the symbol
// column: kind STRING, function, method, class, ...
// column: start_line INT64, first line
// column: end_line INT64, last line
// column: signature STRING, the declaration on one line
// column: exported BOOL, visible outside its file
// column: entry_point BOOL, called from outside
// column: is_test BOOL, a test
UNWIND $ids AS i
MATCH (s:Symbol {id: i})
WHERE s.present
RETURN s.id AS id, s.kind AS kind, s.start_line AS start_line, s.end_line AS end_line, s.signature AS signature,
       s.exported AS exported, s.entry_point AS entry_point, s.is_test AS is_test
ORDER BY id;

// Part of impact, not shipped: it scans the symbols.
// test_symbols: all tests.
// column: id STRING, the test
// column: kind STRING, function, method, class, ...
// column: start_line INT64, its first line
MATCH (s:Symbol)
WHERE s.is_test AND s.present
RETURN s.id AS id, s.kind AS kind, s.start_line AS start_line
ORDER BY id;

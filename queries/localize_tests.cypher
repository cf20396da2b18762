// localize_tests: the test files that exercise one symbol; the filter stands behind the WITH so that no table is scanned.
// version: 1
// schema: 2
// param: $id STRING, the symbol, e.g. "src/shop/cart.py::Cart.total"
// column: file STRING, the test file
// column: confidence DOUBLE, of its surest edge
// column: tests INT64, how many tests of that file
// start: key $id
MATCH (s:Symbol {id: $id})<-[e:TESTS]-(t:Symbol)
WITH t.file AS file, e.confidence AS sure, t.present AS present
WHERE present
RETURN file, max(sure) AS confidence, count(*) AS tests
ORDER BY confidence DESC, tests DESC, file
LIMIT 20;

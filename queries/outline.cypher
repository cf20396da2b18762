// outline: the symbols of a file in the order of its text.
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// column: id STRING, the symbol's id: path::Qual.name
// column: qualname STRING, its dotted name within the file
// column: kind STRING, function, method, class, ...
// column: start_line INT64, first line
// column: end_line INT64, last line
// column: signature STRING, the declaration on one line
// start: key $path
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)
WHERE s.present
RETURN s.id AS id, s.qualname AS qualname, s.kind AS kind, s.start_line AS start_line, s.end_line AS end_line,
       s.signature AS signature
ORDER BY start_line, end_line DESC, id;

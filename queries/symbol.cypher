// symbol: one symbol with all that the graph says of it.
// version: 2
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/cart.py::Cart.total"
// column: id STRING, the symbol's id: path::Qual.name
// column: name STRING, its bare name
// column: qualname STRING, its dotted name within the file
// column: kind STRING, function, method, class, ...
// column: file STRING, its file
// column: start_line INT64, first line
// column: end_line INT64, last line
// column: signature STRING, the declaration on one line
// column: doc STRING, its doc comment
// column: is_test BOOL, a test
// column: exported BOOL, visible outside its file
// column: entry_point BOOL, called from outside: main, routes, handlers
// column: rank DOUBLE, how central it is in the graph
// column: unresolved STRING[], what it calls and could not be tied to a definition, an entry a site: name@line, with a dot before a name that is called on something
// start: key $id
MATCH (s:Symbol {id: $id})
WHERE s.present
RETURN s.id AS id, s.name AS name, s.qualname AS qualname, s.kind AS kind, s.file AS file, s.start_line AS start_line,
       s.end_line AS end_line, s.signature AS signature, s.doc AS doc, s.is_test AS is_test, s.exported AS exported,
       s.entry_point AS entry_point, s.rank AS rank, s.unresolved AS unresolved;

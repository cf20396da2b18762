// symbols: definitions of a name, the most central first.
// version: 1
// schema: 2
// param: $name STRING, the bare name, e.g. "total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: id STRING, the symbol's id: path::Qual.name
// column: qualname STRING, its dotted name within the file
// column: kind STRING, function, method, class, ...
// column: file STRING, its file
// column: start_line INT64, first line
// column: end_line INT64, last line
// column: signature STRING, the declaration on one line
// column: rank DOUBLE, how central it is in the graph
// start: scan Symbol
MATCH (s:Symbol)
WHERE s.name = $name AND s.present
RETURN s.id AS id, s.qualname AS qualname, s.kind AS kind, s.file AS file, s.start_line AS start_line,
       s.end_line AS end_line, s.signature AS signature, s.rank AS rank
ORDER BY rank DESC, id
LIMIT $limit;

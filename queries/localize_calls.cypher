// localize_calls: from a named API along CALLS down to the functions that do its work.
// 1 to 4 calls, through thin symbols (at most 6 distinct names called), past hubs (a symbol with more than some 25 distinct
// callers is a tool of everybody: rank is ln(1 + distinct callers), so 3.3), over edges that are no guess. A filter on t
// inside of the MATCH would scan every symbol first, so it stands behind the WITH. hops must be size(rels(e)): with
// length(e) alone the engine keeps no paths and then forgets the filter on the inner nodes; the empty {}, {} keep it from
// reading the properties of every path.
// version: 1
// schema: 2
// param: $id STRING, the symbol to start from, e.g. "src/shop/cli.py::main"
// column: id STRING, the symbol reached
// column: file STRING, its file
// column: qualname STRING, its dotted name within the file
// column: start_line INT64, first line
// column: end_line INT64, last line
// column: hops INT64, calls below the start
// start: key $id
MATCH (s:Symbol {id: $id})-[e:CALLS* SHORTEST 1..4
    (r, n | WHERE r.confidence >= 0.5 AND n.call_names <= 6 AND n.rank <= 3.3 | {}, {})]->(t:Symbol)
WITH t.id AS id, t.file AS file, t.qualname AS qualname, t.start_line AS start_line, t.end_line AS end_line,
     t.rank AS rank, t.present AS present, size(rels(e)) AS hops
WHERE present AND rank <= 3.3 AND id <> $id
RETURN id, file, qualname, start_line, end_line, hops
ORDER BY hops, id
LIMIT 200;

// path: one of the shortest chains of calls from one symbol to another; no row when there is none within 12 calls.
// version: 1
// schema: 2
// param: $from STRING, id of the symbol where the chain starts, e.g. "src/shop/cli.py::main"
// param: $to STRING, id of the symbol where it ends, e.g. "src/shop/tax.py::rate"
// column: through STRING[], ids of the symbols between the two
// column: lines INT64[][], for each call of the chain the lines of its sites, in the file of the symbol that calls
// column: how STRING[], for each call of the chain how it was resolved
// column: confidence DOUBLE[], for each call of the chain
// column: calls INT64, length of the chain
// start: key $from
// start: key $to
MATCH (a:Symbol {id: $from})-[e:CALLS* SHORTEST 1..12]->(b:Symbol {id: $to})
RETURN properties(nodes(e), 'id') AS through, properties(rels(e), 'lines') AS lines, properties(rels(e), 'how') AS how,
       properties(rels(e), 'confidence') AS confidence, length(e) AS calls;

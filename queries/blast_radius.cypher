// blast_radius: what depends on a symbol, up to three steps back along calls, mentions and inheritance, nearest first.
// One of the shortest chains for each; blast_radius_sure leaves guesses by name out. The symbol is bound before the walk, and
// the projections {..} keep the engine from reading all properties of every path. A parameter cannot stand in the walk's filter.
// version: 1
// schema: 2
// param: $id STRING, the symbol's id, e.g. "src/shop/tax.py::rate"
// param: $limit INT64, how many rows at most, e.g. 100
// column: id STRING, the symbol that depends on it
// column: is_test BOOL, a test
// column: entry_point BOOL, called from outside: main, routes, handlers
// column: hops INT64, steps from the symbol asked about
// column: through STRING[], ids of the symbols between, from the one asked about on
// column: how STRING[], how each step was resolved
// column: access STRING[], for each step that is a mention: read, write, type, value; null for calls and inheritance
// column: confidence DOUBLE[], of each step
// start: key $id
MATCH (s:Symbol {id: $id})
WITH s
MATCH (s)<-[e:CALLS|REFERENCES|INHERITS* SHORTEST 1..3
    (r, n | WHERE r.access IS NULL OR r.access <> 'type'
    | {r.how, r.access, r.confidence}, {n.id})]-(x:Symbol)
WITH x.id AS id, x.is_test AS is_test, x.entry_point AS entry_point, x.present AS present, length(e) AS hops,
     properties(nodes(e), 'id') AS through, properties(rels(e), 'how') AS how, properties(rels(e), 'access') AS access,
     properties(rels(e), 'confidence') AS confidence
WHERE present AND id <> $id
RETURN id, is_test, entry_point, hops, through, how, access, confidence
ORDER BY hops, id
LIMIT $limit;

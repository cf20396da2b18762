// The whole graph but for what differs between two runs over the same tree: Meta, the index lock, rows that are
// not in the tree. Columns are printed in this order.

// name: File
MATCH (f:File) WHERE f.present
RETURN f.path, f.language, f.hash, f.lines, f.is_test, f.generated, f.skipped;

// name: Symbol
MATCH (s:Symbol) WHERE s.present
RETURN s.id, s.name, s.qualname, s.kind, s.file, s.start_line, s.end_line, s.signature, s.doc, s.is_test, s.exported,
    s.entry_point, s.call_names, s.rank, s.unresolved;

// name: DEFINES
MATCH (a:File)-[e:DEFINES]->(b:Symbol) RETURN a.path, b.id;

// name: CONTAINS
MATCH (a:Symbol)-[e:CONTAINS]->(b:Symbol) RETURN a.id, b.id;

// name: CALLS
MATCH (a:Symbol)-[e:CALLS]->(b:Symbol) RETURN a.id, b.id, e.how, e.lines, e.confidence;

// name: REFERENCES
MATCH (a:Symbol)-[e:REFERENCES]->(b:Symbol) RETURN a.id, b.id, e.how, e.access, e.lines, e.confidence;

// name: INHERITS
MATCH (a:Symbol)-[e:INHERITS]->(b:Symbol) RETURN a.id, b.id, e.how, e.confidence;

// name: IMPORTS
MATCH (a:File)-[e:IMPORTS]->(b:File) RETURN a.path, b.path;

// name: TESTS
MATCH (a:Symbol)-[e:TESTS]->(b:Symbol) RETURN a.id, b.id, e.how, e.confidence;

// name: Commit
MATCH (c:Commit) RETURN c.hash, c.at, c.subject, c.body, c.is_merge;

// name: Person
MATCH (p:Person) RETURN p.id, p.name, p.email;

// name: AUTHORED
MATCH (a:Person)-[e:AUTHORED]->(b:Commit) RETURN a.id, b.hash;

// name: TOUCHED
MATCH (a:Commit)-[e:TOUCHED]->(b:File) RETURN a.hash, b.path, e.change;

// name: CO_CHANGES
MATCH (a:File)-[e:CO_CHANGES]->(b:File) RETURN a.path, b.path, e.count, e.weight;

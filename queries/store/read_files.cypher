// What the graph holds of files. "one" looks a file up by its key; "many" goes through all files, of which there are far
// fewer than of anything else, and is quicker from some files on. Both give the same columns, the path first.

// name: one File
MATCH (f:File {path: $path})
RETURN f.path, f.language, f.hash, f.lines, f.is_test, f.generated, f.skipped, f.present;

// name: one Symbol
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)
RETURN f.path, s.id, s.name, s.qualname, s.kind, s.start_line, s.end_line, s.signature, s.doc, s.is_test, s.exported,
    s.entry_point, s.call_names, s.rank, s.unresolved;

// name: one CONTAINS
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)<-[:CONTAINS]-(h:Symbol)
RETURN f.path, h.id, s.id;

// name: one CALLS
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:CALLS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how, '', e.lines;

// name: one REFERENCES
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:REFERENCES]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how, e.access, e.lines;

// name: one INHERITS
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:INHERITS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how;

// name: one TESTS
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:TESTS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how;

// name: one IMPORTS
MATCH (f:File {path: $path})-[:IMPORTS]->(t:File)
RETURN f.path, t.path;

// name: many File
MATCH (f:File) WHERE f.path IN $paths
RETURN f.path, f.language, f.hash, f.lines, f.is_test, f.generated, f.skipped, f.present;

// name: many Symbol
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)
RETURN f.path, s.id, s.name, s.qualname, s.kind, s.start_line, s.end_line, s.signature, s.doc, s.is_test, s.exported,
    s.entry_point, s.call_names, s.rank, s.unresolved;

// name: many CONTAINS
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)<-[:CONTAINS]-(h:Symbol)
RETURN f.path, h.id, s.id;

// name: many CALLS
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)-[e:CALLS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how, '', e.lines;

// name: many REFERENCES
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)-[e:REFERENCES]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how, e.access, e.lines;

// name: many INHERITS
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)-[e:INHERITS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how;

// name: many TESTS
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:DEFINES]->(s:Symbol)-[e:TESTS]->(t:Symbol)
RETURN f.path, s.id, t.id, e.how;

// name: many IMPORTS
MATCH (f:File) WHERE f.path IN $paths WITH f
MATCH (f)-[:IMPORTS]->(t:File)
RETURN f.path, t.path;

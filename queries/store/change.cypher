// Single-row changes of code rows, all by primary key, and the shift of many lines at once.

// name: remembered symbols
MATCH (:Lesson)-[:ABOUT]->(s:Symbol) RETURN DISTINCT s.id;

// name: absent symbols
MATCH (s:Symbol) WHERE s.present = false RETURN s.id;

// name: file
MERGE (f:File {path: $path})
SET f.language = $language, f.hash = $hash, f.lines = $lines, f.is_test = $is_test, f.generated = $generated,
    f.skipped = $skipped, f.present = true;

// name: absent file
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false;

// name: file gone
MATCH (f:File {path: $path})
SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false;

// name: file imports nothing
MATCH (f:File {path: $path})-[e:IMPORTS]->(:File) DELETE e;

// name: file imported by nothing
MATCH (f:File {path: $path})<-[e:IMPORTS]-(:File) DELETE e;

// What hangs on rows of files that are not in the tree; all others of them are of no use.
// name: needed absent files
MATCH (f:File)<-[:READ]-(:Session) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)<-[:EDITED]-(:Session) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)<-[:CLAIMS]-(:Session) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)<-[:ABOUT]-(:Lesson) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)<-[:TOUCHED]-(:Commit) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)-[:CO_CHANGES]->(:File) WHERE f.present = false RETURN f.path
UNION MATCH (f:File)<-[:CO_CHANGES]-(:File) WHERE f.present = false RETURN f.path;

// name: absent files
MATCH (f:File) WHERE f.present = false RETURN f.path;

// Without DETACH: its relationships were deleted in the same transaction, and deleting one twice takes another one with
// it when the log is replayed.
// name: delete file
MATCH (f:File {path: $path}) WHERE f.present = false DELETE f;

// name: symbol
MERGE (s:Symbol {id: $id})
SET s.name = $name, s.qualname = $qualname, s.kind = $kind, s.file = $file, s.start_line = $start_line,
    s.end_line = $end_line, s.signature = $signature, s.doc = $doc, s.is_test = $is_test, s.exported = $exported,
    s.entry_point = $entry_point, s.call_names = $call_names, s.rank = $rank, s.unresolved = $unresolved,
    s.present = true;

// name: define
MATCH (f:File {path: $file}), (s:Symbol {id: $id}) CREATE (f)-[:DEFINES]->(s);

// name: symbol lines
MATCH (s:Symbol {id: $id}) SET s.start_line = $start_line, s.end_line = $end_line;

// name: symbol rank
MATCH (s:Symbol {id: $id}) SET s.rank = $rank;

// name: symbol gone
MATCH (s:Symbol {id: $id}) DETACH DELETE s;

// name: symbol absent
MATCH (s:Symbol {id: $id}) SET s.present = false;

// name: undefine
MATCH (s:Symbol {id: $id})<-[e:DEFINES]-(:File) DELETE e;

// name: nothing out of
MATCH (s:Symbol {id: $id})-[e:CONTAINS|CALLS|REFERENCES|INHERITS|TESTS]->(:Symbol) DELETE e;

// name: nothing into
MATCH (s:Symbol {id: $id})<-[e:CONTAINS|CALLS|REFERENCES|INHERITS|TESTS]-(:Symbol) DELETE e;

// name: shift start
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol) WHERE s.start_line >= $lo AND s.start_line <= $hi
SET s.start_line = s.start_line + $by;

// name: shift end
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol) WHERE s.end_line >= $lo AND s.end_line <= $hi
SET s.end_line = s.end_line + $by;

// {by} is a number that the caller writes in: the engine takes no parameter inside of a lambda. Some rows have no lines, and
// e.lines[1] would be an error there; list_any_value gives the first one, and for no lines anything: such a row stays as it is.
// name: shift CALLS
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:CALLS]->(:Symbol)
WHERE list_any_value(e.lines) >= $lo AND list_any_value(list_reverse(e.lines)) <= $hi
SET e.lines = list_transform(e.lines, x -> x + ({by}));

// name: shift REFERENCES
MATCH (f:File {path: $path})-[:DEFINES]->(s:Symbol)-[e:REFERENCES]->(:Symbol)
WHERE list_any_value(e.lines) >= $lo AND list_any_value(list_reverse(e.lines)) <= $hi
SET e.lines = list_transform(e.lines, x -> x + ({by}));

// name: new CONTAINS
MATCH (a:Symbol {id: $from}), (b:Symbol {id: $to}) CREATE (a)-[:CONTAINS]->(b);

// name: new CALLS
MATCH (a:Symbol {id: $from}), (b:Symbol {id: $to})
CREATE (a)-[:CALLS {lines: $lines, how: $how, confidence: $confidence}]->(b);

// name: new REFERENCES
MATCH (a:Symbol {id: $from}), (b:Symbol {id: $to})
CREATE (a)-[:REFERENCES {lines: $lines, access: $access, how: $how, confidence: $confidence}]->(b);

// name: new INHERITS
MATCH (a:Symbol {id: $from}), (b:Symbol {id: $to})
CREATE (a)-[:INHERITS {how: $how, confidence: $confidence}]->(b);

// name: new TESTS
MATCH (a:Symbol {id: $from}), (b:Symbol {id: $to})
CREATE (a)-[:TESTS {how: $how, confidence: $confidence}]->(b);

// name: lines CALLS
MATCH (a:Symbol {id: $from})-[e:CALLS]->(b:Symbol {id: $to}) WHERE e.how = $how SET e.lines = $lines;

// name: lines REFERENCES
MATCH (a:Symbol {id: $from})-[e:REFERENCES]->(b:Symbol {id: $to}) WHERE e.how = $how AND e.access = $access
SET e.lines = $lines;

// name: gone CONTAINS
MATCH (a:Symbol {id: $from})-[e:CONTAINS]->(b:Symbol {id: $to}) DELETE e;

// name: gone CALLS
MATCH (a:Symbol {id: $from})-[e:CALLS]->(b:Symbol {id: $to}) WHERE e.how = $how DELETE e;

// name: gone REFERENCES
MATCH (a:Symbol {id: $from})-[e:REFERENCES]->(b:Symbol {id: $to}) WHERE e.how = $how AND e.access = $access DELETE e;

// name: gone INHERITS
MATCH (a:Symbol {id: $from})-[e:INHERITS]->(b:Symbol {id: $to}) WHERE e.how = $how DELETE e;

// name: gone TESTS
MATCH (a:Symbol {id: $from})-[e:TESTS]->(b:Symbol {id: $to}) WHERE e.how = $how DELETE e;

// name: new IMPORTS
MATCH (a:File {path: $from}), (b:File {path: $to}) CREATE (a)-[:IMPORTS]->(b);

// name: gone IMPORTS
MATCH (a:File {path: $from})-[e:IMPORTS]->(b:File {path: $to}) DELETE e;

// name: read callers
MATCH (s:Symbol {id: $id})<-[:CALLS]-(c:Symbol) RETURN DISTINCT c.id, c.file;

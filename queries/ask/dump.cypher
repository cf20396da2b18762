// Every row of the graph, a statement for each table; the columns that make a row the same come first.
// Left out: Meta and IndexLock (about this file, not about the repository), and code that is not in the tree now.

// name: File
MATCH (f:File) WHERE f.present
RETURN f.path, f.language, f.hash, f.lines, f.is_test, f.generated, f.skipped;

// name: Symbol
MATCH (s:Symbol) WHERE s.present
RETURN s.id, s.name, s.qualname, s.kind, s.file, s.start_line, s.end_line, s.signature, s.doc, s.is_test, s.exported,
       s.entry_point, s.call_names, s.rank, s.unresolved;

// name: DEFINES
MATCH (a:File)-[:DEFINES]->(b:Symbol) WHERE a.present AND b.present RETURN a.path, b.id;

// name: CONTAINS
MATCH (a:Symbol)-[:CONTAINS]->(b:Symbol) WHERE a.present AND b.present RETURN a.id, b.id;

// name: CALLS
MATCH (a:Symbol)-[e:CALLS]->(b:Symbol) WHERE a.present AND b.present
RETURN a.id, b.id, e.how, e.confidence, e.lines;

// name: REFERENCES
MATCH (a:Symbol)-[e:REFERENCES]->(b:Symbol) WHERE a.present AND b.present
RETURN a.id, b.id, e.access, e.how, e.confidence, e.lines;

// name: INHERITS
MATCH (a:Symbol)-[e:INHERITS]->(b:Symbol) WHERE a.present AND b.present RETURN a.id, b.id, e.how, e.confidence;

// name: IMPORTS
MATCH (a:File)-[:IMPORTS]->(b:File) WHERE a.present AND b.present RETURN a.path, b.path;

// name: TESTS
MATCH (a:Symbol)-[e:TESTS]->(b:Symbol) WHERE a.present AND b.present RETURN a.id, b.id, e.how, e.confidence;

// name: Commit
MATCH (c:Commit) RETURN c.hash, c.at, c.subject, c.body, c.is_merge;

// name: Person
MATCH (p:Person) RETURN p.id, p.name, p.email;

// name: AUTHORED
MATCH (p:Person)-[:AUTHORED]->(c:Commit) RETURN p.id, c.hash;

// name: TOUCHED
MATCH (c:Commit)-[t:TOUCHED]->(f:File) WHERE f.present RETURN c.hash, f.path, t.change;

// name: CO_CHANGES
MATCH (a:File)-[e:CO_CHANGES]->(b:File) WHERE a.present AND b.present RETURN a.path, b.path, e.count, e.weight;

// name: Agent
MATCH (a:Agent) RETURN a.name;

// name: Session
MATCH (s:Session) RETURN s.id, s.host, s.started, s.last_at, s.ended;

// name: Lesson
MATCH (l:Lesson) RETURN l.id, l.text, l.at, l.confirmed, l.target;

// name: Event
MATCH (e:Event) RETURN e.id, e.session, e.kind, e.at, e.path, e.detail;

// name: Area
MATCH (a:Area) RETURN a.pattern;

// name: RAN
MATCH (a:Agent)-[:RAN]->(s:Session) RETURN a.name, s.id;

// name: READ
MATCH (s:Session)-[e:READ]->(f:File) RETURN s.id, f.path, e.count, e.first_at, e.last_at;

// name: EDITED
MATCH (s:Session)-[e:EDITED]->(f:File) RETURN s.id, f.path, e.count, e.first_at, e.last_at;

// name: LEARNED
MATCH (s:Session)-[:LEARNED]->(l:Lesson) RETURN s.id, l.id;

// name: ABOUT
MATCH (l:Lesson)-[:ABOUT]->(x:File:Symbol) RETURN l.id, coalesce(x.path, x.id);

// name: CLAIMS
MATCH (s:Session)-[e:CLAIMS]->(x:File:Area) RETURN s.id, coalesce(x.path, x.pattern), e.since, e.expires;

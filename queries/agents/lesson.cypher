// Lessons. One about a symbol that is gone is kept and not shown.

// name: all
MATCH (l:Lesson)
OPTIONAL MATCH (l)-[:ABOUT]->(s:Symbol)
RETURN l.id, l.text, l.at, l.confirmed, l.target, l.origin, s.id IS NOT NULL AND NOT s.present
ORDER BY l.at DESC, l.confirmed DESC, l.id;

// name: of file
MATCH (f:File {path: $path})<-[:ABOUT]-(l:Lesson)
RETURN l.text, l.at, l.confirmed ORDER BY l.at DESC, l.confirmed DESC, l.id LIMIT 1;

// name: of symbol
MATCH (s:Symbol {id: $id})<-[:ABOUT]-(l:Lesson) WHERE s.present
RETURN l.text, l.at, l.confirmed ORDER BY l.at DESC, l.confirmed DESC, l.id LIMIT 1;

// name: forget
MATCH (l:Lesson {id: $id}) DETACH DELETE l;

// Part of context, not shipped.
// lessons: what agents have learned about a symbol or its file.
// param: $id STRING, the symbol
// param: $path STRING, its file
// column: text STRING, the lesson
// column: at INT64, when, seconds since 1970
MATCH (l:Lesson)-[:ABOUT]->(s:Symbol {id: $id})
RETURN l.text AS text, l.at AS at
UNION ALL
MATCH (l:Lesson)-[:ABOUT]->(f:File {path: $path})
RETURN l.text AS text, l.at AS at;

// Part of impact, not shipped: what the history and the imports say of the neighbours of one file.
// partners: files that one file imports, or that import it.
// param: $path STRING, the file
// column: path STRING, the other file
MATCH (f:File {path: $path})-[:IMPORTS]-(o:File)
WHERE o.present
RETURN DISTINCT o.path AS path
ORDER BY path;

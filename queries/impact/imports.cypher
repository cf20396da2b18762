// Part of impact, not shipped: it scans the files.
// imports: which file imports which.
// column: path STRING, the file that imports
// column: target STRING, the file imported
MATCH (f:File)-[:IMPORTS]->(o:File)
WHERE f.present AND o.present
RETURN f.path AS path, o.path AS target
ORDER BY path, target;

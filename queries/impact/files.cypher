// Part of impact, not shipped: it scans the files.
// files: all files of the tree.
// column: file INT64, its number
// column: path STRING, the file
MATCH (f:File)
WHERE f.present
RETURN offset(id(f)) AS file, f.path AS path
ORDER BY path;

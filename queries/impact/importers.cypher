// Part of impact, not shipped: a look-up of many files at once, which scans the paths.
// importers: files that import the given ones.
// param: $paths STRING[], files
// column: target STRING, the file that is imported
// column: path STRING, the file that imports it
// column: is_test BOOL, a test file
UNWIND $paths AS p
MATCH (f:File {path: p})<-[:IMPORTS]-(o:File)
WHERE o.present
RETURN p AS target, o.path AS path, o.is_test AS is_test
ORDER BY target, path;

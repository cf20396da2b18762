// Part of impact, not shipped: it scans the files.
// files: all files of the tree.
// column: path STRING, the file
// column: lines INT64, its length
// column: commits INT64, commits that touched it
MATCH (f:File)
WHERE f.present
OPTIONAL MATCH (f)<-[t:TOUCHED]-(:Commit)
RETURN f.path AS path, f.lines AS lines, count(t) AS commits
ORDER BY path;

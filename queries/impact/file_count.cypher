// Part of impact, not shipped: it scans the files.
// file_count: how many files the tree has.
// column: files INT64, their number
MATCH (f:File)
WHERE f.present
RETURN count(*) AS files;

// file: what the graph says of one file.
// version: 1
// schema: 2
// param: $path STRING, the file's path from the root, e.g. "src/shop/cart.py"
// column: path STRING, the same
// column: language STRING, its language
// column: lines INT64, its length
// column: is_test BOOL, a test file
// column: generated BOOL, written by a program
// column: skipped STRING, why it was not parsed; empty when it was
// column: present BOOL, in the tree now
// start: key $path
MATCH (f:File {path: $path})
RETURN f.path AS path, f.language AS language, f.lines AS lines, f.is_test AS is_test, f.generated AS generated,
       f.skipped AS skipped, f.present AS present;

// unresolved: symbols with calls of a name that could not be tied to a definition.
// version: 1
// schema: 1
// param: $name STRING, the bare name as it is called, e.g. "total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: caller STRING, id of the symbol that holds the calls
// column: file STRING, its file
// column: start_line INT64, first line of that symbol
// column: called STRING, "total" for a plain call, ".total" for a call on something unknown
// column: sites INT64, number of call sites
// start: scan Symbol
MATCH (s:Symbol)
WHERE s.present AND (list_contains(s.unresolved, $name) OR list_contains(s.unresolved, concat('.', $name)))
UNWIND s.unresolved AS called
WITH s, called
WHERE called = $name OR called = concat('.', $name)
RETURN s.id AS caller, s.file AS file, s.start_line AS start_line, called, count(*) AS sites
ORDER BY sites DESC, caller, called
LIMIT $limit;

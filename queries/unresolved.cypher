// unresolved: symbols with calls of a name that could not be tied to a definition.
// version: 2
// schema: 2
// param: $name STRING, the bare name as it is called, e.g. "total"
// param: $limit INT64, how many rows at most, e.g. 20
// column: caller STRING, id of the symbol that holds the calls
// column: file STRING, its file
// column: start_line INT64, first line of that symbol
// column: called STRING, "total" for a plain call, ".total" for a call on something unknown
// column: sites INT64, number of call sites
// column: lines STRING[], line of each of them in that file
// start: scan Symbol
MATCH (s:Symbol)
WHERE s.present AND size(s.unresolved) > 0
UNWIND s.unresolved AS site
WITH s, string_split(site, '@') AS parts
WHERE parts[1] = $name OR parts[1] = concat('.', $name)
WITH s, parts[1] AS called, parts[2] AS line
RETURN s.id AS caller, s.file AS file, s.start_line AS start_line, called, count(*) AS sites, collect(line) AS lines
ORDER BY sites DESC, caller, called
LIMIT $limit;

// symbol_names: the names that definitions have, each once; for what a name may have been meant to be.
// version: 1
// schema: 2
// column: name STRING, a bare name
// start: scan Symbol
MATCH (s:Symbol)
WHERE s.present
RETURN DISTINCT s.name AS name
ORDER BY name;

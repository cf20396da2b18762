// Part of impact, not shipped: it scans the symbols.
// classes: classes, structs, interfaces and traits with what they inherit from.
// column: id STRING, the class
// column: base STRING, one that it inherits from; NULL without
MATCH (s:Symbol)
WHERE s.present AND s.kind IN ['class', 'struct', 'enum', 'interface', 'trait']
OPTIONAL MATCH (s)-[:INHERITS]->(b:Symbol)
RETURN s.id AS id, b.id AS base
ORDER BY id, base;

// Values of the table Meta.

// name: get
MATCH (m:Meta {k: $k}) RETURN m.v AS v;

// name: set
MERGE (m:Meta {k: $k}) SET m.v = $v;

// Single-row changes of history rows.

// name: person
MERGE (p:Person {id: $id}) SET p.name = $name, p.email = $email;

// name: person gone
MATCH (p:Person {id: $id}) DETACH DELETE p;

// name: commit
MERGE (c:Commit {hash: $hash}) SET c.at = $at, c.subject = $subject, c.body = $body, c.is_merge = $is_merge;

// name: commit gone
MATCH (c:Commit {hash: $hash}) DETACH DELETE c;

// name: authored
MATCH (p:Person {id: $from}), (c:Commit {hash: $to}) CREATE (p)-[:AUTHORED]->(c);

// name: authored gone
MATCH (p:Person {id: $from})-[e:AUTHORED]->(c:Commit {hash: $to}) DELETE e;

// name: touched
MATCH (c:Commit {hash: $from}), (f:File {path: $to}) CREATE (c)-[:TOUCHED {change: $change}]->(f);

// name: touched gone
MATCH (c:Commit {hash: $from})-[e:TOUCHED]->(f:File {path: $to}) DELETE e;

// name: co-change new
MATCH (a:File {path: $from}), (b:File {path: $to}) CREATE (a)-[:CO_CHANGES {count: $count, weight: $weight}]->(b);

// name: co-change
MATCH (a:File {path: $from})-[e:CO_CHANGES]->(b:File {path: $to}) SET e.count = $count, e.weight = $weight;

// name: co-change gone
MATCH (a:File {path: $from})-[e:CO_CHANGES]->(b:File {path: $to}) DELETE e;

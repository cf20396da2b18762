// Rows that nobody asks for: enough that the engine plans as it does for a real repository.
UNWIND range(1, 400) AS i CREATE (:File {path: 'pad/f' + CAST(i AS STRING), lines: 10, is_test: false, generated: false, present: true});
UNWIND range(1, 4000) AS i CREATE (:Symbol {id: 'pad::s' + CAST(i AS STRING), name: 's' + CAST(i AS STRING), file: 'pad/f1.py', present: true});
UNWIND range(1, 1000) AS i CREATE (:Commit {hash: 'p' + CAST(i AS STRING), at: i, is_merge: false});
UNWIND range(1, 60) AS i CREATE (:Person {id: 'p' + CAST(i AS STRING)});
COPY DEFINES FROM (UNWIND range(1, 4000) AS i RETURN 'pad/f' + CAST(1 + i % 400 AS STRING), 'pad::s' + CAST(i AS STRING));
COPY CALLS FROM (UNWIND range(1, 9000) AS i RETURN 'pad::s' + CAST(1 + i % 4000 AS STRING), 'pad::s' + CAST(1 + i * 7 % 3989 AS STRING), [i], 'import', 1.0);
COPY TESTS FROM (UNWIND range(1, 1500) AS i RETURN 'pad::s' + CAST(i AS STRING), 'pad::s' + CAST(1 + i * 3 % 3989 AS STRING), 'import', 1.0);
COPY INHERITS FROM (UNWIND range(1, 500) AS i RETURN 'pad::s' + CAST(i AS STRING), 'pad::s' + CAST(1 + i * 3 % 3989 AS STRING), 'import', 1.0);
COPY AUTHORED FROM (UNWIND range(1, 1000) AS i RETURN 'p' + CAST(1 + i % 60 AS STRING), 'p' + CAST(i AS STRING));
COPY TOUCHED FROM (UNWIND range(1, 3000) AS i RETURN 'p' + CAST(1 + i % 1000 AS STRING), 'pad/f' + CAST(1 + i * 7 % 397 AS STRING), 'M');
COPY CO_CHANGES FROM (UNWIND range(1, 900) AS i RETURN 'pad/f' + CAST(1 + i % 397 AS STRING), 'pad/f' + CAST(1 + i * 7 % 397 AS STRING), 1, 1.0);
COPY REFERENCES FROM (UNWIND range(1, 6000) AS i RETURN 'pad::s' + CAST(1 + i % 4000 AS STRING), 'pad::s' + CAST(1 + i * 11 % 3989 AS STRING), [i], 'read', 'import', 1.0);
MATCH (a:Symbol {id: 'src/shop/cli.py::main'}), (b:Symbol {id: 'src/shop/cart.py::Cart'}) CREATE (a)-[:REFERENCES {lines: [3], access: 'type', how: 'import', confidence: 1.0}]->(b);

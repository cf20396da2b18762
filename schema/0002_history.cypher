// schema 2, part 2: git history, the newest commits reachable from HEAD.

CREATE NODE TABLE Commit(
    hash STRING PRIMARY KEY,
    at INT64,
    subject STRING,
    body STRING,
    is_merge BOOLEAN
);

CREATE NODE TABLE Person(id STRING PRIMARY KEY, name STRING, email STRING);

CREATE REL TABLE AUTHORED(FROM Person TO Commit);
CREATE REL TABLE TOUCHED(FROM Commit TO File, change STRING);

// One row a pair, from the smaller path to the greater: match it without direction.
// weight is the sum over shared commits of 2^((t - t0) / half_life); t0 and half_life (seconds) are in Meta.
CREATE REL TABLE CO_CHANGES(FROM File TO File, count INT64, weight DOUBLE);

// The schema of version 1, as it was: for the test that what agents left in such a graph survives.

// schema 1, part 1: code.
// A row with present = false stands for code that is not in the tree now (another branch, deleted)
// but that agents' memory or history hangs on; code queries leave it out.

CREATE NODE TABLE Meta(k STRING PRIMARY KEY, v STRING);

CREATE NODE TABLE IndexLock(k INT64 PRIMARY KEY, owner STRING, epoch INT64, at INT64);

CREATE NODE TABLE File(
    path STRING PRIMARY KEY,
    language STRING,
    hash STRING,
    lines INT64,
    is_test BOOLEAN,
    generated BOOLEAN,
    skipped STRING,
    present BOOLEAN
);

CREATE NODE TABLE Symbol(
    id STRING PRIMARY KEY,
    name STRING,
    qualname STRING,
    kind STRING,
    file STRING,
    start_line INT64,
    end_line INT64,
    signature STRING,
    doc STRING,
    is_test BOOLEAN,
    exported BOOLEAN,
    entry_point BOOLEAN,
    call_names INT64,
    rank DOUBLE,
    unresolved STRING[],
    present BOOLEAN
);

CREATE REL TABLE DEFINES(FROM File TO Symbol);
CREATE REL TABLE CONTAINS(FROM Symbol TO Symbol);
CREATE REL TABLE CALLS(FROM Symbol TO Symbol, lines INT64[], how STRING, confidence DOUBLE);
CREATE REL TABLE REFERENCES(FROM Symbol TO Symbol, lines INT64[], access STRING, how STRING, confidence DOUBLE);
CREATE REL TABLE INHERITS(FROM Symbol TO Symbol, how STRING, confidence DOUBLE);
CREATE REL TABLE IMPORTS(FROM File TO File);
CREATE REL TABLE TESTS(FROM Symbol TO Symbol, how STRING, confidence DOUBLE);

// schema 1, part 2: git history, the newest commits reachable from HEAD.

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

// schema 1, part 3: agents and what they did. Times are seconds since the Unix epoch.

CREATE NODE TABLE Agent(name STRING PRIMARY KEY);
CREATE NODE TABLE Session(id STRING PRIMARY KEY, host STRING, started INT64, last_at INT64, ended INT64);
CREATE NODE TABLE Lesson(id STRING PRIMARY KEY, text STRING, at INT64, confirmed INT64, target STRING);
CREATE NODE TABLE Event(id STRING PRIMARY KEY, session STRING, kind STRING, at INT64, path STRING, detail STRING);
CREATE NODE TABLE Area(pattern STRING PRIMARY KEY);

CREATE REL TABLE RAN(FROM Agent TO Session);
CREATE REL TABLE READ(FROM Session TO File, count INT64, first_at INT64, last_at INT64);
CREATE REL TABLE EDITED(FROM Session TO File, count INT64, first_at INT64, last_at INT64);
CREATE REL TABLE LEARNED(FROM Session TO Lesson);
CREATE REL TABLE ABOUT(FROM Lesson TO File, FROM Lesson TO Symbol);
CREATE REL TABLE CLAIMS(FROM Session TO File, FROM Session TO Area, since INT64, expires INT64);

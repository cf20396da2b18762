// schema 2, part 1: code.
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

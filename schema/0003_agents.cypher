// schema 2, part 3: agents and what they did. Times (`*_at`, `at`, `started`, `ended`, `since`, `expires`) are seconds
// since the Unix epoch, 0 for never. `tick`, `alive` and `until` are milliseconds since boot, and mean something only
// together with the boot's id.

// What sessions that are no longer kept did, folded.
CREATE NODE TABLE Agent(
    name STRING PRIMARY KEY,
    sessions INT64,
    calls INT64,
    before_edit INT64,
    searches INT64,
    reads INT64,
    rereads INT64,
    edits INT64,
    blocked INT64,
    injected INT64
);

// id is `host:session`. alive: until when its claims hold if no further event comes. waiting: calls that have begun
// and not ended, as JSON. process: what must live for its claims to hold. calls ... injected: what it did so far;
// before_edit: tool calls before the first edit, injected: tokens given to it.
CREATE NODE TABLE Session(
    id STRING PRIMARY KEY,
    host STRING,
    name STRING,
    started INT64,
    last_at INT64,
    ended INT64,
    boot STRING,
    alive INT64,
    waiting STRING,
    process STRING,
    calls INT64,
    before_edit INT64,
    searches INT64,
    reads INT64,
    rereads INT64,
    edits INT64,
    failed INT64,
    blocked INT64,
    unknown INT64,
    injected INT64
);

CREATE NODE TABLE Lesson(id STRING PRIMARY KEY, text STRING, at INT64, confirmed INT64, target STRING, origin STRING);

// agent: the sub-agent within the session, or empty. hash: of the file's content then. call: the host's own id.
CREATE NODE TABLE Event(
    id STRING PRIMARY KEY,
    session STRING,
    agent STRING,
    kind STRING,
    at INT64,
    tick INT64,
    path STRING,
    detail STRING,
    call STRING,
    hash STRING,
    failed BOOLEAN
);

CREATE NODE TABLE Area(pattern STRING PRIMARY KEY);

CREATE REL TABLE RAN(FROM Agent TO Session);
// again: reads that found the file as the session's read before. hash, tick: of the last one.
CREATE REL TABLE READ(
    FROM Session TO File, count INT64, first_at INT64, last_at INT64, tick INT64, hash STRING, again INT64
);
CREATE REL TABLE EDITED(FROM Session TO File, count INT64, first_at INT64, last_at INT64, tick INT64, hash STRING);
CREATE REL TABLE LEARNED(FROM Session TO Lesson);
CREATE REL TABLE ABOUT(FROM Lesson TO File, FROM Lesson TO Symbol);
// until, expires: how long it holds whatever its session does (on the boot's clock, and across boots). note: it no
// longer keeps others away, but they are told.
CREATE REL TABLE CLAIMS(
    FROM Session TO File, FROM Session TO Area,
    since INT64, expires INT64, agent STRING, boot STRING, until INT64, note BOOLEAN, process STRING
);

// Agents' memory out of a graph, into a graph, and away. An export's columns are the import's parameters.

// name: export Agent
MATCH (a:Agent)
RETURN a.name, a.sessions, a.calls, a.before_edit, a.searches, a.reads, a.rereads, a.edits, a.blocked, a.injected;

// name: import Agent
MERGE (a:Agent {name: $name})
SET a.sessions = $sessions, a.calls = $calls, a.before_edit = $before_edit, a.searches = $searches, a.reads = $reads, a.rereads = $rereads, a.edits = $edits, a.blocked = $blocked, a.injected = $injected;

// name: export Session
MATCH (s:Session)
RETURN s.id, s.host, s.started, s.last_at, s.ended, s.name, s.boot, s.alive, s.waiting, s.process, s.calls,
    s.before_edit, s.searches, s.reads, s.rereads, s.edits, s.failed, s.blocked, s.unknown, s.injected;

// name: import Session
MERGE (s:Session {id: $id})
SET s.host = $host, s.started = $started, s.last_at = $last_at, s.ended = $ended, s.name = $name,
    s.boot = $boot, s.alive = $alive, s.waiting = $waiting, s.process = $process, s.calls = $calls,
    s.before_edit = $before_edit, s.searches = $searches, s.reads = $reads, s.rereads = $rereads,
    s.edits = $edits, s.failed = $failed, s.blocked = $blocked, s.unknown = $unknown, s.injected = $injected;

// name: export Lesson
MATCH (l:Lesson) RETURN l.id, l.text, l.at, l.confirmed, l.target, l.origin;

// name: import Lesson
MERGE (l:Lesson {id: $id})
SET l.text = $text, l.at = $at, l.confirmed = $confirmed, l.target = $target, l.origin = $origin;

// name: export Event
MATCH (e:Event)
RETURN e.id, e.session, e.kind, e.at, e.path, e.detail, e.agent, e.tick, e.call, e.hash, e.failed;

// name: import Event
UNWIND $rows AS r
CREATE (:Event {
    id: r.id, session: r.session, kind: r.kind, at: r.at, path: r.path, detail: r.detail, agent: r.agent,
    tick: r.tick, call: r.call, hash: r.hash, failed: r.failed
});

// name: export Area
MATCH (a:Area) RETURN a.pattern;

// name: import Area
MERGE (:Area {pattern: $pattern});

// name: export RAN
MATCH (a:Agent)-[:RAN]->(s:Session) RETURN a.name, s.id;

// name: import RAN
MATCH (a:Agent {name: $agent}), (s:Session {id: $session}) MERGE (a)-[:RAN]->(s);

// name: export READ
MATCH (s:Session)-[e:READ]->(f:File)
RETURN s.id, f.path, e.count, e.first_at, e.last_at, e.tick, e.hash, e.again;

// name: import READ
MATCH (s:Session {id: $session})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s)-[e:READ]->(f)
SET e.count = $count, e.first_at = $first_at, e.last_at = $last_at, e.tick = $tick, e.hash = $hash,
    e.again = $again;

// name: export EDITED
MATCH (s:Session)-[e:EDITED]->(f:File)
RETURN s.id, f.path, e.count, e.first_at, e.last_at, e.tick, e.hash;

// name: import EDITED
MATCH (s:Session {id: $session})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s)-[e:EDITED]->(f)
SET e.count = $count, e.first_at = $first_at, e.last_at = $last_at, e.tick = $tick, e.hash = $hash;

// name: export LEARNED
MATCH (s:Session)-[:LEARNED]->(l:Lesson) RETURN s.id, l.id;

// name: import LEARNED
MATCH (s:Session {id: $session}), (l:Lesson {id: $lesson}) MERGE (s)-[:LEARNED]->(l);

// name: export ABOUT_FILE
MATCH (l:Lesson)-[:ABOUT]->(f:File) RETURN l.id, f.path;

// name: import ABOUT_FILE
MATCH (l:Lesson {id: $lesson})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (l)-[:ABOUT]->(f);

// name: export ABOUT_SYMBOL
MATCH (l:Lesson)-[:ABOUT]->(s:Symbol) RETURN l.id, s.id, s.name, s.qualname, s.kind, s.file;

// name: import ABOUT_SYMBOL
MATCH (l:Lesson {id: $lesson})
MERGE (s:Symbol {id: $symbol})
ON CREATE SET s.name = $name, s.qualname = $qualname, s.kind = $kind, s.file = $file, s.start_line = 0, s.end_line = 0,
    s.signature = '', s.doc = '', s.is_test = false, s.exported = false, s.entry_point = false, s.call_names = 0,
    s.rank = 0.0, s.unresolved = CAST([] AS STRING[]), s.present = false
MERGE (l)-[:ABOUT]->(s);

// name: export CLAIMS_FILE
MATCH (s:Session)-[e:CLAIMS]->(f:File)
RETURN s.id, f.path, e.since, e.expires, e.agent, e.boot, e.until, e.note, e.process;

// name: import CLAIMS_FILE
MATCH (s:Session {id: $session})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s)-[e:CLAIMS]->(f)
SET e.since = $since, e.expires = $expires, e.agent = $agent, e.boot = $boot, e.until = $until,
    e.note = $note, e.process = $process;

// name: export CLAIMS_AREA
MATCH (s:Session)-[e:CLAIMS]->(a:Area)
RETURN s.id, a.pattern, e.since, e.expires, e.agent, e.boot, e.until, e.note, e.process;

// name: import CLAIMS_AREA
MATCH (s:Session {id: $session}), (a:Area {pattern: $pattern})
MERGE (s)-[e:CLAIMS]->(a)
SET e.since = $since, e.expires = $expires, e.agent = $agent, e.boot = $boot, e.until = $until,
    e.note = $note, e.process = $process;

// name: clear Agent
MATCH (n:Agent) DETACH DELETE n;

// name: clear Session
MATCH (n:Session) DETACH DELETE n;

// name: clear Lesson
MATCH (n:Lesson) DETACH DELETE n;

// name: clear Event
MATCH (n:Event) DETACH DELETE n;

// name: clear Area
MATCH (n:Area) DETACH DELETE n;

// Out of a graph of schema 1.

// name: export v1 Agent
MATCH (a:Agent) RETURN a.name;

// name: export v1 Session
MATCH (s:Session) RETURN s.id, s.host, s.started, s.last_at, s.ended;

// name: export v1 Lesson
MATCH (l:Lesson) RETURN l.id, l.text, l.at, l.confirmed, l.target;

// name: export v1 Event
MATCH (e:Event) RETURN e.id, e.session, e.kind, e.at, e.path, e.detail;

// name: export v1 READ
MATCH (s:Session)-[e:READ]->(f:File) RETURN s.id, f.path, e.count, e.first_at, e.last_at;

// name: export v1 EDITED
MATCH (s:Session)-[e:EDITED]->(f:File) RETURN s.id, f.path, e.count, e.first_at, e.last_at;

// name: export v1 CLAIMS_FILE
MATCH (s:Session)-[e:CLAIMS]->(f:File) RETURN s.id, f.path, e.since, e.expires;

// name: export v1 CLAIMS_AREA
MATCH (s:Session)-[e:CLAIMS]->(a:Area) RETURN s.id, a.pattern, e.since, e.expires;

// The journal's events become rows, and what follows from them changes with them, in one transaction.

// name: event known
MATCH (e:Event {id: $id}) RETURN e.id;

// name: events known
UNWIND $ids AS id MATCH (e:Event) WHERE e.id = id RETURN e.id;

// name: event new
CREATE (:Event {
    id: $id, session: $session, agent: $agent, kind: $kind, at: $at, tick: $tick, path: $path, detail: $detail,
    call: $call, hash: $hash, failed: $failed
});

// name: events new
UNWIND $rows AS r
CREATE (:Event {
    id: r.id, session: r.session, agent: r.agent, kind: r.kind, at: r.at, tick: r.tick, path: r.path, detail: r.detail,
    call: r.call, hash: r.hash, failed: r.failed
});

// name: session
MATCH (s:Session {id: $id})
RETURN s.started, s.last_at, s.ended, s.boot, s.alive, s.waiting, s.process, s.calls, s.before_edit, s.searches,
    s.reads, s.rereads, s.edits, s.failed, s.blocked, s.unknown, s.injected, s.name;

// name: set session
MERGE (s:Session {id: $id})
SET s.host = $host, s.name = $name, s.started = $started, s.last_at = $last_at, s.ended = $ended, s.boot = $boot,
    s.alive = $alive, s.waiting = $waiting, s.process = $process, s.calls = $calls, s.before_edit = $before_edit,
    s.searches = $searches, s.reads = $reads, s.rereads = $rereads, s.edits = $edits, s.failed = $failed,
    s.blocked = $blocked, s.unknown = $unknown, s.injected = $injected;

// name: ran
MERGE (a:Agent {name: $host})
WITH a MATCH (s:Session {id: $id}) MERGE (a)-[:RAN]->(s);

// name: last read
MATCH (s:Session {id: $session})-[e:READ]->(f:File {path: $path}) RETURN e.hash;

// name: read
MATCH (s:Session {id: $session})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s)-[e:READ]->(f)
ON CREATE SET e.count = 0, e.first_at = $first_at, e.last_at = 0, e.again = 0
SET e.count = e.count + $count, e.last_at = $last_at, e.tick = $tick, e.hash = $hash, e.again = e.again + $again;

// name: edited
MATCH (s:Session {id: $session})
MERGE (f:File {path: $path})
ON CREATE SET f.language = '', f.hash = '', f.lines = 0, f.is_test = false, f.generated = false, f.skipped = '',
    f.present = false
MERGE (s)-[e:EDITED]->(f)
ON CREATE SET e.count = 0, e.first_at = $first_at, e.last_at = 0
SET e.count = e.count + $count, e.last_at = $last_at, e.tick = $tick, e.hash = $hash;

// name: release all
MATCH (s:Session {id: $session})-[c:CLAIMS]->(x:File:Area) WHERE c.since <= $at DELETE c;

// name: release agent
MATCH (s:Session {id: $session})-[c:CLAIMS]->(x:File:Area) WHERE c.agent = $agent AND c.since <= $at DELETE c;

// name: turn into notes
MATCH (s:Session {id: $session})-[c:CLAIMS]->(f:File)
WHERE c.agent = $agent AND c.until = 0 AND c.since <= $at AND list_contains($changed, f.path)
SET c.note = true;

// name: release unchanged
MATCH (s:Session {id: $session})-[c:CLAIMS]->(f:File)
WHERE c.agent = $agent AND c.until = 0 AND c.since <= $at AND NOT list_contains($changed, f.path)
DELETE c;

// name: lesson
MERGE (l:Lesson {id: $id})
ON CREATE SET l.text = $text, l.at = 0, l.confirmed = 0, l.target = $target, l.origin = $origin
SET l.confirmed = l.confirmed + $confirmed, l.at = CASE WHEN l.at < $at THEN $at ELSE l.at END;

// name: learned
MATCH (s:Session {id: $session}), (l:Lesson {id: $id}) MERGE (s)-[:LEARNED]->(l);

// name: about file
MATCH (l:Lesson {id: $id}), (f:File {path: $path}) MERGE (l)-[:ABOUT]->(f);

// name: about symbol
MATCH (l:Lesson {id: $id}), (s:Symbol {id: $symbol}) MERGE (l)-[:ABOUT]->(s);

// name: old sessions
MATCH (s:Session) WHERE s.last_at < $before AND s.last_at > 0
RETURN s.id, s.host, s.calls, s.before_edit, s.searches, s.reads, s.rereads, s.edits, s.blocked, s.injected;

// name: fold
MERGE (a:Agent {name: $host})
SET a.sessions = coalesce(a.sessions, 0) + 1, a.calls = coalesce(a.calls, 0) + $calls,
    a.before_edit = coalesce(a.before_edit, 0) + $before_edit, a.searches = coalesce(a.searches, 0) + $searches,
    a.reads = coalesce(a.reads, 0) + $reads, a.rereads = coalesce(a.rereads, 0) + $rereads,
    a.edits = coalesce(a.edits, 0) + $edits, a.blocked = coalesce(a.blocked, 0) + $blocked,
    a.injected = coalesce(a.injected, 0) + $injected;

// name: forget session
MATCH (s:Session {id: $id}) DETACH DELETE s;

// name: forget events
MATCH (e:Event) WHERE e.at < $before DELETE e;

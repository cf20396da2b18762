// What sessions did.

// name: all
MATCH (s:Session)
RETURN s.id, s.started, s.last_at, s.ended, s.boot, s.alive, s.calls, s.before_edit, s.searches, s.reads, s.rereads,
    s.edits, s.failed, s.blocked, s.unknown, s.injected
ORDER BY s.last_at DESC, s.id;

// name: read
MATCH (s:Session {id: $id})-[e:READ]->(f:File)
RETURN f.path, e.count, e.again, e.first_at, e.last_at ORDER BY e.last_at DESC, f.path;

// name: edited
MATCH (s:Session {id: $id})-[e:EDITED]->(f:File)
RETURN f.path, e.count, 0, e.first_at, e.last_at ORDER BY e.last_at DESC, f.path;

// name: folded
MATCH (a:Agent) WHERE a.sessions > 0
RETURN a.name, a.sessions, a.calls, a.before_edit, a.searches, a.reads, a.rereads, a.edits, a.blocked, a.injected
ORDER BY a.name;

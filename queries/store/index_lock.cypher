// What an indexer does with the lock beside taking it.

// name: state
MATCH (l:IndexLock {k: 1}) RETURN l.owner, l.epoch, l.at;

// name: beat
MATCH (l:IndexLock {k: 1}) WHERE l.owner = $me AND l.epoch = $epoch
SET l.at = CASE WHEN l.at < $now THEN $now ELSE l.at END
RETURN l.epoch;

// name: carry
MERGE (l:IndexLock {k: 1}) SET l.owner = $me, l.epoch = $epoch, l.at = $now;

// name: release
MATCH (l:IndexLock {k: 1}) WHERE l.owner = $me AND l.epoch = $epoch
SET l.owner = '', l.at = $now;

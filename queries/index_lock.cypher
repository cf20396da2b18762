// index_lock, version 1, for schema 1.
// Takes the lock that decides who indexes, or says who has it: one statement, so two indexers never both get it.
// Parameters:
//   me     STRING  who asks: process id, start time, boot, pid namespace and a random part
//   now    INT64   milliseconds since boot
//   stale  INT64   an owner whose last sign is older than this is taken over
//   dead   STRING  an owner that the caller knows to be dead, or ''
// Columns: got BOOLEAN, owner STRING, epoch INT64 (raised when the lock changes hands), at INT64
// Plan: starts from the primary key of IndexLock.
MERGE (l:IndexLock {k: 1})
WITH l,
     l.owner IS NOT NULL AND l.owner = $me AS mine,
     l.owner IS NULL OR l.owner = '' OR l.owner = $me OR l.owner = $dead OR l.at < $stale AS free
SET l.epoch = CASE WHEN free AND NOT mine THEN coalesce(l.epoch, 0) + 1 ELSE l.epoch END,
    l.at = CASE WHEN free THEN $now ELSE l.at END,
    l.owner = CASE WHEN free THEN $me ELSE l.owner END
RETURN l.owner = $me AS got, l.owner AS owner, l.epoch AS epoch, l.at AS at;

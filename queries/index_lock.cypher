// index_lock: takes the lock that decides who indexes, or says who has it; one statement, so two never both get it.
// It writes: run by hand it would keep Portolan's own indexers waiting.
// version: 1
// schema: 2
// param: $me STRING, who asks: process id, start time, boot, pid namespace and a random part, e.g. "4711_86750_0d5c1f6e2b7a4c39a1e85f0466d2b913_4026531836_9f3a61c2d4e80b57"
// param: $now INT64, milliseconds since boot, e.g. 1000000
// param: $stale INT64, an owner whose last sign is older than this is taken over, e.g. 940000
// param: $dead STRING, an owner that the caller knows to be dead, or empty, e.g. ""
// column: got BOOL, the lock is now the asker's
// column: owner STRING, who has it
// column: epoch INT64, raised when the lock changes hands
// column: at INT64, the owner's last sign of life, milliseconds since boot
// start: key 1
MERGE (l:IndexLock {k: 1})
WITH l,
     l.owner IS NOT NULL AND l.owner = $me AS mine,
     l.owner IS NULL OR l.owner = '' OR l.owner = $me OR l.owner = $dead OR l.at < $stale AS free
SET l.epoch = CASE WHEN free AND NOT mine THEN coalesce(l.epoch, 0) + 1 ELSE l.epoch END,
    l.at = CASE WHEN free THEN $now ELSE l.at END,
    l.owner = CASE WHEN free THEN $me ELSE l.owner END
RETURN l.owner = $me AS got, l.owner AS owner, l.epoch AS epoch, l.at AS at;

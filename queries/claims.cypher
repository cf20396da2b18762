// claims: who has which file or area, with what decides whether that still holds.
// version: 1
// schema: 2
// column: path STRING, the file's path, or the area's pattern
// column: area BOOL, it is an area
// column: session STRING, host and session
// column: agent STRING, the sub-agent within it, or empty
// column: since INT64, since when, seconds since 1970
// column: note BOOL, it keeps nobody away: the file has changes that are not committed
// column: boot STRING, id of the boot in which it was taken
// column: until INT64, it holds until then whatever its session does, milliseconds since that boot; 0 without such a term
// column: expires INT64, the same in seconds since 1970
// column: process STRING, the process that must live for it to hold, or empty
// column: session_boot STRING, id of the boot of the session's newest event
// column: alive INT64, until when the session's claims hold if no further event comes, milliseconds since that boot
// start: scan Session
MATCH (s:Session)-[c:CLAIMS]->(x:File:Area)
RETURN coalesce(x.path, x.pattern) AS path, label(x) = 'Area' AS area, s.id AS session, c.agent AS agent,
    c.since AS since, c.note AS note, c.boot AS boot, c.until AS until, c.expires AS expires, c.process AS process,
    s.boot AS session_boot, s.alive AS alive
ORDER BY path, session;

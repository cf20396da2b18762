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

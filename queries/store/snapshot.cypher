// What a copy of a graph leaves behind.

// name: no index lock
MATCH (l:IndexLock) DELETE l;

// name: no claims
MATCH (:Session)-[e:CLAIMS]->() DELETE e;

// name: no sessions
MATCH (n:Session) DETACH DELETE n;

// name: no agents
MATCH (n:Agent) DETACH DELETE n;

// name: no events
MATCH (n:Event) DELETE n;

// name: no areas
MATCH (n:Area) DETACH DELETE n;

"""Holds a graph open, as a foreign program: hold.py GRAPH MODE [PATTERN]

MODE: rw commits a lesson at once and one at the end, ro only reads, tx leaves a transaction open.
With PATTERN it opens the graph as soon as a file of that pattern exists. Says "open" then, and ends when stdin does."""

import glob
import sys
import kuzu

path, mode, *pattern = sys.argv[1:]


def lesson(name):
    connection.execute("CREATE (:Lesson {id: $id, text: 't', at: 1, confirmed: 0, target: ''})", {"id": name})


print("ready", flush=True)
while pattern and not glob.glob(pattern[0]):
    pass
while True:
    try:
        database = kuzu.Database(path, read_only=mode == "ro", buffer_pool_size=64 << 20, max_db_size=1 << 33)
        break
    except RuntimeError as error:
        if "lock" not in str(error):
            raise
connection = kuzu.Connection(database)
if mode == "tx":
    connection.execute("BEGIN TRANSACTION")
if mode != "ro":
    lesson("early")
print("open", flush=True)
sys.stdin.read()
if mode == "rw":
    lesson("late")
connection.close()
database.close()
print("closed", flush=True)

# Runs as `python -c`. Reads the worker's files from its pipe, so that nothing need be written anywhere, and starts it.
# Kept to what every Python since 2.7 can parse, so that an old one gets to say that it is too old.
import sys

if sys.version_info < (3, 9):
    sys.exit("Python 3.9 or newer is needed, this is " + sys.version.split()[0])
# The current folder is no place to import from, and must not get in the way of the standard library below.
if sys.path and sys.path[0] == "":
    del sys.path[0]
import os

inbox = open(int(os.environ.pop("HOLODECK_WORKER_IN")), "rb")
files = {}
for heading in iter(inbox.readline, b"\n"):
    size, path = heading.split()
    files[path.decode()] = inbox.read(int(size))
exec(compile(files["worker.py"], "<holodeck worker>", "exec"), {"__name__": "holodeck_worker", "inbox": inbox, "files": files})

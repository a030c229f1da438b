"""Graders that write where they should not."""

import os
import subprocess
import sys


def fake_answers(ctx):
    for id in range(100):
        print('{"id": %d, "result": {"score": 1.0, "passed": true}}' % id, flush=True)
    return False


def garbage(ctx):
    os.write(1, bytes(range(256)) * 100)
    subprocess.run("head -c 100000 /dev/urandom; head -c 100000 /dev/urandom >&2", shell=True)
    return False


def flood(ctx):
    for _ in range(3_000):
        print("x" * 1_000)
    print("the end")
    return False


def to_every_descriptor(ctx):
    for fd in range(3, 64):
        try:
            os.write(fd, b"garbage\n")
        except OSError:
            pass
    return True


def closes_stdout(ctx):
    sys.stdout.close()
    sys.stderr.close()
    return False


def replaces_stdout(ctx):
    sys.stdout = None
    sys.stderr = None
    return False


def redirects_stdout(ctx):
    os.close(1)
    os.close(2)
    return False


def says_hello(ctx):
    print("höllo", ctx.turn_input)
    print("to stderr", file=sys.stderr)
    return True


def reads_stdin(ctx):
    return sys.stdin.read() == ""


def forks(ctx):
    """Both sides return; only one of them may be heard."""
    return os.fork() != 0


def changes_folder(ctx):
    os.chdir("/")
    return True


def folder(ctx):
    return os.getcwd() != "/"

"""Graders that end their process."""

import ctypes
import os
import subprocess
import sys
import threading
import time


def segfault(ctx):
    print("before the fall", file=sys.stderr)
    ctypes.string_at(0)


def null_write(ctx):
    ctypes.memset(0, 1, 1)


def abort(ctx):
    os.abort()


def exit_3(ctx):
    os._exit(3)


def exit_later(ctx):
    threading.Timer(0.05, os._exit, (4,)).start()
    return True


def killed(ctx):
    os.kill(os.getpid(), 9)


def interrupted(ctx):
    os.kill(os.getpid(), 15)
    time.sleep(60)


def close_everything(ctx):
    os.closerange(0, 64)
    return True


def wait_for_a_child_that_kills(ctx):
    subprocess.run(["sh", "-c", "kill -9 $PPID"])
    time.sleep(60)

"""Graders that do not end."""

import os
import signal
import subprocess
import threading
import time


def loop(ctx):
    while True:
        pass


def in_c(ctx):
    # Backtracks for ages with the interpreter's lock held.
    import re

    re.match(r"(a+)+$", "a" * 64 + "b")


def deaf(ctx):
    for number in range(1, signal.NSIG):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    loop(ctx)


def in_another_group(ctx):
    """In the host's own, where a signal to the worker's group does not reach it."""
    os.setpgid(0, os.getpgid(os.getppid()))
    loop(ctx)


def with_child(ctx):
    subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 1000; sleep 1000"])
    loop(ctx)


def with_setsid_child(ctx):
    subprocess.Popen(["sh", "-c", "sleep 1000"], start_new_session=True)
    loop(ctx)


def with_daemon(ctx):
    """A double fork, a session of its own, and an environment without our mark."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sh", ["sh", "-c", "sleep 98764"], {"PATH": os.environ["PATH"]})
        os._exit(0)
    time.sleep(0.1)
    loop(ctx)


def with_stopped_child(ctx):
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    child.send_signal(signal.SIGSTOP)
    loop(ctx)


def threads(ctx):
    for _ in range(8):
        threading.Thread(target=loop, args=(ctx,), daemon=True).start()
    loop(ctx)


async def asleep(ctx):
    import asyncio

    await asyncio.sleep(1000)


def leaves_a_child(ctx):
    """Answers, and leaves two behind."""
    subprocess.Popen(["sleep", "1000"])
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
    return True

"""The process in which Python graders run: a loop over requests. Python 3.9 and newer, the standard library alone.

The bootstrap gives `inbox`, the pipe of requests, and `files`, the sources of the package that graders import.
What docs/reference/grader-protocol.md says is the contract.
"""

import _thread
import importlib
import json
import os
import select
import signal
import sys
import traceback
import types

MESSAGE_LIMIT = 64 << 20
MESSAGE_LENGTH = 8_000
TRACE_LENGTH = 16_000

PID = os.getpid()
MARK = os.environ.get("HOLODECK_WORKER_ID", "")
try:
    FOLDER = os.getcwd()
except OSError:
    FOLDER = None


# What the host hears.


def main():
    outbox = open(int(os.environ.pop("HOLODECK_WORKER_OUT")), "wb")
    for pipe in (inbox, outbox):
        os.set_inheritable(pipe.fileno(), False)
    streams = Streams()
    install_package()
    version = "%d.%d.%d" % sys.version_info[:3]
    send(outbox, {"holodeck_grader": 1, "language": "python", "version": version, "executable": sys.executable})
    _thread.start_new_thread(end_with_the_host, (outbox.fileno(),))
    adopt_orphans()
    graders = Graders()
    for line in inbox:
        request = read_json(line)
        answer = {"id": request["id"]}
        answer.update(graders.answer(request))
        if os.getpid() != PID:
            # A grader forked, and this is the other one.
            os._exit(0)
        streams.settle()
        send(outbox, answer)


def send(outbox, message):
    line = encode(message)
    if len(line) >= MESSAGE_LIMIT:
        problem = "an answer of %d bytes, over %d MiB" % (len(line), MESSAGE_LIMIT >> 20)
        line = encode({"id": message["id"], "bad_result": problem})
    outbox.write(line)
    outbox.flush()


def encode(message):
    # Results have been checked; a message of an exception may hold half a surrogate pair.
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def read_json(line):
    try:
        return json.loads(line)
    except ValueError:
        # An integer with more digits than Python reads unasked.
        limit = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)
        try:
            return json.loads(line)
        finally:
            sys.set_int_max_str_digits(limit)


# What graders are asked.


class Graders:
    """Functions that were found, by reference."""

    def __init__(self):
        self.found = {}
        self.folders = []

    def answer(self, request):
        reference = request.get("resolve") or request["grade"]
        try:
            grader = self.found.get(reference) or self.find(reference, request.get("folders", []))
        except NotFound as error:
            return failed(error.kind, str(error))
        except BaseException as error:
            return raised(error, with_place=True)
        if "resolve" in request:
            return {"ok": True}
        try:
            context = code_grader.GraderContext._of(request.get("context", {}))
            value = grader(context)
            if hasattr(value, "__await__"):
                import asyncio

                value = asyncio.run(waited_for(value))
        except BaseException as error:
            return raised(error)
        try:
            return {"result": result_of(value)}
        except BadResult as error:
            return {"bad_result": str(error)}
        except BaseException as error:
            return {"bad_result": "the result can't be read: " + describe(error)}

    def find(self, reference, folders):
        if folders != self.folders:
            sys.path[:] = folders + sys.path[len(self.folders) :]
            self.folders = folders
        importlib.invalidate_caches()
        path, _, name = reference.partition(":")
        module = importlib.import_module(path)
        self.refuse_another(path, module)
        try:
            grader = getattr(module, name)
        except AttributeError:
            where = getattr(module, "__file__", None) or "no file"
            raise NotFound("AttributeError", "module '%s' (%s) has no attribute '%s'" % (path, where, name)) from None
        if not callable(grader):
            raise NotFound("TypeError", "'%s' is not callable, it is of type %s" % (reference, type(grader).__name__))
        self.found[reference] = grader
        return grader


    def refuse_another(self, path, module):
        """A file in the folders must not be passed over for a module of its name that Python had loaded already."""
        inner = path.replace(".", os.sep)
        wanted = (os.path.join(folder, inner + end) for folder in self.folders for end in (os.sep + "__init__.py", ".py"))
        wanted = next(filter(os.path.isfile, wanted), None)
        where = getattr(module, "__file__", None)
        if wanted is None or (where and any(is_within(where, folder) for folder in self.folders)):
            return
        problem = "%s is hidden by Python's own module '%s' (%s); give it another name"
        raise NotFound("ImportError", problem % (wanted, path, where or "built in"))


def is_within(file, folder):
    return os.path.realpath(file).startswith(os.path.join(os.path.realpath(folder), ""))


class NotFound(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


async def waited_for(value):
    return await value


# What graders answer.


class BadResult(Exception):
    pass


def result_of(value):
    value = plain(value)
    if isinstance(value, bool):
        return {"score": float(value), "passed": value}
    if isinstance(value, (int, float)):
        return {"score": score_of(value)}
    if not isinstance(value, code_grader.GraderResult):
        raise BadResult("grader returned %s, not bool, int, float or GraderResult" % type(value).__name__)
    result = {"score": score_of(plain(value.score))}
    passed = plain(value.passed)
    if not (passed is None or isinstance(passed, bool)):
        raise BadResult("passed is of type %s, not bool or None" % type(passed).__name__)
    if not (value.reason is None or isinstance(value.reason, str)):
        raise BadResult("reason is of type %s, not str or None" % type(value.reason).__name__)
    result["passed"] = passed
    result["reason"] = checked("reason", value.reason)
    result["details"] = details_of(value.details)
    return result


def plain(value):
    """A scalar of numpy and its like as one of Python; anything else as it is."""
    if hasattr(value, "dtype") and getattr(value, "shape", None) == ():
        return value.item()
    return value


def score_of(value):
    if not isinstance(value, (int, float)):
        raise BadResult("score is of type %s, not a number" % type(value).__name__)
    if not 0 <= value <= 1:
        raise BadResult("score is %.60s, not between 0 and 1" % shown(value))
    return float(value)


def shown(value):
    try:
        return repr(value)
    except ValueError:
        return "an integer of very many digits"


def details_of(details):
    if details is None:
        return None
    if not isinstance(details, dict):
        raise BadResult("details is of type %s, not dict or None" % type(details).__name__)
    return checked("details", details)


def checked(name, value):
    """The value, known to be JSON: what `json` takes, and neither NaN, infinity, a circle nor half a surrogate pair."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=scalar)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadResult("%s is not JSON: %s" % (name, describe(error))) from None
    if len(text) >= MESSAGE_LIMIT:
        raise BadResult("%s of %d characters, over %d MiB" % (name, len(text), MESSAGE_LIMIT >> 20))
    # Read again where it held something that only `default` knows; the common case is passed on.
    return json.loads(text) if name == "details" else value


def scalar(value):
    found = plain(value)
    if found is value:
        raise TypeError("Object of type %s is not JSON serializable" % type(value).__name__)
    return found


# Exceptions in words.


def raised(error, with_place=False):
    message = text_of(error)
    if with_place and not isinstance(error, SyntaxError):
        message += place_of(error)
    return failed(type(error).__name__, message, trace_of(error))


def failed(kind, message, trace=None):
    return {"error": {"kind": kind, "message": message[:MESSAGE_LENGTH], "trace": trace}}


def describe(error):
    return "%s: %s" % (type(error).__name__, text_of(error)[:MESSAGE_LENGTH])


def text_of(error):
    try:
        return str(error)
    except BaseException:
        return "(it has no text)"


def place_of(error):
    """The last line of the author's that ran; none where the import itself failed."""
    place = ""
    at = error.__traceback__
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if not file.startswith("<") and file != importlib.__file__:
            place = " (%s, line %d)" % (file, at.tb_lineno)
        at = at.tb_next
    return place


def trace_of(error):
    """The traceback without the frames of this file."""
    try:
        at = error.__traceback__
        while at is not None and at.tb_frame.f_globals is globals():
            at = at.tb_next
        text = "".join(traceback.format_exception(type(error), error, at))
        return text if len(text) <= TRACE_LENGTH else text[:2_000] + "\n...\n" + text[2_000 - TRACE_LENGTH :]
    except BaseException:
        return None


# The process around graders.


class Streams:
    """stdout and stderr, which one grader must not break for the next."""

    def __init__(self):
        self.kept = {fd: os.dup(fd) for fd in (1, 2)}
        self.open()

    def open(self):
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
        self.stdout, self.stderr = sys.stdout, sys.stderr

    def settle(self):
        """Flushes what the call printed, and mends what it broke."""
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        if sys.stdout is not self.stdout or sys.stderr is not self.stderr:
            sys.stdout, sys.stderr = self.stdout, self.stderr
        for fd, kept in self.kept.items():
            os.dup2(kept, fd)
        if self.stdout.closed or self.stderr.closed:
            sys.stdout, sys.stderr = (open(fd, "w", closefd=False) for fd in (1, 2))
            self.open()
        try:
            if FOLDER and os.getcwd() != FOLDER:
                os.chdir(FOLDER)
        except OSError:
            pass


def install_package():
    """Makes `holodeck` importable. Where another package of that name lies on the path, its modules stay importable beside ours."""
    global code_grader
    paths = [os.path.join(folder, "holodeck") for folder in sys.path]
    for name in ("holodeck.lib.test_runner.code_grader", "holodeck.lib.test_runner", "holodeck.lib", "holodeck"):
        module = types.ModuleType(name)
        inner = name.replace(".", "/")
        file = inner + ".py"
        if file not in files:
            file = inner + "/__init__.py"
            module.__path__ = [path + inner[len("holodeck") :] for path in paths]
        sys.modules[name] = module
        exec(compile(files[file], "<%s>" % name, "exec"), module.__dict__)
        if name.endswith("code_grader"):
            code_grader = module
    for name in ("holodeck.lib", "holodeck.lib.test_runner", "holodeck.lib.test_runner.code_grader"):
        parent, _, child = name.rpartition(".")
        setattr(sys.modules[parent], child, sys.modules[name])


def end_with_the_host(outbox):
    """Waits until nobody reads our answers any more, which is when the host has died, and takes everything with us."""
    poll = select.poll()
    poll.register(outbox, 0)
    while not poll.poll():
        pass
    for pid in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if pid.isdigit() and int(pid) != PID:
                with open("/proc/%s/environ" % pid, "rb") as environ:
                    if ("HOLODECK_WORKER_ID=" + MARK).encode() in environ.read().split(b"\0"):
                        os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass
    if os.getpgrp() == PID:
        os.killpg(PID, signal.SIGKILL)
    os._exit(1)


def adopt_orphans():
    """On Linux, keeps what graders leave behind below this process, where the host finds it."""
    if sys.platform != "linux":
        return
    try:
        import ctypes

        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except Exception:
        # A Python without ctypes; the mark in the environment is left.
        pass


main()

"""An agent that holodeck can talk with: lines of JSON on stdin and stdout. Python 3.8, standard library only.

Put your own agent in place of `Conversation`; `main` stays as it is.
"""

import json
import re
import sys
import time

NET_CASH = {2008: 181001, 2009: 206588}


class Conversation:
    """What a real agent would do with a model: looks figures up and calculates, and remembers what it said before."""

    def __init__(self):
        self.years = []
        self.numbers = []

    def answer(self, text, call):
        """The answer to `text`; tools are called through `call`."""
        for year in re.findall(r"\b(?:19|20)\d\d\b", text):
            self.years.append(int(year))
        if "percent" in text:
            number = call("divide", divide, a=self.numbers[-1], b=NET_CASH[self.years[-1]])
            return f"{number:.1%}"
        if "difference" in text:
            number = call("subtract", subtract, a=self.numbers[0], b=self.numbers[1])
        else:
            number = call("lookup", lookup, row="net cash", year=self.years[-1])
        self.numbers.append(number)
        return str(number)


def lookup(row, year):
    return NET_CASH[year]


def subtract(a, b):
    return a - b


def divide(a, b):
    return a / b


def reply_to(turn, conversation):
    """The reply to one turn. Whatever goes wrong is told, and the conversation goes on."""
    tool_calls = []

    def call(name, tool, **args):
        made = {"name": name, "args": args}
        tool_calls.append(made)
        begun = time.monotonic()
        try:
            made["result"] = tool(**args)
            return made["result"]
        except Exception as error:
            made["error"] = f"{type(error).__name__}: {error}"
            raise
        finally:
            made["duration_ms"] = round((time.monotonic() - begun) * 1000)

    reply = {"id": turn["id"], "turn_index": turn["turn_index"], "tool_calls": tool_calls}
    try:
        reply["response"] = conversation.answer(turn["input"], call)
    except Exception as error:
        reply["error"] = {"message": f"{type(error).__name__}: {error}"}
    return reply


def main():
    conversation = Conversation()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "turn":
            # One line, and at once. Everything else that is printed belongs on stderr.
            print(json.dumps(reply_to(message, conversation)), flush=True)
        elif message["type"] == "close":
            break
        # A `cancel` is read here only after its turn was answered, which acknowledged it.


if __name__ == "__main__":
    main()

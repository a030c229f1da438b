"""The same agent behind an address: one POST a turn. Python 3.8, standard library only.

    python3 http_agent.py 8000
    holodeck test agent.yaml --agent http://localhost:8000
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent import Conversation, reply_to

CONVERSATIONS = {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        session = message["session"]
        if message["type"] == "turn":
            conversation = CONVERSATIONS.setdefault(session, Conversation())
            self.send(200, json.dumps(reply_to(message, conversation)))
        elif message["type"] == "cancel":
            # Its turns never take long; an agent whose turns do would stop the one with this id.
            self.send(200, "{}")
        else:
            CONVERSATIONS.pop(session, None)
            self.send(200, "{}")

    def send(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def main():
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"listening on http://localhost:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

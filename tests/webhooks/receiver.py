"""A receiver of webhooks that answers as a test says, and the sender that reaches it."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep

from farthing.jobs.hooks import HookSender

# How often it looks whether it is to end.
_POLLED_S = 0.02


class Receiver:
    """A server that remembers what it is sent. `answers` are the next statuses; None means to hang up."""

    def __init__(self) -> None:
        self.received = []
        self.answers = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                receiver.received.append((self.path, dict(self.headers), body))
                status = receiver.answers.pop(0) if receiver.answers else 200
                if status is None:
                    self.connection.close()
                    return
                if status == "hang":
                    receiver.wakes.wait(10)
                    return
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", f"{receiver.url}/elsewhere")
                self.end_headers()
                self.wfile.write(b"thank you\0")

            def log_message(self, *_):
                pass

        self.wakes = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(_POLLED_S,), daemon=True).start()

    @property
    def bodies(self):
        return [json.loads(body) for _, _, body in self.received]

    def close(self):
        self.wakes.set()
        self.server.shutdown()
        self.server.server_close()


def make_sender(world):
    return HookSender(world.books, world.time.clock(), allow_private=True)


def work(sender):
    """Lets the sender work until nothing is on its way."""
    for _ in range(500):
        if not sender.turn():
            return
        sleep(0.01)
    raise AssertionError("the sender does not finish")

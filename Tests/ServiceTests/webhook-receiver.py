"""Receives webhooks for tests: webhook-receiver.py FILE SECRET STATUS…

Prints its port, responds with each status in order and then with the last, and appends a line of JSON to FILE for each request: whether the
signature of the secret is right (https://www.standardwebhooks.com), the header fields and the body.
"""

import base64
import hashlib
import hmac
import http.server
import json
import sys
import time

path, secret, statuses = sys.argv[1], sys.argv[2], [int(status) for status in sys.argv[3:]]
key = base64.b64decode(secret.removeprefix("whsec_"))


def is_signed(headers, body):
    """Verifies a message as a receiver would."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(right, given) for given in headers["webhook-signature"].split(" "))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"signed": is_signed(headers, body), "headers": headers, "path": self.path, "body": json.loads(body)}) + "\n")
        status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/other")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.do_POST()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()

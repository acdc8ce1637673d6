"""Receives spans for tests: trace-receiver.py FILE STATUS…

Prints its port, responds with each status in order and then with the last, and appends a line of JSON to FILE for each request: its path, its
header fields, its spans, and what is wrong with them (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
"""

import http.server
import json
import re
import sys

path, statuses = sys.argv[1], [int(status) for status in sys.argv[2:]]
VALUES = {"stringValue": str, "boolValue": bool, "intValue": str, "doubleValue": (int, float)}


def attribute_problems(attributes):
    for attribute in attributes:
        value = attribute["value"]
        if set(attribute) != {"key", "value"} or not attribute["key"] or len(value) != 1:
            yield f"attribute {attribute}"
        for kind, content in value.items():
            if kind not in VALUES or not isinstance(content, VALUES[kind]):
                yield f"value {attribute}"


def span_problems(span):
    known = {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano", "attributes", "status"}
    if not set(span) <= known or not isinstance(span["name"], str) or not span["name"]:
        yield f"members of {span}"
    for name, digits in [("traceId", 32), ("spanId", 16), ("parentSpanId", 16)]:
        text = span.get(name)
        if text is None and name == "parentSpanId":
            continue
        if not re.fullmatch(f"[0-9a-f]{{{digits}}}", text) or not int(text, 16):
            yield f"{name} {text}"
    if type(span["kind"]) is not int or not 1 <= span["kind"] <= 5:
        yield f"kind {span['kind']}"
    times = [span["startTimeUnixNano"], span["endTimeUnixNano"]]
    if not all(isinstance(time, str) and time.isdigit() for time in times) or int(times[0]) > int(times[1]):
        yield f"times {times}"
    yield from attribute_problems(span["attributes"])
    if span.get("status", {"code": 0})["code"] not in (0, 1, 2):
        yield f"status {span['status']}"


def contents(body):
    spans, problems = [], []
    for resource in body["resourceSpans"]:
        problems += attribute_problems(resource["resource"]["attributes"])
        for scope in resource["scopeSpans"]:
            spans += scope["spans"]
            problems += [problem for span in scope["spans"] for problem in span_problems(span)]
    return {"spans": spans, "problems": problems, "resource": body["resourceSpans"][0]["resource"]["attributes"]}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status = statuses.pop(0) if len(statuses) > 1 else statuses[0]
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"path": self.path, "status": status, "headers": headers} | contents(body)) + "\n")
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()

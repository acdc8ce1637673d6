"""A hostile server on a free port of 127.0.0.1, which it prints. Each of its pages is an attack by a server on its client."""
import gzip
import http.server
import io
import struct
import sys
import threading
import time
import urllib.parse
import zlib


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\x00\x80\xff" * 10 for _ in range(10))
    head = struct.pack(">IIBBBBB", 10, 10, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = png()
BOMB = io.BytesIO()
with gzip.GzipFile(fileobj=BOMB, mode="wb") as file:
    for _ in range(64):
        file.write(b"\0" * (1 << 20))
counts = {}
state = {}


class Traps(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    # Without a Date field: the client uses its own clock.
    dateless = False

    def answer(self, body=b"", kind="image/png", status=200, **headers):
        (self.send_response_only if self.dateless else self.send_response)(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        counts[path] = counts.get(path, 0) + 1
        try:
            getattr(self, "at" + path.replace("/", "_").replace(".", "_").replace("-", "_"), self.missing)(query)
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.close_connection = self.close_connection or path not in ("/a.png", "/sheet.css")

    def missing(self, query):
        self.answer(b"no", "text/plain", 404)

    def at_counts(self, query):
        self.answer(str(counts.get(query, 0)).encode(), "text/plain")

    def at_a_png(self, query):
        self.answer(PNG)

    def at_packed_png(self, query):
        self.answer(gzip.compress(PNG), Content_Encoding="gzip")

    def at_sheet_css(self, query):
        self.answer(b"body{background:url(a.png)}", "text/css; charset=utf-8")

    def at_plain_css(self, query):
        self.answer(b"body{background:red}", "text/html")

    def at_site_page_html(self, query):
        self.answer(b"<meta charset=utf-8><link rel=stylesheet href=../sheet.css><p>caf\xe9", 'text/html; Charset="ISO-8859-1"')

    def at_text_png(self, query):
        self.answer(b"<!doctype html>hello", "text/html")

    def at_changing_png(self, query):
        counts["v"] = counts.get("v", 0)
        self.answer(PNG + b"\0" * counts["v"])

    def at_change(self, query):
        counts["v"] = counts.get("v", 0) + 1
        self.answer(b"ok", "text/plain")

    def at_to(self, query):
        self.answer(status=302, Location=query)

    def at_loop(self, query):
        self.answer(status=302, Location="/loop?%d" % (int(query or 0) + 1))

    def at_error(self, query):
        self.answer(b"", status=int(query))

    # Query: fields of the response, and `status`. While the state has `down`, the response is 503 or the connection is closed.
    def at_kept(self, query):
        fields = dict(urllib.parse.parse_qsl(query))
        self.dateless = True
        if state.get("down"):
            if state["down"] == "503":
                return self.answer(b"", status=503)
            self.close_connection = True
            return
        status = int(fields.pop("status", 200))
        tag = state.get("tag", fields.get("ETag"))
        if tag:
            fields["ETag"] = tag
        if "Date" not in fields and "age" in state:
            fields["Age"] = state["age"]
        if tag and self.headers.get("If-None-Match") == tag:
            counts["304"] = counts.get("304", 0) + 1
            self.send_response_only(304)
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            return
        self.answer(b"%d" % counts["/kept"], "text/plain", status, **fields)

    def at_set(self, query):
        state.clear()
        state.update(urllib.parse.parse_qsl(query))
        self.answer(b"ok", "text/plain")

    # Fails the requested number of times, then responds.
    def at_flaky(self, query):
        kind, often = query.split(",")
        if counts["/flaky"] <= int(often):
            if kind == "hang-up":
                self.close_connection = True
                return
            return self.answer(b"", status=int(kind), Retry_After="0")
        self.answer(PNG)

    # Sends the path's bytes literally; %xx is decoded.
    def at_raw(self, query):
        self.close_connection = True
        self.wfile.write(urllib.parse.unquote_to_bytes(query))

    def at_hang(self, query):
        self.close_connection = True
        self.wfile.write(urllib.parse.unquote_to_bytes(query))
        self.wfile.flush()
        time.sleep(60)

    def at_bomb2(self, query):
        body = gzip.compress(BOMB.getvalue())
        self.answer(body, Content_Encoding="gzip, gzip")

    def at_deflate_bomb(self, query):
        self.answer(zlib.compress(b"\0" * (64 << 20)), Content_Encoding="deflate")

    def at_chunks(self, query):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True
        while True:
            self.wfile.write(b"1\r\nx\r\n" if query == "small" else b"10000\r\n" + b"x" * 65536 + b"\r\n")

    def at_slow_head(self, query):
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for index in range(600):
            self.wfile.write(b"X-%d: y\r\n" % index)
            self.wfile.flush()
            time.sleep(0.1)

    def at_endless(self, query):
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.close_connection = True
        while True:
            self.wfile.write(b"\0" * 65536)

    def at_slow(self, query):
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        self.close_connection = True
        for _ in range(600):
            self.wfile.write(b"\0")
            time.sleep(0.1)

    def at_silent(self, query):
        self.close_connection = True
        time.sleep(60)

    def at_short(self, query):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(PNG[:40])
        self.close_connection = True

    def at_bomb(self, query):
        self.answer(BOMB.getvalue(), Content_Encoding="gzip")

    def at_broken_gzip(self, query):
        self.answer(b"\x1f\x8b nonsense", Content_Encoding="gzip")

    def at_heads(self, query):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for index in range(int(query)):
            self.wfile.write(b"X-%d: %s\r\n" % (index, b"x" * 1000))
        self.wfile.write(b"Content-Length: 0\r\n\r\n")
        self.close_connection = True

    def at_endless_head(self, query):
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        while True:
            self.wfile.write(b"x" * 65536)

    def at_hundreds(self, query):
        self.close_connection = True
        while True:
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def at_nonsense(self, query):
        self.close_connection = True
        self.wfile.write(b"\0\1\2 what is this\r\n\r\n")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Traps)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()

#!/usr/bin/env python3
"""changing-names.py OFFPRINT: renders pages whose images, fonts and style sheets are on hosts with changing addresses.

To be run in a network and a mount namespace of its own (`unshare --net --mount`): port 53 and /etc/resolv.conf are replaced there, and nothing leaves
it. 127.0.0.2 is the server that pages may ask, 127.0.0.1 the one of the machine that no name may lead to. Prints a line of JSON a page: which
paths each of them was asked for, how `render` ended, and what it said.
"""
import collections, fcntl, json, socket, struct, subprocess, sys, tempfile, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PUBLIC, PRIVATE, PORT = "127.0.0.2", "127.0.0.1", 8099
FONT = (Path(__file__).resolve().parents[1] / "FixtureTests/Fixtures/Square.ttf").read_bytes()
PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")
asked, queries = collections.defaultdict(list), collections.Counter()


def addresses(name):
    """The addresses of a name, by its first label; None if the server does not respond."""
    queries[name] += 1
    kind = name.split(".")[0]
    if kind == "turns":
        return [PUBLIC if queries[name] == 1 else PRIVATE]
    if kind == "alternates":
        return [PUBLIC if queries[name] % 2 else PRIVATE]
    return {"fixed": [PUBLIC], "inner": [PRIVATE], "both": [PRIVATE, PUBLIC], "silent": None}.get(kind, [])


def answer(query):
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1:at + 1 + query[at]].decode())
        at += query[at] + 1
    kind = struct.unpack("!H", query[at + 1:at + 3])[0]
    found = addresses(".".join(labels).lower()) if kind == 1 else []
    if found is None:
        return None
    records = b"".join(b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 0, 4) + socket.inet_aton(a) for a in found)
    return query[:2] + struct.pack("!HHHHH", 0x8180, 1, len(found), 0, 0) + query[12:at + 5] + records


def serve_names():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((PRIVATE, 53))
    while True:
        query, sender = server.recvfrom(512)
        if reply := answer(query):
            server.sendto(reply, sender)


class Files(BaseHTTPRequestHandler):
    def do_GET(self):
        asked[self.server.server_address[0]].append(self.path)
        body, kind = {"/a.png": (PNG, "image/png"), "/b.png": (PNG, "image/png"), "/a.css": (b"p{color:red}", "text/css")}.get(self.path) or (FONT, "font/ttf")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        # Each resource is resolved and connected separately.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS: up, running


def page(name):
    site = f"http://{name}:{PORT}"
    return (f"<!DOCTYPE html><link rel=stylesheet href={site}/a.css><style>@font-face{{font-family:f;src:url({site}/a.ttf)}}p{{font-family:f}}</style>"
            f"<p>x<img src={site}/a.png><img src={site}/b.png>")


def main():
    loopback_up()
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/resolv.conf", "w") as file:
            file.write(f"nameserver {PRIVATE}\noptions timeout:30 attempts:1\n")
        subprocess.run(["mount", "--bind", f"{folder}/resolv.conf", "/etc/resolv.conf"], check=True)
        threading.Thread(target=serve_names, daemon=True).start()
        for address in (PUBLIC, PRIVATE):
            threading.Thread(target=ThreadingHTTPServer((address, PORT), Files).serve_forever, daemon=True).start()
        for name in ("fixed", "turns", "alternates", "inner", "both", "nowhere", "silent"):
            asked.clear()
            command = [sys.argv[1], "render", "-", "-o", f"{folder}/a.png", "--no-cache", "--width", "200", "--timeout", "5s",
                       "--allow-host", f"{name}.test", "--allow-host", PUBLIC]
            start = time.monotonic()
            done = subprocess.run(command, input=page(f"{name}.test"), capture_output=True, text=True)
            print(json.dumps({"name": name, "allowed": asked[PUBLIC], "private": asked[PRIVATE], "status": done.returncode,
                              "seconds": time.monotonic() - start, "messages": done.stderr}), flush=True)


main()

"""Commands that once wrote to the wrong place, or printed no message or a wrong one."""
import os, pty, stat, threading
from harness import case

PAGE = "<!DOCTYPE html><p>a"

@case("output: a device is written through", codes=(0, 73), root=True)
def _(box):
    device = box.path("device.png")
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    box.write("p.html", PAGE)
    box.measure(["render", "p.html", "--no-cache", "-o", device])
    box.check(stat.S_ISCHR(os.lstat(device).st_mode), "the device was replaced")

@case("output: a FIFO is written through", codes=(0, 73))
def _(box):
    fifo = box.path("fifo.png")
    os.mkfifo(fifo)
    got = []
    def read():
        file = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        import select, time
        end = time.monotonic() + 8
        while time.monotonic() < end and not got:
            if select.select([file], [], [], 0.1)[0]:
                data = os.read(file, 1 << 16)
                if data:
                    got.append(data)
                else:
                    time.sleep(0.02)
        os.close(file)
    reader = threading.Thread(target=read)
    reader.start()
    box.write("p.html", PAGE)
    run = box.measure(["render", "p.html", "--no-cache", "-o", fifo])
    reader.join()
    box.check(stat.S_ISFIFO(os.lstat(fifo).st_mode), "the FIFO was replaced")
    box.check(run.code != 0 or got and got[0].startswith(b"\x89PNG"), "nothing came through the FIFO")

@case("output: a link is followed", codes=(0, 73))
def _(box):
    box.write("real.png", b"old")
    os.symlink("real.png", box.path("link.png"))
    box.write("p.html", PAGE)
    run = box.measure(["render", "p.html", "--no-cache", "-o", "link.png"])
    box.check(os.path.islink(box.path("link.png")), "the link was replaced")
    box.check(run.code != 0 or box.read("real.png").startswith(b"\x89PNG"), "the file behind the link was not written")

for name, jobs in {
    "ids a/b and a_b": [{"id": "a/b", "html": "1"}, {"id": "a_b", "html": "2"}],
    "one id twice": [{"id": "a", "html": "1"}, {"id": "a", "html": "2"}],
    "one output twice": [{"id": "a", "html": "1", "output": "x.png"}, {"id": "b", "html": "2", "output": "./x.png"}],
    "an id that is a folder above": [{"id": "..", "html": "1"}, {"id": ".", "html": "1"}],
    "an output of null": [{"id": "a", "html": "1", "output": None}],
}.items():
    def body(box, jobs=jobs):
        box.jobs(jobs)
        box.measure(["batch", "jobs", "--no-cache", "--output", "out"])
        drawn = os.listdir(box.path("out")) if os.path.isdir(box.path("out")) else []
        box.check(not drawn, f"rendered before the error: {drawn}")
    case(f"batch: {name}", codes=(64, 65))(body)

@case("batch: an id of 200 characters of two bytes")
def _(box):
    box.jobs([{"id": "é" * 200, "html": "1"}])
    box.measure(["batch", "jobs", "--no-cache", "--output", "out"])
    box.check(len(os.listdir(box.path("out"))) == 1, "no image")

@case("batch: a byte order mark before the list")
def _(box):
    box.write("jobs", b"\xef\xbb\xbf" + b'{"id":"1","html":"a"}\n')
    box.measure(["batch", "jobs", "--no-cache", "--output", "out"])

@case("render: a byte order mark before --data")
def _(box):
    box.write("t.mustache", "<p>{{a}}")
    box.write("d.json", b"\xef\xbb\xbf" + b'{"a":"b"}')
    box.measure(["render", "--template", "t.mustache", "--data", "d.json", "-o", "out.png", "--no-cache"])

@case("render: standard input may read no files", codes=(77,))
def _(box):
    box.write("s.css", "p{color:red}")
    box.measure(["render", "-", "-o", "out.png", "--no-cache", "--strict"], stdin=b"<link rel=stylesheet href=s.css><p>a")

for name, arguments in {
    "fonts": ["fonts"], "fonts --json": ["fonts", "--json"], "inspect --json": ["inspect", "p.html", "--json"],
    "inspect --dom": ["inspect", "p.html", "--dom"], "inspect --display-list": ["inspect", "p.html", "--display-list"],
    "--help": ["--help"], "render --help": ["render", "--help"], "--version": ["--version"],
    "render": ["render", "p.html", "-o", "-", "--no-cache"],
    "cache list": ["cache", "stats", "--cache", "c"],
    "batch --report": ["batch", "jobs", "--report", "-", "--output", "out", "--no-cache"],
}.items():
    def body(box, arguments=arguments):
        box.write("p.html", PAGE)
        box.jobs([{"id": "1", "html": "a"}])
        box.measure(["batch", "jobs", "--cache", "c", "--output", "first"], codes=(0,))
        with open("/dev/full", "wb") as full:
            box.measure(arguments, stdout=full)
    case(f"full device: {name}", codes=(73,))(body)

@case("render: no image to a terminal", codes=(64, 73))
def _(box):
    box.write("p.html", PAGE)
    master, terminal = pty.openpty()
    box.cleanup.append(lambda: os.close(master))
    box.measure(["render", "p.html", "-o", "-", "--no-cache"], stdout=terminal)
    import select
    got = os.read(master, 4096) if select.select([master], [], [], 0.1)[0] else b""
    os.close(terminal)
    box.check(b"PNG" not in got, "an image was written to the terminal")

@case("message: a damaged template", codes=(65,))
def _(box):
    box.write("t.mustache", "{{#a}}<p>{{b}")
    run = box.measure(["render", "--template", "t.mustache", "--set", "a=b", "-o", "out.png", "--no-cache"])
    text = run.err.decode(errors="replace")
    box.check("(" not in text.split("\n")[0] or "ParserError" not in text and "Context" not in text and "Mustache." not in text, f"a Swift value: {text[:90]}")
    box.check(len(text) < 400, f"{len(text)} bytes")

@case("message: a selector of 40,000 bytes", codes=(64,))
def _(box):
    run = box.render(PAGE, "--selector", "(" * 40_000)
    box.check(len(run.err) < 1000, f"{len(run.err)} bytes of message")

@case("message: an empty page", codes=(0, 65))
def _(box):
    run = box.render("")
    box.check(run.err.strip(), "nothing is said")

@case("message: a page that is an image", codes=(0, 65))
def _(box):
    from pages import png
    run = box.render(png(9, 9))
    box.check(run.code == 65 or b"icture" in run.err or b"image" in run.err or b"PNG" in run.err, "nothing is said")

@case("render: --base-url that is not a folder", codes=(64, 65, 66))
def _(box):
    box.render(PAGE, "--base-url", "/no/such/folder/")

@case("batch: temporary files of a killed run are removed")
def _(box):
    import signal, subprocess, time
    jobs = [{"id": f"{n}", "html": "<style>p{filter:blur(3px)}</style>" + f"<p>{n}" * 40} for n in range(400)]
    box.jobs(jobs)
    for _ in range(4):
        process = subprocess.Popen([box.binary, "batch", "jobs", "--no-cache", "--output", "out"], cwd=box.folder, stdout=-3, stderr=-3)
        time.sleep(0.4)
        process.kill()
        process.wait()
    # Whether the killed run left a temporary file depends on timing, so one is created here as well.
    box.write(f"out/399.png.{process.pid}-1.tmp", b"half")
    box.jobs(jobs[:2])
    box.measure(["batch", "jobs", "--no-cache", "--output", "out"])
    left = [name for name in os.listdir(box.path("out")) if name.endswith(".tmp")]
    box.check(not left, f"left: {left[:3]}")

@case("batch: a table with 60,000 columns", codes=(0, 1, 65, 69), seconds=4)
def _(box):
    box.write("j.csv", "id,html," + ",".join(f"c{n}" for n in range(60_000)) + "\n1,a" + ",x" * 60_000 + "\n")
    box.measure(["batch", "j.csv", "--output", "out", "--no-cache"])

@case("names: a NUL byte is rejected", codes=(64, 65, 1))
def _(box):
    box.write("p.html", PAGE)
    box.write("n.toml", 'output = "report\\u0000.png"\n')
    box.measure(["render", "p.html", "--config", "n.toml", "--no-cache"])
    box.jobs([{"id": "1", "input": "p.html\0.x"}])
    box.measure(["batch", "jobs", "--output", "out", "--no-cache"])
    box.check(not os.path.exists(box.path("report")), "the name was cut")

def served(box, answer):
    """Starts a fake Redis that sends this response to every client. Returns its port."""
    import socket, threading
    listener = socket.create_server(("127.0.0.1", 0))
    box.cleanup.append(listener.close)
    def talk(connection):
        try:
            while connection.recv(65_536):
                answer(connection)
        except OSError:
            pass
    def accept():
        try:
            while True:
                threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()
        except OSError:
            pass
    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]

def endless(connection):
    connection.sendall(b"$2000000000\r\n")
    while True:
        connection.sendall(b"x" * 1_000_000)

def dripping(connection):
    import time
    connection.sendall(b"$2000000000\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.1)

REDIS = {"does not end": endless, "comes by the byte": dripping}
for name, answer in REDIS.items():
    @case(f"queue: a Redis whose response {name}", codes=(74,), seconds=6, mib=500)
    def _(box, answer=answer):
        box.jobs([{"id": "1", "html": "a"}])
        box.measure(["enqueue", "jobs", "--queue", f"redis://127.0.0.1:{served(box, answer)}/0"])

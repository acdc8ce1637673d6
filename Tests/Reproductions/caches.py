"""States of the cache that once crashed or hung the program, or were ignored without a message."""
import hashlib, os, sqlite3, subprocess, threading, time
from harness import case

def one_job(box):
    box.jobs([{"id": "1", "html": "a"}])
    return box.measure(["batch", "jobs", "--cache", "c", "--output", "out", "--report", "-"], codes=(0,))

@case("cache: 6,000 hits in a row", seconds=60)
def _(box):
    box.jobs([{"id": f"{n}", "html": f"{n}", "width": 20} for n in range(6000)])
    box.measure(["warm", "jobs", "--cache", "c"])
    box.measure(["warm", "jobs", "--cache", "c"], seconds=10)
    box.measure(["batch", "jobs", "--cache", "c", "--output", "out"], seconds=20)

@case("cache: clear of a folder that is not a cache", codes=(64, 65, 73, 74))
def _(box):
    subprocess.run("git init -q r && cd r && echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -qm x", shell=True, cwd=box.folder, check=True)
    files = lambda: sorted(os.path.join(at, name) for at, _, names in os.walk(box.path("r/.git")) for name in names)
    before = files()
    box.measure(["cache", "clear", "--cache", "r/.git"])
    box.check(set(before) <= set(files()), "files of another program were deleted")

@case("cache: clear follows no links", codes=(0, 74))
def _(box):
    one_job(box)
    box.write("other/ab/" + "ab" * 32 + ".png", b"precious")
    os.rename(box.path("c/objects"), box.path("objects"))
    os.symlink(box.path("other"), box.path("c/objects"))
    box.measure(["cache", "clear", "--cache", "c"])
    box.check(os.path.exists(box.path("other/ab/" + "ab" * 32 + ".png")), "a file behind a link was deleted")

@case("cache: warm of a full file system", codes=(74,), root=True)
def _(box):
    os.mkdir(box.path("small"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", box.path("small")], check=True)
    box.cleanup.append(lambda: subprocess.run(["umount", "-l", box.path("small")]))
    box.jobs([{"id": "1", "html": "a"}])
    run = box.measure(["warm", "jobs", "--cache", "small/c"])
    box.check(run.err.strip(), "nothing is said")

@case("cache: warm of a folder that cannot be created", codes=(74,))
def _(box):
    box.write("file", b"")
    box.jobs([{"id": "1", "html": "a"}])
    box.measure(["warm", "jobs", "--cache", "file/c"])

DAMAGES = {
    "version -1": "PRAGMA user_version=-1", "version 1": "PRAGMA user_version=1", "version 0": "PRAGMA user_version=0",
    "a width that is a word": "UPDATE entry SET width='abc'", "a checksum that is a number": "UPDATE entry SET checksum=5",
    "dates that are blobs": "UPDATE entry SET created=x'00', lastUsed=x'00'", "metadata that is null bytes": "UPDATE entry SET metadata=x'ff00'",
    "a missing table": "DROP TABLE entry", "a missing index": "DROP INDEX entry_lastUsed", "sizes below zero": "UPDATE entry SET size=-9223372036854775808",
    "another program's tables": "DROP TABLE name; DROP TABLE dependency; DROP TABLE entry; CREATE TABLE entry (a)",
}
for name, statement in DAMAGES.items():
    def body(box, statement=statement):
        one_job(box)
        index = sqlite3.connect(box.path("c/index.sqlite"))
        index.executescript(statement)
        index.commit()
        index.close()
        one_job(box)
        run = one_job(box)
        box.check(b'"cached"' in run.out, "rendered again each time")
        box.measure(["cache", "stats", "--cache", "c"])
        box.measure(["cache", "clear", "--cache", "c"])
    case(f"index: {name}")(body)

@case("index: a newer version is refused, not damaged", codes=(0, 74))
def _(box):
    one_job(box)
    index = sqlite3.connect(box.path("c/index.sqlite"))
    index.execute("PRAGMA user_version=99")
    index.commit()
    index.close()
    box.measure(["cache", "stats", "--cache", "c"])
    index = sqlite3.connect(box.path("c/index.sqlite"))
    box.check(index.execute("PRAGMA user_version").fetchone()[0] == 99, "the newer index was replaced")

@case("index: garbage")
def _(box):
    one_job(box)
    for name in ("index.sqlite-wal", "index.sqlite-shm"):
        if os.path.exists(box.path("c/" + name)):
            os.unlink(box.path("c/" + name))
    box.write("c/index.sqlite", b"\x7fgarbage" * 999)
    one_job(box)
    box.measure(["cache", "stats", "--cache", "c"])

@case("cache: a FIFO instead of an object", seconds=5)
def _(box):
    one_job(box)
    for at, _, names in os.walk(box.path("c/objects")):
        for name in names:
            os.unlink(os.path.join(at, name))
            os.mkfifo(os.path.join(at, name))
    one_job(box)

@case("cache: an index that another process has locked", seconds=3)
def _(box):
    box.jobs([{"id": f"{n}", "html": f"{n}", "width": 20} for n in range(50)])
    box.measure(["batch", "jobs", "--cache", "c", "--output", "out"], seconds=10)
    holder = sqlite3.connect(box.path("c/index.sqlite"), isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    run = box.measure(["batch", "jobs", "--cache", "c", "--output", "out", "--report", "-"])
    box.check(run.out.count(b'"cached"') == 50, "not all from the cache")
    box.write("new.html", "<p>new")
    box.measure(["render", "new.html", "--cache", "c", "-o", "new.png", "--timeout", "500ms"], codes=(0, 75), seconds=1.5)
    holder.execute("ROLLBACK")

@case("cache: the omitted resources are always the same")
def _(box):
    from pages import png
    for number in range(90):
        box.write(f"{number}.png", png(6, 6, color=2, value=number * 2))
    box.write("p.html", "<style>" + "".join(f"#a{n}::after{{content:url({n}.png)}}" for n in range(90)) + "</style>" + "".join(f"<b id=a{n}></b>" for n in range(90)))
    box.jobs([{"id": f"{n}", "input": box.path("p.html"), "output": f"o{n}.png"} for n in range(12)])
    box.measure(["batch", "jobs", "--no-cache", "--jobs", "2", "--output", box.folder, "--keep-going"])
    digests = {hashlib.sha256(box.read(f"o{n}.png")).hexdigest() for n in range(12) if os.path.exists(box.path(f"o{n}.png"))}
    box.check(len(digests) == 1, f"{len(digests)} different images")

@case("cache: other programs' files in a folder named temporary are not removed")
def _(box):
    box.write("c/temporary/2024-01-02.png", b"photo")
    os.utime(box.path("c/temporary/2024-01-02.png"), (1_500_000_000, 1_500_000_000))
    one_job(box)
    box.measure(["cache", "trim", "--max-size", "1G", "--cache", "c"])
    box.check(os.path.exists(box.path("c/temporary/2024-01-02.png")), "the file is gone")

@case("cache: nothing is written into another program's folder", codes=(0,))
def _(box):
    box.write("c/objects/mine", b"x")
    one_job(box)
    box.check(not os.path.exists(box.path("c/fonts")), "c/fonts was made")

"""Registers cases, and runs and measures commands."""
import os, resource, shutil, signal, subprocess, tempfile, threading, time

cases = []
GIB = 1024  # MiB

class Skip(Exception):
    pass

class Run:
    """The result of a command: exit code (negative for a signal), seconds, peak MiB, and both outputs."""
    def __init__(self, code, seconds, cpu, mib, out, err):
        self.code, self.seconds, self.cpu, self.mib, self.out, self.err = code, seconds, cpu, mib, out, err

class Result:
    def __init__(self, name):
        self.name, self.problems, self.skipped, self.seconds, self.mib, self.codes = name, [], None, 0.0, 0, []

    def row(self):
        state = "skip" if self.skipped else "FAIL" if self.problems else "ok"
        codes = ",".join(map(str, self.codes[:8]))
        return f"{state:4} {self.name:44} {self.seconds:6.2f} s {self.mib:5.0f} MiB  exit {codes:12} {'; '.join(self.problems)[:160]}"

class Case:
    def __init__(self, name, body, codes, seconds, mib, root):
        self.name, self.body, self.codes, self.seconds, self.mib, self.root = name, body, codes, seconds, mib, root

    def run(self, binary, slack):
        result = Result(self.name)
        folder = tempfile.mkdtemp(prefix="reproduction-")
        box = Box(folder, binary, self, slack, result)
        try:
            if self.root and os.geteuid() != 0:
                raise Skip("needs root")
            self.body(box)
        except Skip as skip:
            result.skipped = str(skip)
        except Exception as problem:
            result.problems.append(f"{type(problem).__name__}: {problem}"[:300])
        finally:
            box.close()
            shutil.rmtree(folder, ignore_errors=True)
        return result

def case(name, codes=(0,), seconds=10.5, mib=GIB, root=False):
    """Registers a case: every command in it must exit with one of `codes`, within the limits of time and memory."""
    def register(body):
        cases.append(Case(name, body, codes, seconds, mib, root))
        return body
    return register

class Box:
    """A temporary folder, and the commands that run in it."""
    def __init__(self, folder, binary, case, slack, result):
        self.folder, self.binary, self.case, self.slack, self.result = folder, binary, case, slack, result
        self.cleanup = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def check(self, condition, problem):
        if not condition:
            self.result.problems.append(problem)

    def close(self):
        for action in reversed(self.cleanup):
            try:
                action()
            except OSError:
                pass

    def measure(self, arguments, codes=None, seconds=None, stdin=b"", stdout=None, cwd=None):
        """Runs the program and checks the limits of the case."""
        codes = self.case.codes if codes is None else codes
        seconds = self.case.seconds if seconds is None else seconds
        run = self.run(arguments, seconds * 2 + 5, stdin, stdout, cwd)
        self.result.codes.append(run.code)
        self.result.seconds = max(self.result.seconds, run.seconds)
        self.result.mib = max(self.result.mib, run.mib)
        label = " ".join(arguments)[:60]
        if run.code < 0:
            self.check(False, f"{signal.Signals(-run.code).name} ({label})")
        else:
            self.check(run.code in codes, f"exit {run.code}, not {' or '.join(map(str, codes))} ({label}: {run.err[:100].decode(errors='replace').strip()})")
        self.check(run.seconds <= seconds + self.slack, f"{run.seconds:.1f} s, over {seconds} s")
        self.check(run.mib <= self.case.mib, f"{run.mib:.0f} MiB, over {self.case.mib} MiB")
        return run

    def run(self, arguments, kill_after, stdin=b"", stdout=None, cwd=None):
        command = [self.binary] + arguments
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            start = time.monotonic()
            process = subprocess.Popen(
                command, stdin=given, stdout=out if stdout is None else stdout, stderr=err, cwd=cwd or self.folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
            timer = threading.Timer(kill_after, process.kill)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - start
            out.seek(0)
            err.seek(0)
            return Run(
                process.returncode, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                b"" if stdout is not None else out.read(), err.read())

    def render(self, html, *arguments, output="out.png", **options):
        """Renders a page to a file without a cache."""
        name = self.write("page.html", html)
        return self.measure(["render", name, "-o", self.path(output), "--no-cache", *arguments], **options)

    def jobs(self, jobs):
        import json
        return self.write("jobs", "\n".join(json.dumps(job, ensure_ascii=False) for job in jobs) + "\n")

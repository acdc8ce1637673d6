"""The gallery: typical pages of docs/gallery, rendered when the site is built, beside Chromium's images if a browser is given."""
import html, json, pathlib, re, shlex, shutil, statistics, struct, subprocess, sys, tempfile
from dataclasses import dataclass, field

from markup import code, relative

CATEGORIES = ["Social cards", "Animations", "Charts", "Dashboards", "Tickets and passes", "Documents", "Email", "Interface", "Code and formulas", "Calendars",
              "Print and e-ink", "Scripts of the world"]
# The most varied ones, for the first page of the site.
FEATURED = ["card-release", "dashboard-sales", "ticket-concert", "chart-area", "card-article", "pass-boarding", "certificate", "chat", "card-weather",
            "code-dark", "calendar-month"]
ROUNDS = 7
LARGEST_ANIMATION = 150_000  # bytes


@dataclass
class Example:
    """A page, described by its own <meta> elements: category, description, width, and optionally height, fonts, fps (of an animation), loop,
    and differs (a known difference from Chromium's image). With template, and set as JSON, the page is that of a built-in template."""
    name: str
    path: pathlib.Path
    title: str = ""
    meta: dict = field(default_factory=dict)
    image: pathlib.Path | None = None
    size: tuple = (0, 0)          # CSS px
    milliseconds: float | None = None
    chromium: pathlib.Path | None = None
    chromium_milliseconds: float | None = None
    skipped: str = ""
    source: str = ""

    @property
    def description(self):
        return self.meta.get("description", "")

    @property
    def width(self):
        return int(self.meta.get("width", 800))

    @property
    def is_animated(self):
        return "fps" in self.meta

    @property
    def attributes(self):
        return json.loads(self.meta.get("set", "{}"))

    @property
    def job(self):
        """What is rendered, as in a batch."""
        job = {"template": self.meta["template"], "set": self.attributes} if "template" in self.meta else {"input": str(self.path), "width": self.width}
        job |= {name: int(self.meta[name]) for name in ("height", "fps", "loop") if name in self.meta}
        return job | ({"animate": True} if self.is_animated else {})

    @property
    def command(self):
        if "template" in self.meta:
            words = ["--template", self.meta["template"]] + [word for name, value in self.attributes.items() for word in ("--set", f"{name}={value}")]
        else:
            words = [f"{self.name}.html", "--width", str(self.width)]
        words += [word for name in ("height", "fps", "loop") if name in self.meta for word in (f"--{name}", self.meta[name])]
        return shlex.join(["offprint", "render", *words, *(["--animate"] if self.is_animated else []), "--scale", "2", "-o", f"{self.name}.png"])


def examples(folder):
    for path in sorted(folder.glob("*.html")):
        text = path.read_text()
        meta = {name: html.unescape(value or other) for name, value, other in re.findall(r'<meta name="([\w-]+)" content=(?:"([^"]*)"|\'([^\']*)\')>', text)}
        yield Example(path.stem, path, html.unescape(re.search(r"<title>(.*?)</title>", text)[1]), meta)


def featured(shown, count):
    """The featured examples, filled up with others so that a missing file does not leave a gap."""
    names = {example.name: example for example in shown}
    chosen = [names[name] for name in FEATURED if name in names]
    return (chosen + [example for example in shown if example not in chosen])[:count]


def png_size(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


def available(options, root):
    """The families that the program sees with the given fonts."""
    listing = subprocess.run([options.offprint, "fonts", *font_options(options, root)], capture_output=True, text=True, check=True).stdout
    return listing


def font_options(options, root):
    folders = [str(root / "Sources/OffprintFonts/Fonts"), *options.fonts]
    return [argument for folder in folders for argument in ("--fonts", folder)]


def build(root, options):
    """Renders all examples. The times are medians in one warm process, with one worker, as its report states them."""
    chosen = list(examples(root / "docs/gallery"))
    families = available(options, root)
    for example in chosen:
        example.source = source(options, example)
        missing = [family for family in example.meta.get("fonts", "").split(",") if family.strip() and family.strip() not in families]
        if missing:
            example.skipped = f"This page needs the font {', '.join(missing)}, which was not available when the site was built."
    rendered = [example for example in chosen if not example.skipped]
    images = options.output / "gallery/images"
    images.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        times = run(root, options, rendered, pathlib.Path(folder), images)
    for example in rendered:
        example.image = images / f"{example.name}.png"
        example.milliseconds = statistics.median(times[example.name][2:])
        example.size = tuple(side // 2 for side in png_size(example.image))
        if example.is_animated and example.image.stat().st_size > LARGEST_ANIMATION:
            sys.exit(f"{example.image} has {example.image.stat().st_size} bytes, more than {LARGEST_ANIMATION}")
    if options.chromium:
        compare(root, options, [example for example in rendered if not example.is_animated], images)
    return chosen


def source(options, example):
    if "template" not in example.meta:
        return example.path.read_text()
    command = [options.offprint, "templates", "show", example.meta["template"], "--source"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def run(root, options, rendered, folder, images):
    jobs = folder / "jobs.ndjson"
    lines = []
    for example in rendered:
        for round in range(ROUNDS):
            output = images / f"{example.name}.png" if round == 0 else folder / f"{example.name}-{round}.png"
            job = {"id": f"{example.name}#{round}", "output": str(output), "scale": 2} | example.job
            lines.append(json.dumps(job))
    jobs.write_text("\n".join(lines) + "\n")
    command = [options.offprint, "batch", str(jobs), "--jobs", "1", "--no-cache", "--report", "-", *font_options(options, root)]
    done = subprocess.run(command, capture_output=True, text=True)
    times = {example.name: [] for example in rendered}
    for line in done.stdout.splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        if row.get("status") != "rendered" or row.get("state") == "degraded":
            sys.exit(f"The gallery was not rendered completely: {line}\n{done.stderr}")
        times[row["id"].split("#")[0]].append(row["milliseconds"])
    if done.returncode:
        sys.exit(f"The gallery could not be rendered: {done.stderr}")
    return times


def compare(root, options, rendered, images):
    """Renders the examples in one open browser with the same fonts; Distribution/site/chromium writes the times."""
    pages = [{"name": example.name, "path": str(example.path), "output": str(images / f"{example.name}-chromium.png"), "width": example.width,
              "height": int(example.meta["height"]) if "height" in example.meta else None} for example in rendered]
    request = {"executable": options.chromium, "fonts": [str(root / "Sources/OffprintFonts/Fonts"), *options.fonts], "rounds": 3, "pages": pages}
    done = subprocess.run([pathlib.Path(__file__).parent / "chromium"], input=json.dumps(request), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"Chromium could not render the gallery: {done.stderr}")
    times = json.loads(done.stdout)
    for example in rendered:
        example.chromium = images / f"{example.name}-chromium.png"
        example.chromium_milliseconds = times[example.name]


def milliseconds(value):
    return f"{value:.1f} ms" if value < 10 else f"{value:.0f} ms"


def card(target, example):
    link = relative(target, f"gallery/{example.name}.html")
    if not example.image:
        frame = '<span class="frame none">not rendered here</span>'
    else:
        source = relative(target, f"gallery/images/{example.name}.png")
        frame = (f'<span class="frame"><img src="{source}" alt="" loading="lazy" width="{example.size[0]}" height="{example.size[1]}"></span>')
    time = f"<small>{milliseconds(example.milliseconds)}</small>" if example.milliseconds else ""
    return f'<a class="card" href="{link}">{frame}<span class="name">{html.escape(example.title)}{time}</span></a>'


def write(frame, folder, all_examples):
    shown = [example for example in all_examples if example.image]
    groups = {category: [] for category in CATEGORIES}
    for example in all_examples:
        groups.setdefault(example.meta.get("category", "Other"), []).append(example)
    body = ('<h1>Gallery</h1><p class="lead">Typical pages, each one HTML file without scripts. The images were rendered by Offprint when this site was '
            "built, at a scale of 2, with the bundled fonts. Every page shows its source.</p>")
    body += f'<p class="note">{times_note(shown)}</p>' if shown else "<p>The gallery was not built.</p>"
    body += '<p class="chips">' + "".join(f'<a href="#{anchor(name)}">{name}</a>' for name, group in groups.items() if group) + "</p>"
    for name, group in groups.items():
        if group:
            body += f'<section><h2 id="{anchor(name)}">{name}</h2><div class="cards">' + "".join(card("gallery/index.html", it) for it in group) + "</div></section>"
    frame.write(folder, "gallery/index.html", "Gallery", body, kind="gallery", description="Typical pages rendered by Offprint, with their source")
    (folder / "gallery/pages").mkdir(parents=True, exist_ok=True)
    ordered = [example for group in groups.values() for example in group]
    for index, example in enumerate(ordered):
        if "template" not in example.meta:
            shutil.copyfile(example.path, folder / f"gallery/pages/{example.name}.html")
        frame.write(folder, f"gallery/{example.name}.html", example.title, detail(example, ordered[index - 1], ordered[(index + 1) % len(ordered)]),
                    kind="example", description=example.description)


def anchor(name):
    return name.lower().replace(" ", "-")


def times_note(shown):
    ours = statistics.median(example.milliseconds for example in shown if not example.is_animated)
    note = (f"The time is the median of {ROUNDS - 2} renders in one warm process on one thread, PNG encoding included; over all pages that are not animated the median is "
            f"{milliseconds(ours)}.")
    theirs = [example.chromium_milliseconds for example in shown if example.chromium_milliseconds]
    if theirs:
        note += f" Chromium's is that of loading the page and taking a screenshot in an open browser; its median is {milliseconds(statistics.median(theirs))}."
    return note


def detail(example, before, after):
    body = f'<p class="crumbs"><a href="index.html">Gallery</a> / {html.escape(example.meta.get("category", "Other"))}</p>'
    body += f'<h1>{html.escape(example.title)}</h1><p class="lead">{html.escape(example.description)}</p>'
    body += f'<p class="note">{html.escape(example.skipped)}</p>' if example.skipped else ""
    if example.image:
        body += f'<div class="pair{" two" if example.chromium else ""}">' + shot(example, "Offprint", example.image, example.milliseconds)
        body += (shot(example, "Chromium", example.chromium, example.chromium_milliseconds) if example.chromium else "") + "</div>"
        if example.chromium and "differs" in example.meta:
            body += f'<p class="note">{html.escape(example.meta["differs"])}</p>'
    body += "<h2>Command</h2>" + code(example.command + "\n", "sh")
    link = "" if "template" in example.meta else f'<p><a href="pages/{example.name}.html">Open the page</a></p>'
    body += f"<h2>Source</h2>{link}" + code(example.source or example.path.read_text(), "html")
    body += (f'<p class="turn"><a href="{before.name}.html">← {html.escape(before.title)}</a><a href="{after.name}.html">{html.escape(after.title)} →</a></p>')
    return body


def shot(example, by, path, time):
    return (f'<figure><a href="images/{path.name}"><img src="images/{path.name}" alt="{html.escape(example.title)}, rendered by {by}" '
            f'width="{example.size[0]}" height="{example.size[1]}"></a>'
            f"<figcaption><b>{by}</b><span>{milliseconds(time)}</span></figcaption></figure>")

"""Pages that once crashed the program or took excessive time or memory."""
import base64, os, struct, zlib
from harness import case

def png(width, height, depth=8, color=0, value=0, note=b""):
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + bytes([value]) * ((width * depth * {0: 1, 2: 3, 6: 4}[color] + 7) // 8)
    packer = zlib.compressobj(1)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + (chunk(b"tEXt", b"a\0" + note) if note else b"") + chunk(b"IDAT", data) + chunk(b"IEND", b"")

COLUMN = "display:flex;flex-direction:column"

@case("page: fit-content in a column of flex items")
def _(box):
    box.render(f"<!DOCTYPE html><section style='{COLUMN}'><p style='height:fit-content'>a</p></section>")

@case("page: fit-content in a vertical flex row")
def _(box):
    box.render("<div style='display:flex;writing-mode:vertical-rl'><div style='block-size:fit-content(3em);width:fit-content'>a<p>b</div></div>")

@case("page: fit-content everywhere, in containers and columns")
def _(box):
    rules = "*{container-type:size;block-size:fit-content(2em);columns:2;flex-basis:90px}:nth-child(2){writing-mode:vertical-lr}"
    kinds = ("flex", "inline-flex", "grid", "table", "inline-block", "flow-root")
    tree = "".join(f"<div style='display:{kind};flex-direction:column'><p>a<b style='height:fit-content'>b</b>" for kind in kinds)
    box.render(f"<style>{rules}</style>{tree}")

@case("page: min, max and fit-content against each other")
def _(box):
    sizes = ("fit-content", "min-content", "max-content", "stretch", "fit-content(10%)", "-webkit-fill-available")
    tree = "".join(
        f"<div style='{COLUMN};height:{a};min-height:{b}'><i style='aspect-ratio:1;max-height:{a};display:block;height:{b}'>x</i>"
        for a in sizes for b in sizes)
    box.render(tree)

@case("page: text of 1e30 px in an SVG")
def _(box):
    box.render("<svg width='60' height='60'><text y='20' font-size='1e30'>a</text></svg>", codes=(0, 2))

@case("batch: the jobs beside a page with such an SVG", codes=(0, 1))
def _(box):
    svg = "<svg width='60' height='60'><text y='20' font-size='1e30'>a</text></svg>"
    box.jobs([{"id": "1", "html": "a"}, {"id": "2", "html": svg}, {"id": "3", "html": "c"}])
    run = box.measure(["batch", "jobs", "--no-cache", "--output", "out", "--report", "-", "--keep-going"])
    box.check(run.out.count(b'"rendered"') >= 2, "the other jobs are not rendered")

BLURS = {
    "of 500 px on many large boxes": "<style>p{filter:blur(500px);width:600px;height:400px;background:red}</style>" + "<p>a" * 12,
    "of 9999 px in nested boxes": "<style>div{filter:blur(9999px);padding:9px;background:#fed}</style>" + "<div>" * 16 + "a",
    "behind scale(1000)": "<div style='transform:scale(1000)'><p style='filter:blur(200px);box-shadow:0 0 900px 400px red'>a<p style='backdrop-filter:blur(300px)'>b",
    "as text and box shadows": "<style>p{text-shadow:0 0 800px red,9px 9px 4000px blue;box-shadow:inset 0 0 3000px 90px}</style>" + "<p>shadow" * 30,
}
for name, html in BLURS.items():
    case(f"page: blur {name}")(lambda box, html=html: box.render(html, codes=(0, 69, 75)))

@case("page: masks of masks in an SVG, 24 deep", codes=(0, 2, 69, 75))
def _(box):
    masks = "".join(f"<mask id='m{n}'><rect width='200' height='200' fill='white' mask='url(#m{n - 1})'/><rect width='90' height='90' mask='url(#m{n - 1})'/></mask>" for n in range(1, 25))
    box.render(f"<svg width='200' height='200'><mask id='m0'><rect width='200' height='200' fill='white'/></mask>{masks}<rect width='200' height='200' mask='url(#m24)'/></svg>")

@case("page: 100,000 combining marks cost linear time")
def _(box):
    small = box.render("<p>a" + "\u0301" * 25_000)
    large = box.render("<p>a" + "\u0301" * 100_000)
    box.check(large.cpu < 7 * small.cpu + 0.2, f"{small.cpu:.1f} s of CPU for 25,000, {large.cpu:.1f} s for 100,000")

@case("page: nested rules, 30 deep, each of five selectors", codes=(0, 69, 75), seconds=1.5)
def _(box):
    box.render("<style>" + "p,q,b,div,& i{" * 30 + "color:red</style>" + "<div>" * 40, "--timeout", "1s")

@case("page: substring selectors against long attributes", codes=(0, 69, 75), seconds=1.5)
def _(box):
    word = "y" * 150_000
    box.render(f"<style>[a*='{word}z'],[a*='{word}w']{{color:red}}</style>" + f"<p a='{word * 2}x'></p>" * 3, "--timeout", "1s")

@case("page: :has() in :has() over many siblings", codes=(0, 69, 75), seconds=1.5)
def _(box):
    box.render("<style>p:has(~ p:is(:has(~ q),:has(+ b))){color:red}</style>" + "<p>" * 3000, "--timeout", "1s")

@case("page: clip paths, 128 deep, 3000 px high", codes=(0, 75))
def _(box):
    box.render("<style>div{clip-path:ellipse(45% 40%);height:3000px;background:#fec}</style>" + "<div>" * 128)

@case("page: blend modes, 200 deep, 60,000 px high", codes=(0, 69, 75))
def _(box):
    box.render("<style>div{mix-blend-mode:screen;height:60000px;background:#efe}</style>" + "<div>" * 200)

@case("page: twenty images of 39 Mpx", codes=(0, 69, 75))
def _(box):
    picture = png(6240, 6240)
    for number in range(20):
        box.write(f"p{number}.png", picture[:33] + png(1, 1, note=b"%d" % number)[33:-50] + picture[33:] if number else picture)
    box.render("".join(f"<img width=9 src=p{n}.png>" for n in range(20)), "--allow-files", box.folder)

@case("page: an image of 900 Mpx inside an SVG", codes=(0, 2, 69, 75), seconds=4)
def _(box):
    data = base64.b64encode(png(30_000, 30_000, depth=1)).decode()
    box.render(f"<svg width='90' height='90'><image width='90' height='90' href='data:image/png;base64,{data}'/></svg>")

@case("template: four nested sections over 300 values", codes=(69, 75))
def _(box):
    box.write("t.mustache", "{{#a}}" * 4 + "y" + "{{/a}}" * 4)
    box.write("d.json", '{"a": [' + ",".join(["1"] * 300) + "]}")
    box.measure(["render", "--template", "t.mustache", "--data", "d.json", "-o", "out.png", "--no-cache"])

@case("template: 100,000 nested sections", codes=(65, 69, 75))
def _(box):
    box.write("t.mustache", "{{#a}}" * 100_000 + "{{/a}}" * 100_000)
    box.measure(["render", "--template", "t.mustache", "--set", "a=b", "-o", "out.png", "--no-cache"])

# Each would take many seconds, even on a fast machine.
LATE = {
    "filters": "<style>p{position:absolute;filter:blur(9px) drop-shadow(0 0 9px red);width:700px;height:900px}</style><div style='height:900px'>" + "<p>b" * 40_000,
    "blending": "<style>div{mix-blend-mode:multiply;background:#fed;height:60000px}</style>" + "<div>" * 200,
    "long words": "<style>p{word-break:break-all;width:90px}</style>" + ("<p>" + "ab" * 200_000) * 4,
    "selectors": "<style>" + "".join(f":has(:nth-last-child({n}n) ~ * b){{color:red}}" for n in range(900)) + "</style>" + "<p><i>a</i><i>a</i>" * 9_000,
}
for name, html in LATE.items():
    case(f"deadline: 500 ms, {name}", codes=(75,), seconds=1.0)(lambda box, html=html: box.render(html, "--timeout", "500ms"))


@case("page: a positioned box beyond the end of all columns")
def _(box):
    box.render("<!DOCTYPE html><div style='columns:2;height:50px'><div style='position:relative'>x<div style='position:absolute;top:99999999999px'>a</div></div></div>", codes=(0, 2, 69))

@case("page: animations of values with commas")
def _(box):
    values = ("rotate(3.25,-3) translate(-3.5,3.25)", ",,", "1,2, ,3", "1 2;3,4")
    box.render("<svg>" + "".join(f"<g><animateTransform by='{v}' additive='sum'/><animate attributeName='x' values='{v};{v}' by='{v}' begin='-1s' dur='3s'/></g>" for v in values))

HEAVY = {
    "a dotted border, skewed to infinity": "<div style='border:dotted thick;width:9px;transform:rotate(4.75deg) skewX(.75turn)'></div>",
    "a dashed outline of a million dashes": "<svg width=900 height=900><path d='M0 0" + "l900 1-900 1" * 400 + "' fill=none stroke=red stroke-dasharray=.06 /></svg><p style='border:.1px dashed;transform:scale(900)'>a",
    "grids of intrinsic tracks, 12 deep": "<style>div{display:grid;grid-template-columns:minmax(min-content,1fr) auto;grid-template-rows:auto auto}</style>" + "<div>a<p>b</p>" * 12,
    "tables in tables, 40 deep": "<table><tr><td>a<td>" * 40,
    "flex of percentages, 40 deep": "<style>div{display:flex;flex-wrap:wrap;height:50%;padding:1%}</style>" + "<div><b>a</b>" * 40,
    "columns in columns, 12 deep": "<style>div{columns:2;height:90px}</style>" + "<div>a<p>b" * 12,
    "floats, 3,000 beside each other": "<style>i{float:left;width:3%;height:7px;shape-outside:circle()}</style>" + "<i></i>a" * 3000,
    "a gradient of 2,000 stops, 40 times": "<style>p{background:conic-gradient(" + ",".join(["red,blue"] * 1000) + ")}</style>" + "<p>a" * 40,
    "a repeating conic gradient, scaled to infinity": "<style>*{transform:skewX(-1.5deg) scale3d(.25,calc(1/0),2)}</style>x<menu><div style='background:left 23px bottom/contain repeating-conic-gradient(red 200%,blue 200%)'><q></q>",
    "a counter of 1e9 in roman and Chinese": "<ol start=999999999 style='list-style:simp-chinese-formal'><li>a<li style='list-style:lower-roman'>b",
}
for name, html in HEAVY.items():
    case(f"page: {name}", codes=(0, 69, 75))(lambda box, html=html: box.render(html))

def register_folder(folder):
    for path in sorted(folder.rglob("*.html")):
        def body(box, path=path):
            box.measure(["render", str(path), "-o", box.path("out.png"), "--no-cache"])
        case(f"given: {path.relative_to(folder)}", codes=(0, 2, 69, 75))(body)

NAMES = " ".join(f"c{n}" for n in range(3000))
GENERATED = {
    "100,000 counters of one element": "<style>b{counter-set:" + " ".join(f"c{n}" for n in range(100_000)) + "}</style><b>x",
    "3,000 counters reset in 300 elements": "<style>b{counter-reset:" + NAMES + "}</style>" + "<b>x" * 300,
    "3,000 counters raised by 2,000 elements": "<style>b{counter-increment:" + NAMES + "}</style>" + "<b>x</b>" * 2000,
    "counters with a separator of 50 kB, 500 deep": "<style>div{counter-reset:a}b::before{content:counters(a,'" + "x" * 50_000 + "')}</style>"
        + "<div>" * 500 + "<b></b>" * 200,
    "markers of 3 MB for 20,000 items": "<style>li{list-style-type:'" + "x" * 3_000_000 + "'}</style>" + "<li>" * 20_000,
    "a counter style that pads with 1 MB": "<style>@counter-style p{system:numeric;symbols:'0' '1';pad:200 '" + "x" * 1_000_000
        + "'}li{list-style:p}</style>" + "<li>" * 500,
    "quotes of 1 MB": "<style>q{quotes:'" + "x" * 1_000_000 + "' 'y'}</style>" + "<q>a</q>" * 3000,
}
for name, html in GENERATED.items():
    case(f"page: {name}", codes=(0, 69, 75), seconds=3.5)(lambda box, html=html: box.render(html, "--timeout", "3s", "--max-input-bytes", "16M"))

GRIDS = {
    "40,000 names repeated 10,000 times": "<div style='display:grid;grid-template-columns:repeat(10000,[" + " ".join(f"n{n}" for n in range(40_000)) + "] 1px)'>a",
    "a million tracks repeated 10,000 times": "<div style='display:grid;grid-template-columns:repeat(10000," + "1px " * 300_000 + ")'>a",
    "60,000 items between named lines": "<style>div{display:grid;grid:repeat(10000,[zz] 1px)/repeat(10000,[zz] 1px)}b{grid-area:zz 5/zz 7/span zz 3/span zz 3}</style><div>"
        + "<b></b>" * 60_000,
}
for name, html in GRIDS.items():
    case(f"page: grid of {name}", codes=(0, 69, 75), seconds=3.5)(lambda box, html=html: box.render(html, "--timeout", "3s", "--max-input-bytes", "16M"))

@case("page: one font for 5,000 @font-face rules", seconds=4)
def _(box):
    import shutil
    shutil.copyfile(os.path.join(os.environ["OFFPRINT_FONTS"], "LiberationSans-Regular.ttf"), box.path("f.ttf"))
    box.render("<style>" + "".join(f"@font-face{{font-family:f{n};src:url(f.ttf)}}" for n in range(5000)) + "</style><p style='font-family:f9'>a")

@case("page: a local font for 10,000 @font-face rules", seconds=4)
def _(box):
    box.render("<style>" + "".join(f"@font-face{{font-family:f{n};src:local('Liberation Serif')}}" for n in range(10_000)) + "</style><p style='font-family:f9'>a")

@case("page: 1,300,000 letters of Thai without a space", codes=(0, 69, 75), seconds=3.5)
def _(box):
    box.render("<p lang=th>" + "ก" * 1_300_000, "--timeout", "3s", "--max-input-bytes", "16M")

@case("document: pens of 1e12 px", codes=(0, 69, 75), seconds=1.5)
def _(box):
    circles = "<circle r='1' stroke='red'></circle>" * 40
    for kind in ("pdf", "svg"):
        box.render(f"<svg width='400' height='400' viewBox='0 0 1e-10 1e-10'>{circles}</svg>", "--timeout", "1s", output=f"out.{kind}")

@case("document: wide round lines with thousands of corners", codes=(0, 69, 75), seconds=2)
def _(box):
    way = "M0 0" + "".join(f"L{n * 7919 % 1000} {n * 104729 % 1000}" for n in range(2000))
    paths = f"<path d='{way}' stroke='red' fill='none' stroke-width='1e6' stroke-linejoin='round'/>" * 100
    for kind in ("pdf", "svg"):
        box.render(f"<svg width='1000' height='1000'>{paths}</svg>", "--timeout", "1s", output=f"out.{kind}")

@case("document: 2,000 words inside 480 clip paths", codes=(0, 69, 75), seconds=1.5, mib=400)
def _(box):
    clips = "".join(f"<div style='clip-path:circle({50 + n % 7}%)'>" for n in range(480))
    for kind in ("pdf", "svg"):
        box.render(clips + "<b style='position:relative;opacity:.5'>x</b> " * 2000, "--timeout", "1s", output=f"out.{kind}")

@case("document: clip paths of many points around many items", codes=(69, 75), seconds=3, mib=600)
def _(box):
    way = ",".join(f"{n * 7919 % 1000}px {n * 104729 % 1000}px" for n in range(5000))
    items = "<i style='clip-path:circle(3px)'>x</i> " * 3000
    box.render(f"<style>i{{display:inline-block}}</style><div style='clip-path:polygon({way})'>{items}", "--timeout", "2s", output="out.svg")

@case("document: strokes of 40,000 arcs of 1e6 px", codes=(0, 69, 75), seconds=3, mib=400)
def _(box):
    way = "M0 0" + "A300 1 30 1 0 400 400A1e6 1e6 30 1 0 0 0" * 20_000
    for kind in ("pdf", "svg"):
        box.render(f"<svg width='400' height='400'><path d='{way}' stroke='red' stroke-width='3'/></svg>", "--timeout", "2s", output=f"out.{kind}")

@case("document: dashes of 0.2 px in 1,000 strokes", codes=(0, 69, 75), seconds=3, mib=400)
def _(box):
    paths = "<path d='M0 0" + "H400H0" * 20 + "' stroke='red' stroke-dasharray='.2'/>"
    for kind in ("pdf", "svg"):
        box.render(f"<svg width='400' height='400'>{paths * 1000}</svg>", "--timeout", "2s", output=f"out.{kind}")

@case("document: images of many pixels in an SVG", codes=(0, 69, 75), seconds=2.5)
def _(box):
    picture = "data:image/svg+xml,%3Csvg viewBox='0 0 {0} 1' width='8000' height='8000' xmlns='http://www.w3.org/2000/svg'%3E%3C/svg%3E"
    box.render("".join(f'<img src="{picture.format(n)}">' for n in range(1, 4)), "--timeout", "2s", output="out.svg")

@case("document: outlines of 80,000 words in an SVG", codes=(0, 69, 75), seconds=2.7)
def _(box):
    box.render("<p style='font-size:9px;-webkit-text-stroke:1px red'>" + "abc " * 80_000, "--timeout", "2s", output="out.svg")

# One call of cairo takes 2 s for this path, and cannot be interrupted at the deadline.
@case("page: one path of 60,000 crossing lines", codes=(0, 69, 75), seconds=4)
def _(box):
    way = "".join(f"L{n * 7919 % 400} {n * 104729 % 400}" for n in range(60_000))
    box.render(f"<svg width='400' height='400'><path d='M0 0{way}'/></svg>", "--timeout", "2s")

@case("page: text stroked by a pen of 33,554,431 px", codes=(0, 69, 75), seconds=2.5)
def _(box):
    box.render("<p style='-webkit-text-stroke:33554431px red'>" + "Lorem ipsum dolor sit amet, consectetur adipisicing elit. " * 40, "--timeout", "2s")

LISTS = {
    "50,000 shadows of 200 boxes": "<style>p{box-shadow:" + "0 0 9px red," * 50_000 + "0 0 red}</style>" + "<p>a" * 200,
    "50,000 background layers of 200 boxes": "<style>p{background:" + "linear-gradient(red,blue) 0 0/3px 3px," * 50_000 + "red}</style>" + "<p>a" * 200,
    "50,000 mask layers of 200 boxes": "<style>p{mask:" + "linear-gradient(red,blue) 0 0/3px 3px," * 50_000 + "none}</style>" + "<p>a" * 200,
    "200,000 shadows of a text": "<p style='text-shadow:" + "0 0 9px red," * 200_000 + "0 0 red'>abc",
    "clip paths of 10,000 points around 3,000 boxes": "<style>p{margin:0;clip-path:polygon(" + "0 0,9px 9px," * 5000 + "0 0)}</style>" + "<p>a" * 3000,
}
for name, html in LISTS.items():
    case(f"page: {name}", codes=(0, 69, 75), seconds=6, mib=1000)(lambda box, html=html: box.render(html, "--timeout", "5s"))

LATE_LAYOUT = {
    "5,000 rules for the gaps of 2,500 rows": "<style>p{margin:0}div{display:grid;gap:1px;row-rule:" + "1px solid red," * 5000 + "1px solid red}</style><div>" + "<p>a" * 2500,
    "20,000 positioned boxes in columns": "<style>div{columns:3;height:50px}p{position:relative}b{position:absolute;height:1000px}</style><div>" + "<p>a<b>c</b></p>" * 20_000,
    "20,000 grid items in columns": "<style>div{columns:3;height:50px}</style><div><section style='display:grid;grid-template-columns:1fr 1fr'>" + "<p>b</p>" * 20_000,
    "20,000 rows of a table with shared borders in columns": "<style>div{columns:3;height:50px}table{border-collapse:collapse}td{border:1px solid}</style><div><table>" + "<tr><td>a<td>b" * 20_000,
    "400,000 letters of an SVG text in one line": "<svg><text y='20'>" + "ab" * 200_000 + "</text></svg>",
}
for name, html in LATE_LAYOUT.items():
    case(f"page: {name}", codes=(0, 69, 75), seconds=3)(lambda box, html=html: box.render(html, "--timeout", "2s"))

@case("inspection: the paths to 150,000 nested boxes", codes=(0, 69, 75), seconds=10.5)
def _(box):
    box.write("deep.html", "<div>" * 150_000)
    for aspect in ("--json", "--dom", "--display-list"):
        box.measure(["inspect", "deep.html", aspect])

@case("inspection: 5,000 custom properties of 20,000 elements", codes=(69, 75), seconds=10.5)
def _(box):
    rules = "".join(f"--p{n}:value{n};" for n in range(5000))
    box.write("custom.html", f"<style>:root{{{rules}}}</style>" + "<p>a" * 20_000)
    box.measure(["inspect", "custom.html", "--computed", "*"])

@case("page: a PNG of 10 px with 1 GB after its last row", codes=(0,), seconds=2)
def _(box):
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(1 << 20)) for _ in range(1000)) + packer.flush()
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 10, 10, 8, 2, 0, 0, 0)
    box.write("a.png", b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
    box.render("<img src=a.png>")

@case("page: one path of 4,000 crossing curves", codes=(0, 69, 75), seconds=2.5)
def _(box):
    place = lambda n: f"{n * 7919 % 797} {n * 104729 % 787}"
    way = "".join(f"C{place(3 * n)} {place(3 * n + 1)} {place(3 * n + 2)}" for n in range(4000))
    box.render(f"<svg width='800' height='800'><path d='M0 0{way}'/></svg>", "--timeout", "2s")

@case("page: 1,000 curves are over a limit of one step", codes=(69,))
def _(box):
    box.render("<svg width='800' height='800'><path d='M0 0" + "C9 800 800 9 800 800" * 1000 + "'/></svg>", "--max-path-steps", "1")

@case("page: 20,000 animations on a timeline that 20,000 elements name in one scope", codes=(0, 69, 75))
def _(box):
    rules = "@keyframes k{to{margin-left:9px}}body{timeline-scope:--a}i{view-timeline:--a}b{animation:k linear both;animation-timeline:--a}"
    box.render(f"<!DOCTYPE html><style>{rules}</style>{'<i></i>' * 20000}{'<b>x</b>' * 20000}")

@case("page: elements with 20,000 names of timelines around 5,000 animations", codes=(0, 69, 75))
def _(box):
    names = ",".join(f"--n{number}" for number in range(20000))
    rules = f"@keyframes k{{to{{margin-left:9px}}}}div{{scroll-timeline-name:{names}}}i{{view-timeline:--z}}b{{animation:k linear both;animation-timeline:--z}}"
    box.render(f"<!DOCTYPE html><style>{rules}</style><i></i>{'<div>' * 40}{'<b>x</b>' * 5000}")

"""Fonts that once took excessive time or memory: a few kilobytes that expand to any number of points, paints or pixels."""
import base64, os, struct, zlib
from harness import case
from pages import png

def tables(font):
    count = struct.unpack(">H", font[4:6])[0]
    records = [struct.unpack(">4sIII", font[12 + 16 * n:28 + 16 * n]) for n in range(count)]
    return {tag: font[start:start + length] for tag, _, start, length in records}

def packed(parts):
    offset, head, body = 12 + 16 * len(parts), b"", b""
    for tag in sorted(parts):
        head += struct.pack(">4sIII", tag, 0, offset + len(body), len(parts[tag]))
        body += parts[tag] + bytes(-len(parts[tag]) % 4)
    return struct.pack(">IHHHH", 0x10000, len(parts), 0, 0, 0) + head + body

def bundled(name="LiberationSans-Regular.ttf"):
    with open(os.path.join(os.environ["OFFPRINT_FONTS"], name), "rb") as file:
        return tables(file.read())

def rule(font, family="f"):
    return f"@font-face{{font-family:{family};src:url(data:font/ttf;base64,{base64.b64encode(font).decode()})}}"

def page(font, text, style=""):
    return f"<!DOCTYPE html><style>{rule(font)}body{{font-family:f;{style}}}</style><p>{text}"

def heavy():
    """Each glyph is the first one, which has 30,000 points."""
    parts, points = bundled(), 30_000
    glyphs = struct.unpack(">H", parts[b"maxp"][4:6])[0]
    def way(step):
        return b"".join(struct.pack(">h", n * step % 1800 - (n - 1) * step % 1800 if n else 0) for n in range(points))
    first = struct.pack(">hhhhhHH", 1, 0, 0, 1800, 1800, points - 1, 0) + b"\1" * points + way(7919) + way(104_729)
    first += bytes(-len(first) % 4)
    other = struct.pack(">hhhhhHHbb", -1, 0, 0, 1800, 1800, 2, 0, 0, 0)
    parts[b"glyf"] = first + other * (glyphs - 1)
    parts[b"loca"] = b"".join(struct.pack(">I", 0 if n == 0 else len(first) + 16 * (n - 1)) for n in range(glyphs + 1))
    parts[b"head"] = parts[b"head"][:50] + struct.pack(">h", 1) + parts[b"head"][52:]
    return packed(parts)

LETTERS = "".join(f"&#{n};" for n in [*range(0x21, 0x250), *range(0x370, 0x52f)])
HEAVY = {
    "glyphs of 30,000 points": ("font-size:20px", "png"),
    "outlines of glyphs of 30,000 points": ("font-size:20px;-webkit-text-stroke:1px red", "png"),
    "glyphs of 30,000 points under a line": ("font-size:20px;text-decoration:underline", "png"),
    "glyphs of 30,000 points in a PDF": ("font-size:20px", "pdf"),
    "glyphs of 30,000 points in an SVG": ("font-size:20px", "svg"),
}
for name, (style, kind) in HEAVY.items():
    @case(f"font: {name}", codes=(0, 69, 75), seconds=2.5)
    def _(box, style=style, kind=kind):
        box.render(page(heavy(), LETTERS, style), "--timeout", "2s", output=f"out.{kind}")

def colored(colr):
    palette = struct.pack(">HHHHIH", 0, 2, 1, 2, 14, 0) + b"\0\0\xff\xff\xff\0\0\xff"
    return packed({**bundled(), b"COLR": colr, b"CPAL": palette})

def header(layers, clips=0):
    return struct.pack(">HHIIHIIIII", 1, 0, 0, 0, 0, 34, layers, clips, 0, 0)

def color_stops():
    """Layers of layers of a gradient with 65,000 stops."""
    glyphs = range(36, 62)
    root = 4 + 6 * len(glyphs)
    list_ = struct.pack(">I", len(glyphs)) + b"".join(struct.pack(">HI", glyph, root) for glyph in glyphs) + struct.pack(">BBI", 1, 140, 0)
    inner = 4 + 4 * 280
    layers = struct.pack(">I", 280) + struct.pack(">I", inner) * 140 + struct.pack(">I", inner + 6) * 140
    shapes = struct.pack(">BBI", 1, 140, 140) + struct.pack(">BHBH", 10, 0, 6, 36) + struct.pack(">BHBhhhhhh", 4, 0, 16, 0, 0, 500, 0, 0, 500)
    stops = struct.pack(">BH", 0, 65_000) + b"".join(struct.pack(">hHh", n % 16384, n & 1, 16384) for n in range(65_000))
    return header(34 + len(list_)) + list_ + layers + shapes + stops

@case("font: colored layers of layers of 65,000 stops", seconds=10.5, mib=300)
def _(box):
    box.render(page(colored(color_stops()), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

def color_clips():
    """17,850 paints of a glyph whose clip record comes after 65,535 others."""
    list_ = struct.pack(">IHIHI", 2, 36, 16, 62, 22) + struct.pack(">BBI", 1, 255, 0) + struct.pack(">BHh", 2, 0, 8000) + b"\0"
    inner = 4 + 4 * 510
    layers = struct.pack(">I", 510) + struct.pack(">I", inner) * 255 + struct.pack(">I", inner + 6) * 255
    layers += struct.pack(">BBI", 1, 70, 255) + struct.pack(">BH", 11, 62)
    clips = struct.pack(">BI", 1, 65_535) + struct.pack(">HHBH", 70, 70, 0, 0) * 65_535
    return header(34 + len(list_), 34 + len(list_) + len(layers)) + list_ + layers + clips

@case("font: 17,850 colored paints after 65,535 clips", seconds=10.5, mib=300)
def _(box):
    box.render(page(colored(color_clips()), "AAA"))

@case("font: a glyph that is a PNG of 32,767 px", seconds=10.5, mib=300)
def _(box):
    parts, picture = bundled(), png(32_767, 32_767, depth=1)
    glyphs = struct.unpack(">H", parts[b"maxp"][4:6])[0]
    one, start = struct.pack(">hh4s", 0, 0, b"png ") + picture, 4 + 4 * (glyphs + 1)
    offsets = b"".join(struct.pack(">I", start + (len(one) if n > 36 else 0)) for n in range(glyphs + 1))
    parts[b"sbix"] = struct.pack(">HHII", 1, 1, 1, 12) + struct.pack(">HH", 100, 72) + offsets + one
    del parts[b"glyf"], parts[b"loca"]
    box.render(page(packed(parts), "AA", "font-size:100px"))

@case("font: forty files that unpack to 31 MiB each", seconds=10.5)
def _(box):
    parts = bundled()
    def woff(number):
        parts[b"ZZZZ"] = struct.pack(">I", number) + bytes(31 << 20)
        offset, head, body, total = 44 + 20 * len(parts), b"", b"", 12 + 16 * len(parts)
        for tag in sorted(parts):
            data = zlib.compress(parts[tag], 1)
            if len(data) >= len(parts[tag]):
                data = parts[tag]
            head += struct.pack(">4sIIII", tag, offset + len(body), len(data), len(parts[tag]), 0)
            body += data + bytes(-len(data) % 4)
            total += len(parts[tag]) + 3 & ~3
        return struct.pack(">4sIIHHIHHIIIII", b"wOFF", 0x10000, offset + len(body), len(parts), 0, total, 1, 0, 0, 0, 0, 0, 0) + head + body
    for number in range(40):
        box.write(f"{number}.woff", woff(number))
    rules = "".join(f"@font-face{{font-family:f{n};src:url({n}.woff)}}" for n in range(40))
    box.render(f"<style>{rules}</style>" + "".join(f"<p style='font-family:f{n}'>a" for n in range(40)), codes=(0, 75))

LISTS = {
    "200,000 sources of a font": "src:" + ",".join(f"url(x{n}.ttf)" for n in range(200_000)),
    "200,000 ranges of a font": "src:local('Liberation Serif');unicode-range:" + ",".join(f"U+{0x30000 + 2 * n:x}" for n in range(200_000)),
}
for name, descriptors in LISTS.items():
    @case(f"font: {name}", codes=(0, 69, 75), seconds=3.5)
    def _(box, descriptors=descriptors):
        text = "".join(chr(0x4e00 + n % 20_000) for n in range(100_000))
        box.render(f"<style>@font-face{{font-family:f;{descriptors}}}p{{font-family:f}}</style><p>{text}", "--timeout", "3s")

"""The pages of the benchmarks and their resources: written to a folder, on request with separate resources for each copy."""
import random, shutil, struct, zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
FONT = HERE.parents[1] / "Fonts/LiberationSans-Bold.ttf"
WIDTHS = {"snippet": 320, "card": 420, "og": 1200, "mail": 640, "article": 900}
PICTURES = {"hero.png": (1120, 600), "picture-0.png": (384, 288), "picture-1.png": (384, 288), "picture-2.png": (384, 288), "picture-3.png": (384, 288)}


def png(width, height, seed):
    """An image similar to a photograph: soft shapes with slight noise."""
    noise = random.Random(seed)
    centres = [(noise.random() * width, noise.random() * height, noise.random() * 200) for _ in range(3)]
    grain = bytes(noise.randrange(4) for _ in range(4096))
    rows = bytearray()
    for y in range(height):
        rows.append(1)
        last = (0, 0, 0)
        for x in range(width):
            g = grain[(x * 7 + y * 131) & 4095]
            pixel = tuple(int(abs(x - cx) * 0.2 + abs(y - cy) * 0.3 + level + g) & 255 for cx, cy, level in centres)
            rows += bytes((a - b) & 255 for a, b in zip(pixel, last))
            last = pixel

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")


def with_comment(data, text):
    """The same image in different bytes."""
    body = b"tEXt" + b"Comment\0" + text.encode()
    return data[:33] + struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body)) + data[33:]


class Pages:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.images = {name: png(*size, name) for name, size in PICTURES.items()}

    def make(self, page, copy=None):
        """Returns the file of a page. With `copy`, its images, style sheet and font have new bytes, so that no cache has them."""
        folder = self.folder / (page if copy is None else f"{page}-{copy}")
        folder.mkdir(parents=True, exist_ok=True)
        html = (HERE / "Pages" / f"{page}.html").read_text()
        mark = "same" if copy is None else f"copy {copy}"
        (folder / "index.html").write_text(html + ("" if copy is None else f"<!-- {mark} -->"))
        if "page.css" in html:
            (folder / "page.css").write_text(f"/* {mark} */ " + "".join(f".unused-{i} a > b{{color:#{i:03x};margin:{i}px}}" for i in range(120)))
        if "font.ttf" in html:
            shutil.copyfile(FONT, folder / "font.ttf")
            if copy is not None:
                with open(folder / "font.ttf", "ab") as font:
                    font.write(struct.pack(">I", copy + 1))
        for name, data in self.images.items():
            if name in html:
                (folder / name).write_bytes(with_comment(data, mark))
        return folder / "index.html"

"""Runs in the peers' Python: `measure.py PEER HTML WIDTH HEIGHT RUNS` prints the median of milliseconds, or the reason for a failure."""
import io, re, statistics, sys, time
from pathlib import Path


def plutoprint(path, html, width, height):
    import plutoprint

    def draw():
        book = plutoprint.Book(size=plutoprint.PageSize(width * 0.75, height * 0.75), margins=plutoprint.PAGE_MARGINS_NONE, media=plutoprint.MEDIA_TYPE_SCREEN)
        book.load_html(html, base_url=path.parent.as_uri() + "/")
        out = io.BytesIO()
        book.write_to_png_stream(out, width, height)
        return out.getvalue()

    return draw


def blitz(path, html, width, height):
    import blitz_py

    return lambda: blitz_py.render_png(html, width=width, height=height, base_url=path.parent.as_uri() + "/", allow_file_urls=True)


def takumi(path, html, width, height):
    from takumi_py import Renderer

    renderer = Renderer()
    fonts = Path(__file__).resolve().parents[3] / "Fonts"
    renderer.register_fonts([font.read_bytes() for font in sorted(fonts.glob("Liberation*.ttf"))])
    for image in path.parent.glob("*.png"):
        renderer.put_persistent_image(image.name, image.read_bytes())
    # It ignores style sheets in the page: without these it would render plain text.
    sheets = re.findall(r"<style[^>]*>(.*?)</style>", html, re.S) + [sheet.read_text() for sheet in sorted(path.parent.glob("*.css"))]
    return lambda: renderer.render_html(html, stylesheets=sheets, width=width, height=height)


def chromium(path, html, width, height):
    """An open browser: a new page, the document, a screenshot."""
    from playwright.sync_api import sync_playwright

    browser = sync_playwright().start().chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--hide-scrollbars"])

    def draw():
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(path.resolve().as_uri())
        image = page.screenshot()
        page.close()
        return image

    return draw


def main():
    peer, path, width, height, runs = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
    draw = globals()[peer](path, path.read_text(), width, height)
    assert bytes(draw())[:4] == b"\x89PNG", "no PNG"
    draw()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        draw()
        times.append((time.perf_counter() - start) * 1000)
    print(statistics.median(times))


main()

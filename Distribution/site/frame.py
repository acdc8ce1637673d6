"""The frame of every page: head, header, navigation by need, table of contents."""
import html

from markup import relative

# Documentation by need. Pages of docs that are not listed come last in Reference; the build names them.
NEEDS = [
    ("Tutorials", "Learn by doing, from nothing to a result", ["docs/first-image.md", "docs/social-cards.md", "docs/tickets.md"]),
    ("How-to guides", "Steps for one task", [
        "docs/install.md", "docs/animations.md", "docs/emails.md", "docs/fonts-and-emoji.md", "docs/untrusted-pages.md", "docs/warm-caches.md", "docs/scaling.md", "docs/migrating.md",
        "docs/migrating/puppeteer.md", "docs/migrating/wkhtmltoimage.md", "docs/migrating/satori.md", "docs/migrating/gotenberg.md",
        "docs/migrating/imgproxy.md", "docs/migrating/hcti.md"]),
    ("Reference", "Every option, format and property", [
        "docs/configuration.md", "docs/support.md", "docs/css-support.md", "docs/svg.md", "docs/formats.md", "docs/templates.md", "docs/trees.md",
        "docs/backgrounds.md", "docs/fonts.md", "docs/batches.md", "docs/queue.md", "docs/cache.md", "docs/service.md", "docs/agents.md",
        "docs/isolation.md", "docs/network.md", "SECURITY.md", "docs/python.md", "docs/library.md"]),
    ("Explanation", "How it works, and how well", ["docs/architecture.md", "docs/performance.md", "docs/fragmentation.md"]),
    ("Project", "Changes and contributions", ["CHANGELOG.md", "CONTRIBUTING.md"]),
]

TABS = [("index.html", "Home"), ("docs/index.html", "Docs"), ("gallery/index.html", "Gallery"), ("scoreboard.html", "Scoreboard")]

LOGO = ('<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><rect x="7" y="2" width="15" height="15" rx="3" fill="currentColor" '
        'opacity=".28"/><rect x="2" y="7" width="15" height="15" rx="3" fill="currentColor"/></svg>')

FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{description}">
<title>{title}</title>
<link rel="icon" href="{root}assets/icon.svg">
<link rel="stylesheet" href="{root}assets/style.css">
<script>document.documentElement.classList.add("scripted")</script>
</head>
<body class="{kind}">
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div class="bar">
  <a class="brand" href="{root}index.html">{logo}<span>Offprint</span></a>
  <nav class="tabs" aria-label="Site">{tabs}</nav>
  <form class="search" role="search" action="{root}docs/index.html">
    <input type="search" name="q" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
    <kbd>/</kbd><ol class="results" hidden></ol>
  </form>
  <a class="all" href="{root}docs/index.html">All pages</a>
</div></header>
<div class="columns">
{navigation}
<main id="content">
{body}
</main>
{contents}
</div>
<footer class="bottom"><p>Offprint {version} · MIT license · <a href="{root}changelog.html">Changes</a> ·
<a href="{root}docs/index.html">All pages</a></p></footer>
<script src="{root}assets/search-index.js" defer></script>
<script src="{root}assets/search.js" defer></script>
</body>
</html>
"""


class Frame:
    def __init__(self, pages, version):
        self.pages = {page.source: page for page in pages}
        self.version = version
        listed = {source for _, _, sources in NEEDS for source in sources} | {"README.md"}
        self.unlisted = [page.source for page in pages if page.source not in listed]

    def needs(self):
        """(need, summary, pages) in the order of the navigation."""
        for need, summary, sources in NEEDS:
            more = self.unlisted if need == "Reference" else []
            yield need, summary, [self.pages[source] for source in [*sources, *more] if source in self.pages]

    def navigation(self, target):
        groups = []
        for need, _, pages in self.needs():
            items = "".join(f'<li><a href="{relative(target, page.target)}"{current(page.target == target)}>{html.escape(short(page))}</a></li>'
                            for page in pages)
            groups.append(f"<h2>{need}</h2><ul>{items}</ul>")
        # Open on wide screens by style; on narrow ones it is a menu that works without scripts.
        return (f'<div class="side"><details class="menu"><summary>Documentation</summary><nav aria-label="Documentation">{"".join(groups)}</nav></details>'
                f'<nav class="tree" aria-label="Documentation">{"".join(groups)}</nav></div>')

    def write(self, folder, target, title, body, kind="page", description="", navigation=False, sections=()):
        root = "../" * target.count("/")
        section = "docs" if navigation else target.split("/")[0]
        tabs = "".join(f'<a href="{root}{path}"{current(path.split("/")[0] == section)}>{name}</a>' for path, name in TABS)
        text = FRAME.format(
            title=html.escape(title if title.startswith("Offprint") else f"{title} · Offprint"), description=html.escape(description[:160]), root=root,
            kind=kind, logo=LOGO, tabs=tabs, body=body, version=html.escape(self.version),
            navigation=self.navigation(target) if navigation else "", contents=contents(sections))
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def current(is_current):
    return ' aria-current="page"' if is_current else ""


def short(page):
    """A title for the navigation: without what follows the colon, and without an article."""
    title = page.title.split(": ")[0]
    return title.removeprefix("The ").removeprefix("A ")[:1].upper() + title.removeprefix("The ").removeprefix("A ")[1:]


def contents(sections):
    chosen = [section for section in sections if section.level in (2, 3)]
    if len(chosen) < 3:
        return ""
    items = "".join(f'<li class="level{section.level}"><a href="#{section.anchor}">{html.escape(section.title)}</a></li>' for section in chosen)
    return f'<aside class="contents"><h2>On this page</h2><ul>{items}</ul></aside>'

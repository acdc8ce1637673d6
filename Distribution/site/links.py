"""The link checker: every link, image, style sheet and anchor of the built site exists within it, and nothing loads from elsewhere."""
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# Attributes that make a browser load something when the page opens.
LOADED = {"src", "srcset", "poster", "data"}
SKIPPED_SCHEMES = {"http", "https", "mailto", "data"}


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.references = {"", "top"}, []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name) and (name == "id" or tag == "a"):
                if name == "id" and values[name] in self.anchors:
                    self.references.append((None, f'id "{values[name]}" occurs twice', self.getpos()[0]))
                self.anchors.add(values[name])
        for name, value in attributes:
            if name == "href" or name == "action" or name in LOADED:
                loads = name in LOADED or (tag == "link" and name == "href")
                self.references.append((value or "", "loads" if loads else "links", self.getpos()[0]))


def broken(folder, skipped=()):
    """One line for each broken reference. `skipped`: folders whose pages are examples, not part of the site."""
    parsed = {}
    for path in sorted(folder.rglob("*.html")):
        if any(path.is_relative_to(folder / name) for name in skipped):
            continue
        parser = Links()
        parser.feed(path.read_text())
        parsed[path.resolve()] = parser
    problems = []
    for path, parser in parsed.items():
        for value, kind, line in parser.references:
            reason = kind if value is None else problem(folder.resolve(), path, parsed, value, kind)
            if reason:
                problems.append(f"{path.relative_to(folder.resolve())}:{line}: {reason}")
    return problems


def problem(folder, page, parsed, value, kind):
    url = urlsplit(value)
    if url.scheme in SKIPPED_SCHEMES or url.netloc:
        return f"'{value}' would be requested from another host" if kind == "loads" and url.scheme != "data" else None
    if url.scheme:
        return f"'{value}' has an unknown scheme"
    if url.path.startswith("/"):
        return f"'{value}' is absolute: the site works below any path"
    target = (page.parent / unquote(url.path)).resolve() if url.path else page
    if not target.is_relative_to(folder) or not target.is_file():
        return f"'{value}': there is no such file in the site"
    if url.fragment and target in parsed and unquote(url.fragment) not in parsed[target].anchors:
        return f"'{value}': there is no such anchor"
    return None

"""Markdown of the repository to HTML: headings with anchors, highlighted code, and links that are resolved within the site."""
import html, os, posixpath, re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

# Text such as <length> is not HTML here; GitHub drops such tags as well, so these are the only ones that pass.
HTML_TAGS = "a|img|br|kbd|sub|sup|p|div|details|summary|picture|source"
NOT_HTML = re.compile(rf"<(?!/?(?:{HTML_TAGS})\b|!--|https?:|mailto:)(?=[a-zA-Z/])")


@dataclass
class Section:
    """A heading with the text below it, for the table of contents and the search index."""
    level: int
    anchor: str
    title: str
    text: str = ""


@dataclass
class Page:
    source: str          # path in the repository
    target: str          # path in the site
    title: str = ""
    html: str = ""
    sections: list = field(default_factory=list)
    entries: list = field(default_factory=list)   # (title, anchor, text) of table rows that search finds by themselves


def slug(text, used):
    """The anchor that GitHub gives a heading, so that links work in both places."""
    base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    name, number = base, 0
    while name in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name)
    return name


def code(text, language, filename=None):
    """A code block. Its classes are colored by style.css."""
    aliases = {"console": "console", "sh": "bash", "mustache": "html+handlebars", "": "text"}
    try:
        lexer = get_lexer_for_filename(filename) if filename else get_lexer_by_name(aliases.get(language, language))
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    body = highlight(text, lexer, HtmlFormatter(nowrap=True))
    wrapped = ' class="wrapped"' if language == "sh" else ""  # Commands are read, and copied, as a whole.
    if wrapped:
        body = re.sub(r"(?<=[\s>])--[a-z][a-z-]*", r'<span class="option">\g<0></span>', body)
    return f'<pre{wrapped} tabindex="0"><code>{body.rstrip()}</code></pre>\n'


def plain(tokens):
    """The text of inline tokens."""
    return "".join(token.content if token.type in ("text", "code_inline") else " " if "break" in token.type else plain(token.children or [])
                   for token in tokens)


def renderer():
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.add_render_rule("fence", lambda self, tokens, index, options, env: code(tokens[index].content, tokens[index].info.strip()))
    parser.add_render_rule("code_block", lambda self, tokens, index, options, env: code(tokens[index].content, ""))
    return parser


def escaped(text):
    """Escapes tags that are not HTML, outside of code."""
    parts = re.split(r"(```(?s:.*?)```|`[^`\n]*`)", text)
    return "".join(part if index % 2 else NOT_HTML.sub("&lt;", part) for index, part in enumerate(parts))


def render(page, text, resolve, titles):
    """Fills in a page. `resolve(href)` returns the link's target in the site, `titles` has the titles of files that links may name."""
    parser = renderer()
    tokens = parser.parse(escaped(text))
    used, sections = set(), [Section(1, "", "")]
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            title = plain(tokens[index + 1].children)
            anchor = slug(title, used)
            token.attrSet("id", anchor)
            sections.append(Section(int(token.tag[1]), anchor, title))
        elif token.type == "html_block":
            token.content = resolved_html(token.content, resolve)
        elif token.type == "inline":
            name_pages(token.children, titles)
            resolve_links(token.children, resolve)
            if tokens[index - 1].type != "heading_open":
                sections[-1].text += plain(token.children) + " "
    page.sections = [section for section in sections if section.title]
    page.title = next((section.title for section in page.sections if section.level == 1), page.source)
    body = parser.renderer.render(tokens, parser.options, {})
    page.html = rows_with_anchors(page, wrapped_tables(with_anchors(body)))


def name_pages(tokens, titles):
    """A link whose text is the name of a file, such as cache.md, gets the title of that page."""
    for before, token in zip(tokens, tokens[1:]):
        if before.type == "link_open" and token.type in ("text", "code_inline") and token.content in titles:
            token.content, token.type = titles[token.content], "text"


def resolved_html(text, resolve):
    return re.sub(r'\b(src|href)="([^"]*)"', lambda match: f'{match[1]}="{resolve(match[2])}"', text)


def resolve_links(tokens, resolve):
    for token in tokens:
        for name in ("href", "src"):
            if token.attrGet(name):
                token.attrSet(name, resolve(token.attrGet(name)))
        if token.type == "html_inline":
            token.content = resolved_html(token.content, resolve)
        if token.type == "image":
            token.attrSet("loading", "lazy")


def with_anchors(body):
    link = r'<a class="anchor" href="#\2" aria-label="Link to this section">#</a>'
    return re.sub(r'<(h[2-4]) id="([^"]*)">(.*?)</\1>', rf'<\1 id="\2">\3 {link}</\1>', body)


def wrapped_tables(body):
    """Wide tables scroll by themselves, not with the page. GitHub's escape of | within code is removed."""
    body = re.sub(r"<code>[^<]*\\\|[^<]*</code>", lambda match: match.group().replace("\\|", "|"), body)
    return body.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")


def rows_with_anchors(page, body):
    """An anchor for each row of the property table, which search finds by name."""
    if not page.source.endswith("css-support.md"):
        return body

    def row(match):
        name = html.unescape(match[1])
        anchor = "property-" + name.strip("*")
        page.entries.append((name, anchor, html.unescape(re.sub(r"<[^>]*>", " ", match[2]))))
        return f'<tr id="{html.escape(anchor)}">\n<td class="name-cell"><code>{match[1]}</code></td>{match[2]}</tr>'
    return re.sub(r"<tr>\n<td><code>([^<]*)</code></td>((?s:.*?))</tr>", row, body)


def relative(source, target):
    """The relative link from one path of the site to another; keeps the fragment."""
    path, _, fragment = target.partition("#")
    link = posixpath.relpath(path, posixpath.dirname(source) or ".") if path else ""
    if fragment and path == source:
        link = ""
    return link + ("#" + fragment if fragment else "")


def repository_path(source, href):
    return os.path.normpath(posixpath.join(posixpath.dirname(source), href))

"""The scoreboard: conformance by set from the floors that CI keeps, and the speed figures of docs/performance.md."""
import html, json, re

SETS = [
    ("parsing", "HTML parsing", "html5lib-tests, tree construction: the tree matches exactly"),
    ("geometry", "Layout geometry", "boxes of flex, grid, block and floats: each within 0.6 px of Chromium's"),
    ("reftests", "CSS reference tests", "the W3C CSS test suite: the test equals its reference and resembles Chromium's render"),
    ("wpt", "web-platform-tests, 2023", "css, html, mathml, svg: the same criterion"),
    ("wpt2025", "web-platform-tests, 2025", "tests of mid-2025 that the earlier set does not have"),
    ("svg", "SVG", "resvg's test files, as <img> and inline"),
    ("pages", "Public pages", "emails, cards, invoices, articles: under 1 % of pixels without a counterpart in Chromium's image"),
    ("everyday", "Everyday patterns", "small pages with one common pattern each"),
    ("wide", "Sampled pages", "pages sampled from whole repositories: buttons, forms, dashboards, charts, writing systems"),
    ("wide2", "Sampled documents", "manuals, articles, books, templates: the first 1000×1600 px"),
    ("features", "CSS features", "one feature each, up to the newest that Chromium renders"),
    ("reports", "Bug reports", "pages based on public reports about similar tools"),
]


def write(frame, folder, root):
    floors = json.loads((root / "Tests/conformance-floors.json").read_text())
    known = [name for name, _, _ in SETS]
    sets = [row for row in SETS if row[0] in floors] + [(name, name, "") for name in floors if name not in known]
    passed, total = (sum(floors[name]["total"][index] for name, _, _ in sets) for index in (0, 1))
    body = f"""<h1>Scoreboard</h1>
<p class="lead">How close the engine is to Chromium, and how fast. CI compares every change with these figures: a set may pass more cases, never fewer.</p>
<p class="figures"><span><b>{share(passed, total)}</b> of {total:,} cases pass</span><span><b>{total - passed}</b> known failures</span>
<span><b>{len(sets)}</b> sets</span></p>
<h2 id="conformance">Conformance</h2>
<div class="table" tabindex="0"><table class="scores"><thead><tr><th>set</th><th class="meter">passed</th><th>cases</th></tr></thead><tbody>"""
    for name, title, criterion in sets:
        body += row(title, criterion, floors[name]["total"], f"#{name}" if len(floors[name]) > 2 else None)
    body += "</tbody></table></div><p>The figures are minima that CI keeps in <code>Tests/conformance-floors.json</code>. To measure again:</p>"
    body += "<pre tabindex=\"0\"><code>.ci/floors SCORE            # fails if a set passes fewer cases\n.ci/floors SCORE --record   # raises the figures</code></pre>"
    body += "<p><code>SCORE</code> is the scoring command of the test sets, which are not part of the package.</p>" + speed(frame)
    body += counts(root) + '<h2 id="sections">Sections of each set</h2>'
    for name, title, _ in sets:
        if len(floors[name]) > 2:
            body += f'<details id="{name}"><summary>{html.escape(title)}: {len(floors[name]) - 1} sections</summary>' + sections(floors[name]) + "</details>"
    frame.write(folder, "scoreboard.html", "Scoreboard", body, kind="scoreboard", description="Conformance by test set and speed")


def share(passed, total):
    """A share that is never rounded up to 100 %."""
    return "100 %" if passed == total else f"{int(1000 * passed / total) / 10:.1f} %"


def row(title, criterion, result, link=None):
    name = html.escape(title)
    name = f'<a href="{link}">{name}</a>' if link else name
    note = f"<small>{html.escape(criterion)}</small>" if criterion else ""
    return (f'<tr><td>{name}{note}</td><td class="meter"><i><b style="width:{100 * result[0] / result[1]:.2f}%"></b></i><span>{share(*result)}</span></td>'
            f"<td>{result[0]:,} / {result[1]:,}</td></tr>")


def sections(floor):
    rows = "".join(row(name, "", result) for name, result in sorted(floor.items()) if name != "total")
    return f'<div class="table" tabindex="0"><table class="scores"><tbody>{rows}</tbody></table></div>'


def speed(frame):
    """The table of peers in docs/performance.md, so that the figures exist once."""
    page = frame.pages["docs/performance.md"].html
    found = re.search(r'<h2 id="against-the-peers">.*?(<div class="table".*?</div>)', page, re.S)
    if not found:
        raise SystemExit("docs/performance.md has no section 'Against the peers' with a table")
    return ('<h2 id="speed">Speed beside the peers</h2><p>Milliseconds per page in one warm process, and in an open Chromium. '
            '<a href="docs/performance.html#against-the-peers">How this was measured</a>.</p>' + found[1] +
            "<pre tabindex=\"0\"><code>make bench PEERS=PYTHON   # PYTHON: an interpreter that has the peers</code></pre>")


def counts(root):
    pages = json.loads((root / "Tests/Benchmarks/counts.json").read_text())
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{values['instructions'] / 1e6:,.1f}</td><td>{values['allocations']:,}</td></tr>"
                   for name, values in pages.items())
    return ('<h2 id="counts">Instructions and allocations</h2><p>Of a warm render of each benchmark page, under valgrind. These do not depend on the '
            "machine's load; CI fails if one rises by 5 %.</p>"
            '<div class="table" tabindex="0"><table><thead><tr><th>page</th><th>million instructions</th><th>allocations</th></tr></thead>'
            f"<tbody>{rows}</tbody></table></div><pre tabindex=\"0\"><code>Tests/Benchmarks/counts --check</code></pre>")

import OffprintCoreTypes
import OffprintDOM
import Glibc
import Testing

@testable import OffprintCSS

/// Whether `work` for eight times the size takes about eight times as long, not sixty-four times as for quadratic growth. Measures the CPU
/// time of this thread, so that other tests do not affect it.
private func growsLinearly(from size: Int, _ work: (Int) throws -> Void) rethrows -> Bool {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  func minimum(_ size: Int, of tries: Int) throws -> Double {
    var best = Double.infinity
    for _ in 0..<tries {
      let start = now()
      try work(size)
      best = min(best, now() - start)
    }
    return best
  }
  // Without optimization, a quarter of the size takes long enough to be measured.
  let size = isOptimised ? size : size / 4
  return try minimum(size * 8, of: 2) < minimum(size, of: 3) * 28 + 0.01
}

private var isOptimised: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}

private let page =
  "<!doctype html><div class=c><p id=p class='a b'>x<b>y</b></p><ul><li>1<li>2</ul></div>"

@Suite("Styling takes time proportional to the size of the style sheet", .serialized)
struct GrowthTests {
  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static let traps: [(name: String, size: Int, sheet: @Sendable (Int) -> String)] = [
    ("open blocks", 2000, { repeated("a{", $0) }),
    ("open functions", 2000, { "a{width:" + repeated("calc(", $0) }),
    ("open brackets", 2000, { repeated("[", $0) }),
    ("closing brackets", 2000, { repeated("}", $0) }),
    (":not in :not", 500, { repeated(":not(", $0) + "a" + repeated(")", $0) + "{color:red}" }),
    (":has chains", 500, { "p" + repeated(":has(b)", $0) + "{color:red}" }),
    (":has in a list", 300, { repeated("div:has(> p ~ ul li),", $0) + "a{color:red}" }),
    ("descendants", 500, { repeated("* ", $0) + "{color:red}" }),
    ("siblings", 500, { repeated("li ~ ", $0) + "li{color:red}" }),
    ("a list of selectors", 1000, { repeated("p,", $0) + "p{color:red}" }),
    ("nested rules", 300, { repeated("a{& b{", 12) + repeated("c{d:e}", $0) }),
    ("scopes", 300, { repeated("@scope(.c){p{color:red}}", $0) }),
    ("layers", 500, { (0..<$0).map { "@layer l\($0);" }.joined() }),
    ("a layer's path", 500, { "@layer a" + repeated(".a", $0) + ";" }),
    ("imports", 500, { repeated("@import 'a';", $0) }),
    ("containers", 300, { repeated("@container (width > 1px){p{color:red}}", $0) }),
    (
      "media queries", 500,
      { "@media " + repeated("(width > 1px) or ", $0) + "(hover){p{color:red}}" }
    ),
    ("conditions in conditions", 500, { "@supports " + repeated("not (", $0) }),
    (
      "a chain of variables", 200,
      { size in
        "p{" + (0..<size).map { "--a\($0):var(--a\($0 + 1));" }.joined() + "color:var(--a0)}"
      }
    ),
    (
      "fallbacks in fallbacks", 500,
      { "p{color:" + repeated("var(--a,", $0) + "red" + repeated(")", $0) + "}" }
    ),
    ("declarations", 500, { "p{" + repeated("color:red;", $0) + "}" }),
    ("unknown declarations", 500, { "p{" + repeated("colr:red;", $0) + "}" }),
    ("layers of backgrounds", 300, { "p{background:" + repeated("url(a),", $0) + "red}" }),
    ("tracks", 300, { "p{grid-template-columns:" + repeated("[a] 1px ", $0) + "}" }),
    ("strings without end", 1000, { repeated("\"\n", $0) }),
    ("escapes", 1000, { repeated("\\", $0) }),
    ("sums", 500, { "p{width:calc(" + repeated("1px + 1% + ", $0) + "1px)}" }),
  ]

  @Test("Known worst cases take linear time", arguments: traps.indices)
  func grow(index: Int) throws {
    let trap = Self.traps[index]
    let isLinear = try growsLinearly(from: trap.size) { size in
      _ = try StyledPage(page + "<style>" + trap.sheet(size) + "</style>")
    }
    #expect(isLinear, "\(trap.name)")
  }

  private static let pages: [(name: String, css: String, html: @Sendable (Int) -> String)] = [
    ("siblings before", ".x ~ p{color:red} .x ~ p ~ p{color:lime}", { repeated("<p></p>", $0) }),
    ("siblings before that match", "p.y ~ .x ~ p{color:red}", { "<p class=y></p>" + repeated("<p class=x></p>", $0) }),
    ("siblings behind", "p:has(~ .x){color:red}", { repeated("<p></p>", $0) }),
    (
      "types", ":first-of-type,:last-of-type,:only-of-type{color:red}",
      { (0..<$0).map { "<a\($0)></a\($0)>" }.joined() }
    ),
    ("options", "option:checked{color:red}", { "<select>" + repeated("<option>a", $0) }),
    ("radio buttons", ":checked,:indeterminate,:invalid{color:red}", { repeated("<input type=radio name=a>", $0) }),
    ("controls in a fieldset", ":disabled{color:red}", { "<fieldset disabled>" + repeated("<input>", $0) }),
    ("counted siblings", "p:nth-child(odd of .x),p:nth-last-of-type(3n){color:red}", { repeated("<p class=x></p>", $0) }),
    ("attributes", "[data-x=a],[class~=b]{color:red}", { "<p class='" + repeated("a ", $0) + "'></p>" }),
  ]

  @Test("Pages with known worst cases are matched in linear time", arguments: pages.indices)
  func growPage(index: Int) throws {
    let trap = Self.pages[index]
    let isLinear = try growsLinearly(from: 1000) { size in
      _ = try StyledPage("<!doctype html><style>\(trap.css)</style>" + trap.html(size))
    }
    #expect(isLinear, "\(trap.name)")
  }

  @Test("Rules beyond fifty thousand are dropped, and the render is degraded")
  func fiftyThousandRules() throws {
    let sheet = (0..<50_100).map { ".r\($0){top:0}" }.joined()
    let page = try StyledPage(
      "<!doctype html><style>p{background:lime}\(sheet)p{background:red}</style><p id=a>")
    #expect(try page.color("a") == "00ff00")
    #expect(page.styled.diagnostics.isDegraded)
  }

  @Test(
    "Deeply nested blocks, functions and brackets result in an empty style sheet without a crash",
    arguments: ["a{", "(", "[", "a(", "@media{", ":is("])
  func deepNesting(opener: String) throws {
    let page = try StyledPage(
      "<!doctype html><style>p{background:lime} \(String(repeating: opener, count: (isOptimised ? 4_000_000 : 400_000) / opener.utf8.count))</style><p id=a>"
    )
    #expect(try page.color("a") == "00ff00")
  }

  @Test("Exponential variable expansion is invalid, in bounded memory")
  func bomb() throws {
    let links = (0..<60).map {
      "--a\($0):" + String(repeating: "var(--a\($0 + 1))", count: 8) + ";"
    }.joined()
    let page = try StyledPage(
      "<!doctype html><style>p{background:lime;\(links)--a60:xxxxxxxx;background:var(--a0)}</style><p id=a>"
    )
    // Invalid at computed-value time: transparent, the initial value.
    #expect(try page.color("a") == "000000")
  }

  @Test("Out-of-range numbers are clamped")
  func numbers() throws {
    for value in [
      "1e999px", "-1e999px", "99999999999999999999999px", "calc(1px * infinity)", "calc(NaN * 1px)",
      "calc(1px / 0)",
    ] {
      let page = try StyledPage(
        "<!doctype html><p id=a style='width:\(value);z-index:\(value.filter(\.isNumber));margin:\(value)'>"
      )
      #expect(try page.style("a").box.margin.top.isAuto == false)
    }
  }

  @Test("NULs, invalid bytes and lone surrogates become U+FFFD without loss of other content")
  func bytes() throws {
    let sheet =
      Array("p{color:lime;c\0olor:red} .\\d800 x{color:red} b\u{0}{} p{font-family:".utf8) + [
        0xFF, 0xC0, 0x80,
      ] + Array("}".utf8)
    var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
    options.extraSheets = [StyleSheetSource(bytes: sheet)]
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array("<!doctype html><p id=a>".utf8), diagnostics: &log)
    let styled = try StyleEngine.style(document, options: options, fontMetrics: FixedMetrics())
    let node = try #require(try StyleEngine.querySelector("#a", in: document)?.first)
    #expect(styled.style(of: node).text.color.green == 1)
  }
}

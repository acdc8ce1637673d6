import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

/// Constant font metrics.
private struct NoMetrics: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size / 2, zeroAdvance: font.size / 2, icAdvance: font.size, normalLineHeight: font.size)
  }
}

private func parsed(_ html: String) throws -> Document {
  var diagnostics = DiagnosticLog()
  return try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &diagnostics)
}

private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

/// The time to style a page with a deadline, and whether it was exceeded.
private func style(_ html: String, deadline: Duration) throws -> (time: Duration, isExceeded: Bool) {
  let document = try parsed(html)
  var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
  let clock = ContinuousClock()
  var isExceeded = false
  let time = clock.measure {
    options.deadline = Deadline(after: deadline)
    do {
      _ = try StyleEngine.style(document, options: options, fontMetrics: NoMetrics())
    } catch {
      isExceeded = error is DeadlineExceeded
    }
  }
  return (time, isExceeded)
}

@Suite("Styling ends in time for all style sheets", .serialized)
struct DeadlineTests {
  private static func page(_ css: String, _ body: String) -> String { "<!doctype html><style>\(css)</style><body>\(body)" }

  /// Pages that once took minutes, or would without memoization.
  private static let solved: [(name: String, html: @Sendable () -> String)] = [
    ("lists of nested selectors", { page(repeated("a,b,c,div,& p{", 30) + "color:red", repeated("<div>", 60)) }),
    ("& twice a level", { page("div{" + repeated("&,& &{", 30) + "color:red", repeated("<div>", 30)) }),
    ("& in lists that never match", { page(repeated(repeated("&:hover,", 200) + "&:focus{", 20) + "color:red", "<p>") }),
    (":is in :is", { page(repeated(":is(div ", 30) + "div" + repeated(")", 30) + " p{color:red}", repeated("<div>", 100) + "<p>") }),
    (":not in :not", { page(repeated("div :not(", 30) + "b" + repeated(")", 30) + "{color:red}", repeated("<div>", 100) + "<p>") }),
    (":has of every descendant", { page("div:has(b){color:red}", repeated("<div>", 400) + repeated("<i></i>", 20000)) }),
    (":has of every later sibling", { page("i:has(~ b){color:red}", repeated("<i></i>", 20000)) }),
    ("scopes in scopes", { page(repeated("@scope (div){", 24) + "p{color:red}", repeated("<div>", 40) + "<p>") }),
    (
      "a substring that nearly is one",
      { page("[a*='" + repeated("x", 50_000) + "y'] *{color:red}", "<div a='" + repeated("x", 500_000) + "'>" + repeated("<i></i>", 2000)) }
    ),
    (
      "the same without regard to case",
      { page("[a*='" + repeated("x", 50_000) + "y' i]{color:red}", "<div a='" + repeated("X", 500_000) + "'>") }
    ),
    ("dir=auto in dir=auto", { page("", repeated("<bdi dir=auto>", 400) + repeated("1 ", 500_000)) }),
    (
      "siblings of many parents", { page("i ~ b u{color:red}", repeated(repeated("<i></i>", 2000) + "<b>", 8) + repeated("<u></u>", 2000)) }
    ),
  ]

  @Test("These pages do not reach the deadline", arguments: solved.indices)
  func styleSolved(index: Int) throws {
    let result = try style(Self.solved[index].html(), deadline: .seconds(20))
    #expect(!result.isExceeded, "\(Self.solved[index].name)")
  }

  /// Pages with inherently expensive styles.
  private static let endless: [(name: String, html: @Sendable () -> String)] = [
    ("many rules for many elements", { page(repeated("*{color:red}", 50_000), repeated("<p id=a>", 20_000)) }),
    ("many selectors for many elements", { page(repeated("* > i ~ i + *,", 40_000) + "b{color:red}", repeated("<i></i>", 20_000)) }),
    (
      "values made of values",
      {
        page(
          "*{" + (0..<400).map { "--a\($0):var(--a\($0 + 1)) var(--a\($0 + 1));" }.joined() + "--a400:"
            + repeated("x ", 2000) + ";color:var(--a399)}", repeated("<p id=a>", 5000))
      }
    ),
    (
      "a long value for each property",
      {
        page(
          "*{--a:" + repeated("x ", 100_000) + ";" + (0..<2000).map { "--b\($0):var(--a) attr(id);" }.joined() + "}",
          repeated("<p>", 400))
      }
    ),
    (
      "containers for each element",
      { page(repeated("@container (width > 1px) or (height > 1px){*{color:red}}", 20_000), repeated("<p>", 5000)) }
    ),
    (
      "long attributes for many selectors",
      { page((0..<5000).map { "[a*='xy\($0)']," }.joined() + "b{color:red}", repeated("<i a='" + repeated("x", 20_000) + "'></i>", 100)) }
    ),
  ]

  @Test("These pages end soon after the deadline", arguments: endless.indices)
  func styleEndless(index: Int) throws {
    let result = try style(Self.endless[index].html(), deadline: .milliseconds(100))
    #expect(result.time < .seconds(4), "\(Self.endless[index].name)")
  }

  @Test("querySelector ends after the deadline")
  func selector() throws {
    let document = try parsed(Self.page("", repeated("<i></i>", 50_000)))
    let selector = repeated("i:has(~ i + b > u),", 2000) + "b"
    #expect(throws: DeadlineExceeded.self) {
      _ = try StyleEngine.querySelector(selector, in: document, deadline: Deadline(after: .milliseconds(50)))
    }
  }
}

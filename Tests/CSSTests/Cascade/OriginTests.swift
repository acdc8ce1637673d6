import Testing

@testable import OffprintCSS

@Suite("Styles record the origins of background, border and margins")
struct OriginTests {
  /// The result of `read` for the style of `#a`, while the page that owns it is retained.
  private func style<Value>(_ html: String, _ read: (ComputedStyle) -> Value) throws -> Value {
    let page = try StyledPage(html)
    return try withExtendedLifetime(page) { read(try page.style("a")) }
  }

  private func origins(_ css: String, _ element: String = "<button id=a>") throws -> StyleOrigins {
    try style("<!doctype html><style>\(css)</style><body>\(element)") { $0.origins }
  }

  private static let declarations: [(css: String, origins: StyleOrigins)] = [
    ("", StyleOrigins()), ("button{color:red;box-shadow:0 0 1px red;border-collapse:collapse}", []),
    ("button{background:rgb(107,107,107)}", .authorBackground), ("button{background:rgb(108,108,108)}", .authorBackground),
    ("button{background-color:buttonface}", .authorBackground), ("button{background-repeat:repeat}", .authorBackground),
    ("button{border:2px outset buttonborder}", .authorBorder), ("button{border-inline-start-width:2px}", .authorBorder),
    ("button{border-image-slice:1}", .authorBorder), ("button{border-top-left-radius:0}", .authorBorderRadius),
    ("button{border-start-start-radius:0}", .authorBorderRadius), ("button{background:var(--x)}", .authorBackground),
    ("button{background:red;background:revert}", []),
    ("@layer x{button{background:red}} button{background:revert-layer}", .authorBackground),
    ("button{all:unset}", [.authorBackground, .authorBorder, .authorBorderRadius]),
  ]

  @Test("An author background or border is recorded, whatever its value", arguments: declarations.indices)
  func author(index: Int) throws {
    let (css, expected) = Self.declarations[index]
    #expect(try origins(css) == expected, "\(css)")
  }

  @Test("A presentational hint is not an author declaration")
  func hints() throws {
    #expect(try origins("", "<table border=1 bgcolor=red id=a>").isEmpty)
  }

  @Test("User agent margins are recorded as quirky, on the sides that have them")
  func margins() throws {
    let both: StyleOrigins = [.quirkyMarginTop, .quirkyMarginBottom]
    #expect(try origins("", "<div><p id=a></div>") == both)
    #expect(try origins("p{margin-top:1em}", "<div><p id=a></div>") == .quirkyMarginBottom)
    #expect(try origins("p{margin-block:revert}", "<div><p id=a></div>") == both)
    #expect(try origins("p{writing-mode:vertical-lr}", "<div><p id=a></div>") == [.quirkyMarginLeft, .quirkyMarginRight])
    #expect(try origins("", "<figure id=a>").isEmpty && origins("", "<hr id=a>").isEmpty)
    #expect(try origins("", "<ul><li><ul id=a></ul></ul>").isEmpty)
    #expect(try style("<!doctype html><h1 id=a>") { $0.box.margin.top } == .value(.length(32 * 0.67)))
  }

  @Test("Only the user agent style sheet may use the unit of quirky margins")
  func unit() throws {
    let html = "<!doctype html><div id=a style='margin-top:2px;margin-top:1__qem;width:calc(1px + 1__qem)'>"
    #expect(try style(html) { $0.box.margin.top } == .value(.length(2)))
    #expect(!StyleEngine.supports(property: "margin", value: "1__qem"))
  }
}

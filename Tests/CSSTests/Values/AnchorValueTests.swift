import Testing

@testable import OffprintCSS

@Suite struct AnchorValueTests {
  private let fixture = StyleFixture()

  @Test(
    "position-area is one or two keywords in any order, serialized with the horizontal or block axis first",
    arguments: [
      ("top", "top"), ("left", "left"), ("bottom span-right", "span-right bottom"), ("right center", "right center"),
      ("center", "center"), ("start", "start"), ("end start", "end start"), ("span-all top", "top"),
      ("inline-start block-end", "block-end inline-start"),
    ])
  func areas(_ value: String, _ expected: String) {
    #expect(fixture.style("position-area: \(value)").box.positionArea?.css == expected)
  }

  @Test("Keywords of one axis are invalid", arguments: ["left right", "top bottom", "top top", "none top", "top left right", "middle"])
  func invalid(_ value: String) {
    #expect(fixture.style("position-area: \(value)").box.positionArea == nil)
  }

  @Test("Names start with two dashes")
  func names() {
    let style = fixture.style("anchor-name: --a, --b; position-anchor: --a")
    #expect(style.box.anchorNames == ["--a", "--b"])
    #expect(style.box.positionAnchor == "--a")
    #expect(fixture.style("anchor-name: c").box.anchorNames == [] && fixture.style("position-anchor: d").box.positionAnchor == nil)
  }

  @Test("Anchor functions take name and side in any order, and a fallback")
  func functions() throws {
    func value(_ text: String) -> LengthPercentageAuto { fixture.style("left: \(text)").box.inset.left }
    #expect(value("anchor(--a left)") == value("anchor(left --a)"))
    #expect(value("anchor(left)") != .auto && value("calc(anchor(50%) + 2px)") != .auto && value("anchor-size()") != .auto)
    for wrong in ["anchor()", "anchor(--a)", "anchor(a left)", "anchor(left right)", "anchor(left, )", "anchor-size(left)"] {
      #expect(value(wrong) == .auto, "\(wrong)")
    }
    guard case .value(let length) = value("calc(anchor(--a right, 4px) * 2)") else {
      Issue.record("no value")
      return
    }
    #expect(length.hasAnchor)
    #expect(try #require(length.resolvingAnchors { _ in nil }).resolve(100.0) == 8)
    #expect(try #require(length.resolvingAnchors { $0.name == "--a" && $0.kind == .right ? 30 : nil }).resolve(100.0) == 60)
    guard case .value(let bare) = value("anchor(top)") else {
      Issue.record("no value")
      return
    }
    #expect(bare.resolvingAnchors { _ in nil } == nil)
  }

  @Test("Strings are invalid for text-overflow")
  func textOverflow() {
    #expect(fixture.style("text-overflow: ellipsis").effects.textOverflow == .ellipsis)
    #expect(fixture.style("text-overflow: '…more'").effects.textOverflow == .clip)
  }
}

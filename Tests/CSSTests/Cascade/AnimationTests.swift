import OffprintCoreTypes
import Testing

@testable import OffprintCSS

@Suite("Animations at time 0")
struct AnimationTests {
  private static let keyframes =
    "@keyframes k{from{width:100px;opacity:0}50%{width:300px}to{width:200px;opacity:1;color:red}}@keyframes spin{to{rotate:1turn}}"

  private func width(_ animation: String, more: String = "") throws -> Float? {
    let page = try StyledPage("<style>\(Self.keyframes)div{width:10px;animation:\(animation)\(more)}</style><div id=a></div>")
    guard case .value(.length(let px)) = try page.style("a").box.width else { return nil }
    return px
  }

  @Test(
    "Width of a box by its animation",
    arguments: [
      ("k 1s", 100), ("k 1s paused", 100), ("k 1s linear -.25s", 200), ("k 1s linear -.75s", 250), ("k 1s 1s", 10),
      ("k 1s 1s both", 100), ("k 1s 1s both reverse", 200), ("k 1s -2s", 10), ("k 1s -2s forwards", 200),
      ("k 1s linear -1.25s 2 alternate", 250), ("k 1s linear -1.25s infinite", 200), ("k 0s", 10), ("k 0s both", 200),
      ("k 1s steps(1, jump-start) -.1s", 300), ("none 1s", 10), ("unknown 1s", 10), ("k 1s, k 1s -1s both", 200),
      ("k 1s linear(0, 1 50%, 1) -.25s", 300),
    ] as [(String, Float)])
  func frames(animation: String, expected: Float) throws {
    let px = try #require(try width(animation))
    #expect(abs(px - expected) < 0.01, "\(px)")
  }

  @Test("Keyframes override author declarations and style attributes, but not important declarations")
  func cascade() throws {
    let page = try StyledPage(
      "<style>\(Self.keyframes)div{animation:k 1s}</style><div id=a style='width:5px'></div><div id=b style='width:5px!important'></div>")
    #expect(try page.style("a").box.width == .value(.length(100)))
    #expect(try page.style("b").box.width == .value(.length(5)))
  }

  @Test(
    "Custom properties are interpolated if their type is registered",
    arguments: [("<length>", "40px", 90 as Float), ("<length>", "1em", 64), ("*", "40px", 40)])
  func customProperties(syntax: String, start: String, expected: Float) throws {
    let page = try StyledPage(
      "<style>@property --w{syntax:'\(syntax)';inherits:false;initial-value:0px}@keyframes c{from{--w:\(start)}to{--w:240px}}"
        + "div{font-size:5.3333px;animation:c 4s linear -1s;width:var(--w)}</style><div id=a></div>")
    guard case .value(.length(let px)) = try page.style("a").box.width else { throw WidthMissing() }
    #expect(abs(px - expected) < 0.1, "\(px)")
  }
  private struct WidthMissing: Error {}

  @Test("Missing keyframe values are the element's own, and inherited values are animated too")
  func implicit() throws {
    let page = try StyledPage(
      "<style>\(Self.keyframes)div{color:#00f;animation:k 1s linear -.5s}</style><div id=a><p id=b></p></div>")
    let color = try page.style("b").text.color
    #expect(abs(color.red - 0.5) < 0.01 && abs(color.blue - 0.5) < 0.01)
    #expect(abs(try page.style("a").effects.opacity - 0.5) < 0.01)
  }

  @Test("Function lists, lengths with percentages and shadows are interpolated componentwise")
  func mixtures() throws {
    let page = try StyledPage(
      """
      <style>@keyframes m{from{transform:translateX(10px);box-shadow:none;width:50%;filter:blur(4px)}
      to{transform:translateX(30px) rotate(90deg);box-shadow:0 0 10px red;width:100px;filter:blur(8px) invert(1)}}
      div{animation:m 1s linear -.5s}</style><div id=a></div>
      """)
    let style = try page.style("a")
    #expect(style.effects.transform == [.translate(.length(20), .zero, 0), .rotate(45)])
    #expect(style.background.boxShadow.first?.blur == 5)
    #expect(style.effects.filter == [.blur(6), .invert(0.5)])
    guard case .value(let width) = style.box.width else {
      Issue.record("no width")
      return
    }
    #expect(width.resolve(400.0) == 150)
  }

  @Test("Scroll timelines and invalid animation values have no effect")
  func without() throws {
    #expect(try width("k 1s", more: ";animation-timeline:scroll()") == 10)
    #expect(try width("k -1s") == 10)
    #expect(try width("k 1s 1s 1s") == 10)
  }
}

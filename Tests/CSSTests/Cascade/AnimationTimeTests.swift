import OffprintCoreTypes
import Testing

@testable import OffprintCSS

@Suite("Animations and transitions at a time")
struct AnimationTimeTests {
  private static let keyframes =
    "@keyframes k{from{width:100px}to{width:200px}}@keyframes l{50%{width:300px}}@keyframes f{from{visibility:hidden}}"

  private func width(_ css: String, at time: String) throws -> Float? {
    let time = try #require(AnimationTime(time))
    let page = try StyledPage("<style>\(Self.keyframes)div{width:10px;\(css)}</style><div id=a></div>", time: time)
    guard case .value(.length(let px)) = try page.style("a").box.width else { return nil }
    return px
  }

  @Test(
    "Width of a box by its animation",
    arguments: [
      ("k 1s linear", "500ms", 150), ("k 1s linear", "1s", 10), ("k 1s linear forwards", "1s", 200), ("k 1s linear 1s", "500ms", 10),
      ("k 1s linear 1s backwards", "500ms", 100), ("k 1s linear 1s", "1.25s", 125), ("k 1s -.5s linear", "250ms", 175),
      ("k 1s linear 2.5", "2.25s", 125), ("k 1s linear 2.5 forwards", "9s", 150), ("k 1s linear 2 alternate", "1.25s", 175),
      ("k 1s linear infinite alternate-reverse", "1.25s", 125), ("k 1s linear reverse forwards", "2s", 100),
      ("k 1s linear paused", "700ms", 100), ("k 1s -.5s linear paused", "700ms", 150), ("k .1s linear 3 forwards", ".3s", 200),
      ("k 1s linear forwards", "end", 200), ("k 1s linear 2 alternate forwards", "end", 100), ("k 1s linear", "end", 10),
      ("k 1s linear infinite", "end", 100), ("k 1s 3s linear infinite", "end", 100), ("k 1s 1s both step-start", "500ms", 100),
      ("k 1s steps(2, jump-start)", "100ms", 150), ("k 1s steps(2) forwards", "1s", 200), ("k 0s infinite forwards", "1s", 100),
      ("k 1.5s steps(3, jump-both)", "500ms", 150), ("k .3s steps(3)", "100ms", 133.333), ("k .7s steps(7, jump-start)", "300ms", 157.143),
    ] as [(String, String, Float)])
  func animations(animation: String, time: String, expected: Float) throws {
    let px = try #require(try width("animation:\(animation)", at: time))
    #expect(abs(px - expected) < 0.01, "\(px)")
  }

  @Test(
    "The effects of several animations are composited",
    arguments: [
      ("animation:k 1s linear,l 2s linear", "500ms", 225), ("animation:k 1s linear;animation-composition:add", "500ms", 160),
      ("animation:k 1s linear,k 1s linear;animation-composition:replace,accumulate", "500ms", 300),
      ("animation:k 1s linear;animation-timeline:none", "500ms", 100), ("animation:k 1s linear;animation-timeline:--x", "500ms", nil),
    ] as [(String, String, Float?)])
  func composition(css: String, time: String, expected: Float?) throws {
    let px = try #require(try width(css, at: time))
    #expect(abs(px - (expected ?? 10)) < 0.01, "\(px)")
  }

  @Test("Keyframes have their own composition, and transforms are added as lists")
  func transforms() throws {
    func transform(_ composition: String) throws -> [TransformFunction] {
      let page = try StyledPage(
        "<style>@keyframes t{from,to{transform:rotate(20deg);animation-composition:\(composition)}}"
          + "div{transform:rotate(30deg);animation:t 1s}</style><div id=a></div>", time: .seconds(0.5))
      return try page.style("a").effects.transform
    }
    #expect(try transform("replace") == [.rotate(20)])
    #expect(try transform("add") == [.rotate(30), .rotate(20)])
    #expect(try transform("accumulate") == [.rotate(50)])
  }

  @Test(
    "Width of a box by its transition from @starting-style",
    arguments: [
      ("width 1s linear", "0", 110), ("width 1s linear", "250ms", 85), ("width 1s linear", "1s", 10), ("width 1s 1s linear", "900ms", 110),
      ("width 1s 1s linear", "1.5s", 60), ("width 1s -.5s linear", "250ms", 35), ("height 1s", "500ms", 10), ("all 1s linear", "end", 10),
      ("all 1s steps(2, jump-start)", "100ms", 60),
    ] as [(String, String, Float)])
  func transitions(transition: String, time: String, expected: Float) throws {
    let page = try StyledPage(
      "<style>div{width:10px;transition:\(transition)}@starting-style{div{width:110px}}</style><div id=a></div>",
      time: try #require(AnimationTime(time)))
    guard case .value(.length(let px)) = try page.style("a").box.width else { throw WidthMissing() }
    #expect(abs(px - expected) < 0.01, "\(px)")
  }
  private struct WidthMissing: Error {}

  @Test("An element that is visible at one end of an animation stays visible until the other")
  func visibility() throws {
    for (time, expected) in [("0", Visibility.hidden), ("1ms", .visible), ("1s", .visible)] {
      let page = try StyledPage(
        "<style>\(Self.keyframes)div{animation:f 1s linear}p{transition:visibility 1s}@starting-style{p{visibility:hidden}}</style>"
          + "<div id=a></div><p id=b></p>", time: try #require(AnimationTime(time)))
      #expect(try page.style("a").text.visibility == expected && page.style("b").text.visibility == expected, "\(time)")
    }
  }

  @Test("Shapes, tracks, ratios and lists with different lengths are interpolated")
  func values() throws {
    let page = try StyledPage(
      """
      <style>@keyframes m{from{clip-path:circle(10px at 0 0);grid-template-columns:10px 1fr;aspect-ratio:1;line-height:1;
      transform:rotate(90deg) scale(1)}to{clip-path:circle(30px at 20px 0);grid-template-columns:30px 3fr;aspect-ratio:4;line-height:3;
      transform:translateX(40px)}}div{animation:m 1s linear}</style><div id=a></div>
      """, time: .seconds(0.5))
    let style = try page.style("a")
    #expect(style.effects.clipPath == .shape(.circle(.value(.length(20)), at: Position(x: .length(10), y: .length(0))), nil))
    #expect(style.align.gridTemplateColumns == .tracks([.track(.breadth(.value(.length(20)))), .track(.breadth(.flex(2)))]))
    #expect(abs((style.box.aspectRatio?.ratio ?? 0) - 2) < 0.001)
    #expect(style.font.lineHeight == .number(2))
    guard case .matrix(let a, let b, _, _, let e, _)? = style.effects.transform.first else { throw WidthMissing() }
    #expect(abs(a - 0.7071) < 0.001 && abs(b - 0.7071) < 0.001 && abs(e - 20) < 0.001)
  }

  @Test("Legacy colors are interpolated in sRGB, others in Oklab")
  func colors() throws {
    func color(_ from: String, _ to: String, _ value: String? = nil) throws -> Color {
      let page = try StyledPage(
        "<style>@keyframes c{from{color:\(from)}to{color:\(to)}}div{animation:c 1s linear}p{color:\(value ?? "red")}</style>"
          + "<div id=a></div><p id=b></p>", time: .seconds(0.5))
      return try page.style(value == nil ? "a" : "b").text.color
    }
    for (from, to) in [("oklch(70% .2 30)", "oklch(50% .1 200)"), ("red", "lab(50% 20 -40)"), ("color(srgb 1 0 0)", "blue")] {
      #expect(try color(from, to).rgba8 == color(from, to, "color-mix(in oklab, \(from), \(to))").rgba8, "\(from)")
    }
    for (from, to) in [("red", "#00f"), ("hsl(20 50% 40%)", "rgb(1 2 3 / .5)"), ("hwb(20 10% 10%)", "transparent")] {
      #expect(try color(from, to).rgba8 == color(from, to, "color-mix(in srgb, \(from), \(to))").rgba8, "\(from)")
    }
  }

  @Test("Transforms in space are interpolated as matrices, those with percentages when the size of the box is known")
  func matrices() throws {
    func transform(_ from: String, _ to: String) throws -> TransformFunction? {
      let page = try StyledPage(
        "<style>@keyframes t{from{transform:\(from)}to{transform:\(to)}}div{animation:t 1s linear}</style><div id=a></div>",
        time: .seconds(0.5))
      return try page.style("a").effects.transform.first
    }
    for (from, to) in [
      ("rotateX(60deg) translateZ(8px)", "scale(1)"), ("rotate3d(2,0,0,60deg)", "rotateY(360deg)"),
      ("rotateX(60deg)", "matrix(1,0,0,1,0,0)"),
    ] {
      guard case .matrix3d(let m)? = try transform(from, to) else { throw WidthMissing() }
      #expect(m.count == 16 && abs(m[5] - 0.8660) < 0.001 && abs(m[6] - 0.5) < 0.001 && abs(m[0] - 1) < 0.001, "\(from)")
    }
    guard case .interpolation(let mixture)? = try transform("translate(50%,-10%) rotate(90deg)", "scale(1) skewX(0deg)"),
      case .matrix(let a, _, _, _, let e, let f) = mixture.resolved(40, 80)
    else { throw WidthMissing() }
    #expect(abs(a - 0.7071) < 0.001 && abs(e - 10) < 0.001 && abs(f + 4) < 0.001)
    // A matrix that cannot be inverted does not mix.
    #expect(try transform("perspective(100px) rotateX(9deg)", "scale(0)") == .scale(0, 0, 1))
  }

  @Test(
    "Animated transforms, filters and opacities have a stacking context while they are current or in effect",
    arguments: [
      ("o 1s", "0", true), ("o 1s 1s", "0", true), ("o 1s", "1s", false), ("o 1s forwards", "1s", true), ("o 1s paused", "2s", true),
      ("o 1s", "end", false), ("o 1s infinite", "end", true), ("w 1s", "0", false), ("x 1s", "0", false),
    ] as [(String, String, Bool)])
  func layers(animation: String, time: String, expected: Bool) throws {
    let page = try StyledPage(
      "<style>@keyframes o{to{opacity:1}}@keyframes w{to{width:3px}}div{animation:\(animation)}</style><div id=a></div>",
      time: try #require(AnimationTime(time)))
    #expect(try page.style("a").effects.willChangeStackingContext == expected)
  }

  @Test("Transitions between different transforms have a stacking context until they end")
  func transitionLayers() throws {
    for (css, time, expected) in [
      ("scale:1.5", 0.5, true), ("scale:1.5", 1, false), ("scale:1", 0.5, false), ("width:3px", 0.5, false),
    ] {
      let page = try StyledPage(
        "<style>div{scale:1;transition:all 1s}@starting-style{div{\(css)}}</style><div id=a></div>", time: .seconds(time))
      #expect(try page.style("a").effects.willChangeStackingContext == expected, "\(css) \(time)")
    }
  }

  @Test(
    "Times are written as 0, with a unit, or as end",
    arguments: [
      ("0", .start), ("0s", .start), ("500ms", .seconds(0.5)), ("1.5s", .seconds(1.5)), ("end", .end), ("86400s", .seconds(86_400)),
      ("1", nil), ("-1s", nil), ("86401s", nil), ("1m", nil), ("", nil), ("s", nil), ("infs", nil), ("0x1s", nil), ("End", nil),
    ] as [(String, AnimationTime?)])
  func syntax(text: String, expected: AnimationTime?) {
    #expect(AnimationTime(text) == expected)
    if let expected { #expect(AnimationTime(expected.description) == expected) }
  }
}

import OffprintCoreTypes
import Foundation
import Testing

@testable import Offprint

/// Small drawings that need excessive resources. Each must give an image, or an error that names the exceeded limit.
@Suite("Hostile SVG")
struct SVGHostilityTests {
  private func outcome(_ content: String, _ change: (inout RenderRequest) -> Void = { _ in }) async throws -> String {
    var request = RenderRequest(html: "<!doctype html><svg width='200' height='200'>\(content)</svg>")
    request.width = .px(200)
    request.limits.nodes = 20_000
    change(&request)
    do {
      let result = try await Renderer.alone().render(request)
      return result.image.isEmpty ? "nothing" : "image"
    } catch let error as OffprintError {
      return "\(error.code)"
    }
  }

  private static func nested(_ element: String, _ property: String) -> String {
    let levels = (0..<30).map { level in
      "<\(element) id='n\(level)' width='.9' height='.9'>"
        + String(repeating: "<rect width='50' height='50' \(property)='url(#n\(level + 1))'/>", count: 4) + "</\(element)>"
    }
    return levels.joined() + "<rect width='80' height='80' \(property)='url(#n0)'/>"
  }

  static let drawings = [
    String(repeating: "<g opacity='.9'>", count: 400) + "<rect width='9' height='9'/>" + String(repeating: "</g>", count: 400),
    "<g id='u0'><rect width='5' height='5'/></g>"
      + (1..<30).map { "<g id='u\($0)'>" + String(repeating: "<use href='#u\($0 - 1)'/>", count: 10) + "</g>" }.joined(),
    "<pattern id='p' width='1e-6' height='1e-6' patternUnits='userSpaceOnUse'><rect width='1' height='1' fill='url(#p)'/></pattern><rect width='1e5' height='1e5' fill='url(#p)'/>",
    "<path d='M0 0L1e6 1e6C1e7 0 0 1e7 9 9Z' stroke='red' stroke-dasharray='1e-6'/>",
    "<filter id='f' filterUnits='userSpaceOnUse' x='-1e6' y='-1e6' width='2e6' height='2e6'><feGaussianBlur stdDeviation='1e9'/><feMorphology radius='1e9'/></filter><rect width='99' height='99' filter='url(#f)' transform='rotate(9) scale(99)'/>",
    "<circle cx='1e9' r='1e20' stroke='red' stroke-width='1e9'/><path d='M2147483648 0A1e30 1e-9 0 1 1 -1e30 9' stroke='red' transform='scale(1e30)'/>",
    "<text x='\((0..<2000).map { "\($0 % 200)" }.joined(separator: " "))' rotate='5' textLength='1e9'>\(String(repeating: "aש", count: 2000))</text>",
    "<rect width='9' height='9'>"
      + String(repeating: "<animate attributeName='x' additive='sum' values='0;1' begin='-1s' dur='9s'/>", count: 2000)
      + "</rect>",
    (0..<500).map { "<set id='s\($0)' attributeName='x' to='1' begin='s\($0 + 1).begin;s\($0 + 2).end'/>" }.joined(),
    nested("mask", "mask"), nested("clipPath", "clip-path"), nested("pattern", "fill"),
  ]

  @Test("A hostile drawing ends in an image or exceeds a named limit", arguments: drawings.indices)
  func ends(_ number: Int) async throws {
    let answers = ["image", "limitExceeded", "timedOut"]
    #expect(try await answers.contains(outcome(Self.drawings[number])))
  }

  @Test("Nested instances of `use` elements are counted as elements")
  func copies() async throws {
    let answer = try await outcome(Self.drawings[1]) {
      $0.limits.nodes = 1000
      $0.limits.seconds = 120
    }
    #expect(answer == "limitExceeded")
  }

  @Test("A morphology far larger than its image ends in time")
  func largeMorphology() async throws {
    let start = ContinuousClock.now
    let answer = try await outcome(
      "<filter id='f'><feMorphology operator='dilate' radius='4000'/></filter><rect width='2000' height='2000' filter='url(#f)'/>"
    ) { request in
      request.html = Array(String(decoding: request.html, as: UTF8.self).replacing("'200'", with: "'2000'").utf8)
      request.width = .px(2000)
      request.limits.seconds = 2
    }
    #expect(["image", "timedOut"].contains(answer))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("A path that takes too many steps is not started, however much time there is")
  func longPath() async throws {
    let data = (0..<30_000).map { "A\($0 % 97) \($0 % 89) 5 1 0 \($0 % 200) \($0 % 191)" }.joined()
    for paint in ["fill='red'", "fill='none' stroke='red' stroke-width='3' stroke-linejoin='round'"] {
      for seconds in [2.0, 600] {
        let answer = try await outcome("<path d='M0 0\(data)' \(paint)/>") { $0.limits.seconds = seconds }
        #expect(answer == "limitExceeded")
      }
    }
  }
}

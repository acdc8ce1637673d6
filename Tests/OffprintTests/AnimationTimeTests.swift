import OffprintCoreTypes
import OffprintImages
import Testing

@testable import Offprint

@Suite("Rendering at a time")
struct RenderTimeTests {
  /// The color of the pixel in the middle, as RGB.
  private func color(_ html: String, at time: AnimationTime) throws -> [UInt8] {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: "<!DOCTYPE html><body style='margin:0'>" + html)
    (request.width, request.height, request.time, request.encoding.format) = (.px(9), .px(9), time, .raw)
    let image = try renderer.renderAndWait(request).image
    return Array(image[160..<163])
  }

  private static let red: [UInt8] = [255, 0, 0], blue: [UInt8] = [0, 0, 255], white: [UInt8] = [255, 255, 255]

  @Test("A page that fades in is blank at its start and complete at its end")
  func fade() throws {
    let page = "<style>@keyframes f{from{opacity:0}}p{margin:0;height:9px;background:red;animation:f 1s forwards}</style><p>"
    #expect(try color(page, at: .start) == Self.white)
    #expect(try color(page, at: .end) == Self.red)
  }

  @Test(
    "Animation elements of SVG apply in pages, images and frames",
    arguments: [
      "%", "<img style='display:block' src='data:image/svg+xml,%'>",
      "<iframe style='display:block;border:0;width:9px;height:9px' srcdoc='<body style=margin:0>%'></iframe>",
    ])
  func smil(place: String) throws {
    let drawing =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"display:block\" width=\"9\" height=\"9\"><rect width=\"9\" height=\"9\" fill=\"red\">"
      + "<set attributeName=\"fill\" to=\"blue\" begin=\"1s\" dur=\"1s\"/></rect></svg>"
    let page = place.replacing("%", with: drawing)
    for (time, expected) in [(0.5, Self.red), (1, Self.blue), (1.5, Self.blue), (2, Self.red)] {
      #expect(try color(page, at: .seconds(time)) == expected, "\(time)")
    }
  }

  @Test("Images with frames show the frame of the time")
  func frames() throws {
    // A GIF of two frames, red for 1 s and blue for 1 s, shown once.
    let gif = "R0lGODlhAQABAIAAAP8AAAAA/yH5BABkAAAALAAAAAABAAEAAAICRAEAIfkEAGQAAAAsAAAAAAEAAQAAAgJMAQA7"
    let page = "<img style='display:block;width:9px;height:9px' src='data:image/gif;base64,\(gif)'>"
    for (time, expected) in [(AnimationTime.start, Self.red), (.seconds(0.9), Self.red), (.seconds(1), Self.blue), (.end, Self.blue)] {
      #expect(try color(page, at: time) == expected, "\(time)")
    }
  }

  @Test("The start has the key of a request without a time; an invalid time is an error")
  func request() throws {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: "<p>")
    let plain = try renderer.renderAndWait(request).key
    request.time = .seconds(-0.0)
    #expect(try renderer.renderAndWait(request).key == plain)
    request.time = .seconds(1)
    #expect(try renderer.renderAndWait(request).key != plain)
    for seconds in [-1, .nan, .infinity, 86_401] {
      request.time = .seconds(seconds)
      #expect(throws: OffprintError.self) { try renderer.renderAndWait(request) }
    }
  }

  @Test("A template sets the time, also from an attribute")
  func template() throws {
    var request = RenderRequest(html: "")
    request.template = try Template(source: "---\npage: {at: $t}\nattributes: {t: {type: string, default: 1.5s}}\n---\n", name: "t")
    try request.takeTemplatePage()
    #expect(request.time == .seconds(1.5))
    #expect(throws: OffprintError.self) { try Template(source: "---\npage: {at: soon}\n---\n", name: "t") }
  }
}

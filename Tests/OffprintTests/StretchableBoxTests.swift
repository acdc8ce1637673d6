import Foundation
import Testing

@testable import Offprint

private let button = "width:100px;height:40px;box-sizing:border-box;border:2px solid #357;border-radius:10px;background:#bde"

private func renderer() throws -> Renderer {
  var configuration = RendererConfiguration()
  configuration.workers = 1
  return try Renderer(configuration)
}

private func box(_ html: String, _ change: (inout StretchableBackground.BoxOptions) -> Void = { _ in }) throws -> StretchableBackground {
  var options = StretchableBackground.BoxOptions()
  change(&options)
  return try StretchableBackground(boxOf: RenderRequest(html: html), options, renderer: try renderer())
}

private func text(_ files: [(name: String, bytes: [UInt8])]) -> String { String(decoding: files.first?.bytes ?? [], as: UTF8.self) }

@Suite("Stretchable images of boxes")
struct StretchableBoxTests {
  @Test("A box with a border and rounded corners is reduced to its corners and one px, and stretches exactly")
  func smallest() throws {
    let image = try box("<div style='\(button)'></div>")
    #expect(image.stretchesAcross && image.stretchesDown && image.comparisons.count == 3)
    // At sizes slightly larger than the caps, curves can be rounded differently.
    #expect(image.largestError <= 1 && image.comparisons.dropFirst().allSatisfy { $0.largestError == 0 })
    let bitmap = try #require(image.images.first).bitmap
    #expect(bitmap.width == bitmap.height && bitmap.width <= 23)
  }

  @Test("A plain box is reduced to one pixel, and axes that cannot be stretched are reported")
  func axes() throws {
    let plain = try box("<div style='height:9px;background:red'></div>")
    #expect(plain.images.map { [$0.bitmap.width, $0.bitmap.height] } == [[1, 1]] && plain.isExact)
    let bar = try box("<div style='height:30px;background:linear-gradient(red,blue)'></div>")
    #expect(bar.stretchesAcross && !bar.stretchesDown && bar.isExact)
    #expect(bar.images.map { [$0.bitmap.width, $0.bitmap.height] } == [[1, 30]])
    #expect(Set(bar.comparisons.map(\.height)) == [30])
  }

  @Test("A box that depends on its size is not exact, and its error is reported")
  func inexact() throws {
    let image = try box("<div style='width:80px;height:40px;background:red;border-radius:50%'></div>")
    #expect(!image.isExact && image.largestError > 100)
  }

  @Test("The selector chooses a box, alone on its page, and a shadow is within the outset")
  func selector() throws {
    let page =
      "<p>before</p><div style='padding:9px;background:lime'><i class=a style='\(button);box-shadow:0 0 6px #000'></i></div><b class=a>x</b>"
    let image = try box(page) {
      $0.selector = ".a"
      $0.outset = 20
    }
    #expect(image.isExact)
    let corner = try #require(image.images.first).bitmap[0, 0]
    #expect(corner == 0)
    #expect(text(try image.files(.css)).contains(" / 20px stretch;"))
    for (selector, code) in [("p[", OffprintError.Code.selectorInvalid), (".none", .selectorUnmatched), ("head", .selectorUnmatched)] {
      let error = #expect(throws: OffprintError.self) { try box(page) { $0.selector = selector } }
      #expect(error?.code == code)
    }
  }

  @Test("Each scale has its own image, in every format")
  func formats() throws {
    let image = try box("<div style='\(button)'></div>") { $0.scales = [3, 1, 2] }
    #expect(image.scales == [1, 2, 3])
    #expect(try image.files(.png, name: "b").map(\.name) == ["b.png", "b@2x.png", "b@3x.png"])
    #expect(
      try image.files(.ninePatch, name: "b").map(\.name) == [
        "drawable-mdpi/b.9.png", "drawable-xhdpi/b.9.png", "drawable-xxhdpi/b.9.png",
      ])
    #expect(try image.files(.npTc, name: "b").map(\.name).last == "drawable-xxhdpi/b.png")
    #expect(try image.files(.imageset, name: "b").map(\.name) == ["Contents.json", "b.png", "b@2x.png", "b@3x.png"])
    let css = try image.files(.css, name: "b", selector: ".x", imageFile: true)
    #expect(css.map(\.name) == ["b.css", "b.png", "b@2x.png", "b@3x.png"])
    #expect(text(css).contains("@media (min-resolution: 2.5dppx)") && text(css).contains("url(\"b@3x.png\")"))
    let json = try #require(JSONValue(parsing: Array(text(try image.files(.json)).utf8)))
    guard case .array(let images)? = json["images"], case .array(let compared)? = json["compared"] else {
      throw OffprintError(.dataInvalid, "")
    }
    #expect(images.count == 3 && compared.count == 9 && json["stretchesAcross"]?.bool == true)
  }

  @Test("Invalid options are explained", arguments: [[3, 3, 3, 3], [2, 9, 2, 9]])
  func words(_ insets: [Int]) throws {
    let error = try #require(throws: OffprintError.self) {
      try StretchableBackground(color: .white, width: 5, height: 5, capInsets: insets, alpha: 0.5, pixel: "none", scale: 1)
    }
    #expect(error.code == .usage && error.message.hasSuffix("the caps leave nothing to stretch between them."))
  }
}

/// A browser, if one is installed.
private let chromium: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

@Suite("Stretchable images in Chromium")
struct StretchableChromiumTests {
  @Test(
    "The CSS form in Chromium equals our render of the box at that size",
    .enabled(if: chromium != nil, "SKIPPED: there is no Chromium here (apt-get install chromium)"), arguments: [(200, 80), (61, 33)])
  func border(_ width: Int, _ height: Int) async throws {
    let css = text(try box("<div style='\(button)'></div>").files(.css, name: "b", selector: ".s"))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-chromium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page =
      "<!DOCTYPE html><style>body{margin:0}\(css) .s{box-sizing:border-box;width:\(width)px;height:\(height)px}</style><div class=s></div>"
    try Data(page.utf8).write(to: folder.appendingPathComponent("p.html"))
    let browser = Process()
    browser.executableURL = URL(fileURLWithPath: try #require(chromium))
    browser.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1",
      "--default-background-color=00000000",
      "--user-data-dir=\(folder.path)/profile", "--screenshot=\(folder.path)/p.png", "--window-size=\(width + 400),\(height + 400)",
      "file://\(folder.path)/p.html",
    ]
    browser.standardError = FileHandle.nullDevice
    browser.standardOutput = FileHandle.nullDevice
    try browser.run()
    browser.waitUntilExit()
    let shot = try Data(contentsOf: folder.appendingPathComponent("p.png"))
    // Renders the screenshot as a page, to get its unchanged pixels.
    let theirs = try await pixels(
      "<body style='margin:0'><img style='display:block' src='data:image/png;base64,\(shot.base64EncodedString())'>", width, height)
    let ours = try await pixels("<body style='margin:0'><div style='\(button);width:\(width)px;height:\(height)px'></div>", width, height)
    #expect(theirs.count == width * height * 4 && ours.contains { $0 != 0 })
    let largest = zip(theirs, ours).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(largest <= 2, "a channel differs by \(largest)")
  }

  private func pixels(_ html: String, _ width: Int, _ height: Int) async throws -> [UInt8] {
    var request = RenderRequest(html: html)
    (request.width, request.height, request.background) = (.px(Double(width)), .px(Double(height)), .transparent)
    let renderer = try renderer()
    return try await renderer.pixels(request).pixels
  }
}

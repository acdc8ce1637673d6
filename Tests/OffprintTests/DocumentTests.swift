import OffprintCoreTypes
import Foundation
import OffprintImages
import OffprintTestSupport
import Testing

@testable import Offprint

/// Debian's poppler-utils, an independent PDF reader.
private enum Reader {
  static func path(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
  static let isInstalled = path("pdftotext") != nil && path("pdftoppm") != nil && path("pdfinfo") != nil

  /// The output of a program about a file.
  static func run(_ name: String, _ arguments: [String], _ file: [UInt8]) throws -> Data {
    let folder = try TemporaryFolder()
    let input = folder("in.pdf")
    try Data(file).write(to: URL(fileURLWithPath: input))
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: try #require(path(name)))
    process.arguments = arguments + [input] + (name == "pdftotext" ? ["-"] : [])
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return output
  }

  static func text(_ file: [UInt8], page: Int? = nil) throws -> String {
    let pages = page.map { ["-f", "\($0)", "-l", "\($0)"] } ?? []
    return String(decoding: try run("pdftotext", ["-enc", "UTF-8"] + pages, file), as: UTF8.self)
  }

  static func info(_ file: [UInt8]) throws -> [String: String] {
    let lines = String(decoding: try run("pdfinfo", [], file), as: UTF8.self).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        line.firstIndex(of: ":").map {
          (String(line[..<$0]), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
        }
      }
    ) { first, _ in first }
  }
}

@Suite("Vector documents")
struct DocumentTests {
  private func render(_ html: String, _ format: EncodedImageFormat = .pdf, _ change: (inout RenderRequest) -> Void = { _ in }) async throws
    -> RenderResult
  {
    var request = RenderRequest(html: html)
    request.width = .px(300)
    request.encoding.format = format
    change(&request)
    let renderer = try Renderer.alone()
    return try await renderer.render(request)
  }

  private static let sheet = "<style>@page{size:300px 200px;margin:20px}body,p{margin:0;font:16px/20px 'Liberation Sans'}</style>"

  @Test("A document is the same bytes each time, whichever renderer makes it, without a date")
  func deterministic() async throws {
    let page = "<p style='box-shadow:0 0 5px'>Text <b>bold</b></p><svg width=20 height=20><circle r=9 fill=red /></svg>"
    for format in [EncodedImageFormat.pdf, .svg] {
      let files = [
        try await render(page, format).image, try await render("<p>another", format).image, try await render(page, format).image,
      ]
      #expect(files[0] == files[2] && files[0] != files[1], "\(format)")
      #expect(EncodedImageFormat(beginningOf: files[0]) == format)
      #expect(!String(decoding: files[0], as: UTF8.self).contains("CreationDate"))
    }
  }

  @Test("A document contains its text: words, ligatures and right-to-left text", .enabled(if: Reader.isInstalled))
  func text() async throws {
    let page = "<title>A title</title><meta name=author content=Somebody><p style='font-family:Liberation Serif'>fine office</p><p>שלום</p>"
    let result = try await render(page)
    let text = try Reader.text(result.image)
    #expect(text.contains("fine office") && text.contains("שלום"), "\(text)")
    let info = try Reader.info(result.image)
    #expect(info["Title"] == "A title" && info["Author"] == "Somebody" && info["Pages"] == "1", "\(info)")
    #expect(info["Page size"]?.hasPrefix("225 x") == true, "\(info)")
  }

  @Test("A document is paginated between lines, with the page size of @page", .enabled(if: Reader.isInstalled))
  func pages() async throws {
    let lines = (1...20).map { "line \($0)<br>" }.joined()
    let result = try await render("\(Self.sheet)<p>\(lines)</p>")
    let info = try Reader.info(result.image)
    // 160 px are eight lines.
    #expect(info["Pages"] == "3" && info["Page size"]?.hasPrefix("225 x 150") == true, "\(info)")
    #expect(try Reader.text(result.image, page: 2).split(separator: "\n").first == "line 9")
  }

  @Test("A document obeys forced and avoided breaks, orphans and widows", .enabled(if: Reader.isInstalled))
  func breaks() async throws {
    let page = """
      \(Self.sheet)<p>one</p><p style="page-break-before:always">two</p><div style="height:120px"></div>\
      <div style="break-inside:avoid"><p>three</p><p>four</p></div><p style="break-before:right">five</p>
      """
    let file = try await render(page).image
    let texts = try (1...5).map { try Reader.text(file, page: $0).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    #expect(texts == ["one", "two", "three four", "", "five"])
  }

  @Test("A document has margin boxes with page numbers, by the rules for each page", .enabled(if: Reader.isInstalled))
  func margins() async throws {
    let page = """
      <style>@page { size: 300px 200px; margin: 40px; @bottom-right { content: "sheet " counter(page) " of " counter(pages) }
      @top-left { content: "title" } margin-top: 50px }
      @page :first { @top-left { content: none } @top-right { content: "first" } }
      @page wide { size: 400px 200px; @top-left { content: "wide" } }
      p { break-after: page } div { page: wide }</style><p>one<p>two<div>three</div>
      """
    let file = try await render(page).image
    let pages = try (1...3).map { try Reader.text(file, page: $0) }
    #expect(pages[0].contains("sheet 1 of 3") && pages[0].contains("first") && !pages[0].contains("title"))
    #expect(pages[1].contains("sheet 2 of 3") && pages[1].contains("title") && pages[1].contains("two"))
    #expect(pages[2].contains("sheet 3 of 3") && pages[2].contains("wide") && !pages[2].contains("title"))
    #expect(try Reader.info(file)["Pages"] == "3")
  }

  @Test("Headers and footers of tables are repeated on each page with rows", .enabled(if: Reader.isInstalled))
  func tables() async throws {
    let rows = (1...30).map { "<tr><td>row \($0)." }.joined()
    let page = """
      <style>@page { size: 300px 300px; margin: 20px }</style><table><thead><tr><th>header<tfoot><tr><td>footer<tbody>\(rows)</table>
      """
    let file = try await render(page).image
    let count = try #require(try Reader.info(file)["Pages"].flatMap { Int($0) })
    #expect(count > 2)
    for number in 1...count {
      let text = try Reader.text(file, page: number)
      #expect(text.contains("header") && text.contains("footer") && text.contains("row "), "sheet \(number)")
    }
  }

  @Test("Fixed boxes are repeated on each page, and content for screens only is omitted", .enabled(if: Reader.isInstalled))
  func fixed() async throws {
    let page = """
      \(Self.sheet)<style>@media print{.s{display:none}}</style><div style="position:fixed;bottom:0">foot</div><p class=s>screen</p><p>one</p>\
      <p style="break-before:page">two</p>
      """
    let file = try await render(page).image
    for number in 1...2 { #expect(try Reader.text(file, page: number).contains("foot")) }
    #expect(try !Reader.text(file).contains("screen"))
    #expect(try Reader.text(try await render(page) { $0.media = .screen }.image).contains("screen"))
  }

  @Test("A document has links and a language, and no links to files or scripts")
  func links() async throws {
    let page = """
      <html lang=de><a href="https://example.org/it's">out</a> <a href="#end">in</a> <a href="javascript:alert(1)">script</a>\
      <a href="file:///etc/passwd">file</a><h1>Head</h1><p id=end>end
      """
    let file = String(decoding: try await render(page).image, as: UTF8.self)
    #expect(file.hasPrefix("%PDF-1.4"), "Later versions have object streams, which links cannot be added to.")
    #expect(file.components(separatedBy: "/Subtype /Link").count == 3)
    #expect(file.contains("https://example.org/it's") || file.contains("https://example.org/it%27s") || file.contains("it\\'s"))
    #expect(!file.contains("javascript") && !file.contains("passwd"))
    #expect(file.contains("/Lang (de)") && file.contains("/Outlines"))
  }

  @Test("A document looks like the image at 96 dpi", .enabled(if: Reader.isInstalled))
  func looks() async throws {
    let page = """
      <body style="margin:0"><div style="height:40px;background:#048"></div><div style="margin:10px;width:60px;height:60px;background:linear-gradient(red,blue)">\
      </div><div style="margin:10px;width:100px;height:30px;background:#fa0;opacity:.5"></div>
      """
    func media(_ request: inout RenderRequest) { request.media = .screen }
    let file = try await render(page, .pdf, media).image
    let image = try bitmap(try await render(page, .png, media).image)
    let folder = try TemporaryFolder()
    let process = Process()
    try Data(file).write(to: URL(fileURLWithPath: folder("a.pdf")))
    process.executableURL = URL(fileURLWithPath: try #require(Reader.path("pdftoppm")))
    process.arguments = ["-r", "96", "-png", "-singlefile", folder("a.pdf"), folder("a")]
    try process.run()
    process.waitUntilExit()
    let drawn = try bitmap(Array(try Data(contentsOf: URL(fileURLWithPath: folder("a.png")))))
    #expect(drawn.width == image.width && drawn.height == image.height)
    for (x, y) in [(10, 10), (40, 80), (40, 60), (40, 100), (50, 140), (200, 100)] {
      let (a, b) = (drawn[x, y], image[x, y])
      for shift in [0, 8, 16] { #expect(abs(Int(a >> UInt32(shift) & 255) - Int(b >> UInt32(shift) & 255)) <= 4, "\(x),\(y)") }
    }
  }

  private func bitmap(_ file: [UInt8]) throws -> Bitmap {
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(file).content else { throw ImageError(.imageUnknownFormat, "no bitmap") }
    return bitmap
  }

  @Test("A document and its pages are within the limits")
  func limits() async throws {
    await #expect { try await render("<div style='height:30000px'>") } throws: { ($0 as? OffprintError)?.code == .limitExceeded }
    await #expect { try await render(Self.sheet) { $0.limits.imagePixels = 1000 } } throws: {
      ($0 as? OffprintError)?.code == .limitExceeded
    }
    await #expect { try await render("x") { $0.pageSetup.size = .init(width: .infinity, height: 1) } } throws: {
      ($0 as? OffprintError)?.code == .usage
    }
    // Sizes that leave no space, or all of it, must not hang.
    for size in ["0 0", "1e9px 1e9px", "1px 1px;margin:5px", "100px;margin:-50px", "300px 200px;margin:1e30cm"] {
      _ = try? await render("<style>@page{size:\(size)}</style><p>text text text text") { $0.limits.seconds = 20 }
    }
  }
}

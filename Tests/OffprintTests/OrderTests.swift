import Foundation
import Offprint
import Testing

@Suite("The same input gives the same bytes")
struct OrderTests {
  /// Sixty pages of all kinds.
  private var pages: [String] { Array(OwnPages.names.prefix(60)) }

  @Test("A page gives the same image alone, after others, concurrently on two threads, and in any order")
  func sameBytes() async throws {
    let pages = pages
    #expect(pages.count == 60)
    var alone: [String: [UInt8]] = [:]
    for name in pages { alone[name] = try await Renderer.alone().render(OwnPages.request(name)).image }
    let one = try Renderer.alone()
    for name in pages.reversed() { #expect(try await one.render(OwnPages.request(name)).image == alone[name], "\(name) after others") }
    for round in 0..<2 {
      let two = try Renderer.alone { $0.workers = 2 }
      try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
        for name in pages.shuffled() { group.addTask { (name, try await two.render(OwnPages.request(name)).image) } }
        for try await (name, image) in group { #expect(image == alone[name], "\(name) on two threads, round \(round)") }
      }
    }
  }

  @Test("Documents have the same bytes after text that was embedded rotated", arguments: [EncodedImageFormat.svg, .pdf])
  func documentsInAnyOrder(_ format: EncodedImageFormat) async throws {
    func request(_ html: String, _ format: EncodedImageFormat) -> RenderRequest {
      var request = RenderRequest(html: html)
      request.encoding.format = format
      return request
    }
    let outlined = request("<p style='-webkit-text-stroke:1px red'>total</p>", format)
    let alone = try await Renderer.alone().render(outlined).image
    let shared = try Renderer.alone { $0.workers = 1 }
    for angle in [7, 12] { _ = try await shared.render(request("<p style='transform:rotate(\(angle)deg)'>total</p>", .pdf)) }
    #expect(try await shared.render(outlined).image == alone)
  }

  @Test("The images omitted from a page above the limit are the same in every render")
  func overTheLimit() async throws {
    let rules = (0..<40).map { "#a\($0)::before { content: url(p\($0).png) } #a\($0) { background: url(q\($0).png) }" }
    let html = "<style>\(rules.joined())</style>" + (0..<40).map { "<i id=a\($0)></i>" }.joined()
    let asked = AskedFor()
    let renderer = try Renderer.alone {
      $0.resourceProvider = { query in
        asked.add(query.url)
        return nil
      }
    }
    var request = RenderRequest(html: html)
    request.basePath = "/pages/"
    request.allowedFolders = ["/"]
    request.limits.seconds = 120
    let first = try await renderer.render(request)
    let order = asked.take()
    #expect(order.count == 64)
    // Elements in document order, then pseudo-elements in their order.
    #expect(order.prefix(40).elementsEqual((0..<40).map { "file:///pages/q\($0).png" }))
    #expect(order.dropFirst(40).elementsEqual((0..<24).map { "file:///pages/p\($0).png" }))
    for _ in 0..<5 {
      #expect(try await renderer.render(request).diagnostics == first.diagnostics)
      #expect(asked.take() == order)
    }
  }

  // MARK: The source

  /// Loops over dictionaries and sets whose order does not affect a result, by file and a part of the line.
  private static let harmless: [(file: String, part: String, reason: String)] = [
    ("CacheExplanation.swift", "for part in wanted", "an array in this file"),
    ("PendingUses.swift", "names.filter", "keeps a set, in no order"),
    ("InertStyle.swift", "values.filter", "keeps a dictionary, in no order"),
    ("PendingUses.swift", "in earlier.", "sums, each on its own"),
    ("Removal.swift", "objects.keys(in: prefix)", "a list"),
    ("IndexJournal.swift", "records.flatMap", "a list in this place"),
    ("SQLiteDatabase.swift", "statements.values", "released"),
    ("Storing.swift", "in items where", "removes, each on its own"),
    ("Storing.swift", "backlog.items.values", "removes, each on its own"),
    ("Storing.swift", "temporaryName(", "a name of a temporary file"),
    ("FontContext.swift", "hbFonts.values", "released"),
    ("GlyphRasterizer.swift", "faces.values", "released"), ("VectorFonts.swift", "faces.values", "released"),
    ("VectorCanvas+Images.swift", "surfaces.values", "released"), ("PDFWriter.swift", "document.links", "a list"),
    ("PDFWriter.swift", "linksOfPages.reduce", "fills a dictionary"),
    ("DecodedImageCache.swift", "lastUse <", "no two uses have the same number"),
    ("ResolvedFont.swift", "tags", "an array, or sorted behind"),
    ("SelectorMatcher.swift", "names.map", "makes a set of an array"),
    ("ColorMix.swift", "result.values", "components of a colour"),
    ("SupportPage.swift", "$0.values.split", "text"),
    ("Template.swift", "attributes.map(\\.json)", "a list"),
    ("Template+Expansion.swift", "in attributes", "fills a dictionary"),
    ("AccessControl.swift", "scopes.compactMap", "makes a set of an array"),
    ("Metrics.swift", "in state.", "lines, sorted behind"),
    ("RequestCoalescer.swift", "waiting.values", "all have the same answer"),
    ("Sandbox.swift", "readable.map", "rules, whose order does not count"),
    ("CacheTexts.swift", "members.joined", "a list"),
    ("FontCatalogWriting.swift", "for member in members", "a list"), ("FontCatalogWriting.swift", "for name in names", "a list"),
    ("FragmentFonts.swift", "pseudoStyles.values", "marks what is there"),
    ("ScrollPartResults.swift", "owners.map", "makes a set of a set"),
    ("WebhookQueue.swift", "sleepers.forEach", "all are canceled"),
    ("FaceIndex.swift", "known.filter", "sorted behind"), ("PageContents.swift", "for piece in pieces", "a list"),
  ]

  @Test("Nothing is sorted by address or hash, and no loop over a dictionary or a set affects a result")
  func source() throws {
    let folder = OwnPages.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let sources = files.filter { $0.pathExtension == "swift" }
    #expect(sources.count > 100)
    for file in sources {
      for (number, line) in try SourceScan(file).suspicious {
        let isKnown = Self.harmless.contains { file.lastPathComponent == $0.file && line.contains($0.part) }
        #expect(isKnown, "\(file.lastPathComponent):\(number): \(line)")
      }
    }
  }

  @Test(
    "The scan of the source finds what it looks for",
    arguments: [
      "for (k, v) in table { use(k) }", "let list = table.map { $0 }", "for name in seen where name.isEmpty {", "for v in x.table.values {",
      "styles.sorted { $0.record < $1.record }", "keys.sorted { $0.hashValue < $1.hashValue }",
      "a.sort { ObjectIdentifier($0) < ObjectIdentifier($1) }", "let text = seen.joined()",
    ])
  func scanFinds(_ line: String) {
    #expect(!SourceScan(text: "var table: [String: Int] = [:]\nvar seen: Set<String> = []\n\(line)\n").suspicious.isEmpty)
    #expect(SourceScan(text: "var table: [Int] = []\nfor x in table { use(x) }\n").suspicious.isEmpty)
  }
}

/// Lines that may let an undefined order affect a result.
private struct SourceScan {
  let suspicious: [(number: Int, line: String)]

  init(_ file: URL) throws { self.init(text: try String(contentsOf: file, encoding: .utf8)) }

  init(text: String) {
    let names = SourceScan.unorderedNames(text)
    suspicious = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.hasPrefix("//"), SourceScan.isSuspicious(line, names) else { return nil }
      return (index + 1, line)
    }
  }

  private static func unorderedNames(_ text: String) -> Set<String> {
    let typed = /\b(\w+)\s*:\s*(?:inout\s+)?(?:\[\s*[\w.<>]+\s*:\s|Set<|Dictionary<)/
    let made = /\b(?:var|let)\s+(\w+)\s*=\s*(?:Set[<(]|Dictionary[<(]|\[[\w.<>]+\s*:\s*[^\]]+\]\()/
    return Set(text.matches(of: typed).map { String($0.1) } + text.matches(of: made).map { String($0.1) })
  }

  private static func isSuspicious(_ line: String, _ names: Set<String>) -> Bool {
    if line.contains(".hashValue") { return true }
    if line.contains(/\.sort(ed)?\b.*(\.record\b|ObjectIdentifier|bitPattern)/) { return true }
    if let loop = line.firstMatch(of: /\bfor\s+[^{]*?\bin\s+(?:\w+[.?!]+)*(\w+)\s*(?:where\b|\{)/), names.contains(String(loop.1)) {
      return true
    }
    if line.contains(/\bfor\s.*\bin\s+[\w.?!]+\.(values|keys)\b(?!\.sorted)/) { return true }
    return line.matches(of: /\b(\w+)\.(?:map|forEach|filter|compactMap|flatMap|reduce|min|max|joined)\b/).contains {
      names.contains(String($0.1))
    }
  }
}

private final class AskedFor: @unchecked Sendable {
  private let lock = NSLock()
  private var urls: [String] = []
  func add(_ url: String) { lock.withLock { urls.append(url) } }
  func take() -> [String] {
    lock.withLock {
      defer { urls = [] }
      return urls
    }
  }
}

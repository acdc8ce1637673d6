import Foundation

/// A small page and its expected dump: `NAME.html` and `NAME.txt` in the same folder.
///
/// A comment at the start of the page specifies what is compared: `<!-- fragments; display list; width 200; height 100; diagnostics a b -->`
/// (by default, fragments). `pixels` are the colors of small images.
public struct Fixture: Sendable, CustomStringConvertible {
  /// The path relative to the folder of fixtures, without `.html`.
  public let name: String
  public let path: String
  public let html: String
  /// The parts of the dump that are compared.
  public private(set) var sections: [String] = []
  public private(set) var width = 300.0
  /// Nil for the height of the contents.
  public private(set) var height: Double?
  /// `at 500ms`: the time on the page's timeline.
  public private(set) var time = "0"
  /// The codes of expected diagnostics; others fail the test.
  public private(set) var diagnostics: [String] = []

  public var description: String { name }

  public init(name: String, folder: String) throws {
    self.name = name
    path = "\(folder)/\(name)"
    html = try String(contentsOfFile: "\(path).html", encoding: .utf8)
    if html.hasPrefix("<!--"), let end = html.range(of: "-->") {
      for option in html[..<end.lowerBound].dropFirst(4).split(separator: ";") { read(option.split(separator: " ").map(String.init)) }
    }
    if sections.isEmpty { sections = ["fragments"] }
  }

  private mutating func read(_ words: [String]) {
    switch words.first {
    case "width": width = words.last.flatMap { Double($0) } ?? width
    case "height": height = words.last.flatMap { Double($0) }
    case "at": time = words.last ?? time
    case "diagnostics": diagnostics = words.dropFirst().sorted()
    case "boxes", "fragments", "display", "pixels": sections.append(words.joined(separator: " "))
    default: break
    }
  }

  /// The recorded dump; nil if there is none yet.
  public var expected: String? { try? String(contentsOfFile: "\(path).txt", encoding: .utf8) }

  public func record(_ text: String) throws { try text.write(toFile: "\(path).txt", atomically: true, encoding: .utf8) }

  /// All fixtures of a folder, sorted by name.
  public static func all(in folder: String) throws -> [Fixture] {
    let files = FileManager.default.enumerator(atPath: folder)?.allObjects.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".html") }.sorted().map { try Fixture(name: String($0.dropLast(5)), folder: folder) }
  }
}

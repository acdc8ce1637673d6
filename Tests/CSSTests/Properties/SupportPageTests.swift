import Foundation
import Testing

@testable import OffprintCSS

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

private func sources(_ folder: String) throws -> String {
  let files = FileManager.default.enumerator(
    at: root.appendingPathComponent("Sources/\(folder)"), includingPropertiesForKeys: nil)
  let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
  return try swift.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
}

@Suite("The support page")
struct SupportPageTests {
  @Test("docs/css-support.md matches the property table; OFFPRINT_WRITE_DOCS=1 writes it")
  func isUpToDate() throws {
    let file = root.appendingPathComponent("docs/css-support.md")
    if ProcessInfo.processInfo.environment["OFFPRINT_WRITE_DOCS"] != nil {
      try PropertyTable.supportPage().write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == PropertyTable.supportPage(),
      "run `make docs`")
  }

  /// Fields that layout and painting read under another name after styles are computed, and those used by the cascade itself.
  private static let readAs = [
    "willChange": "willChangeStackingContext",
    "isReverse": "flexDirection", "contentVisibility": "containment", "pack": "justifyContent", "ordinal": "order",
    "isVertical": "flexDirection", "align": "alignItems",
    "flex": "flexGrow", "positionsX": "position", "positionsY": "position", "sizes": "size",
    "repeats": "repeatX", "images": "image",
    "attachments": "attachment", "origins": "origin", "clips": "clip", "blendModes": "blendMode",
    "composites": "composite",
    "maskModes": "maskMode", "variantLigatures": "features", "variantCaps": "features",
    "variantNumeric": "features",
    "variantEastAsian": "features", "variantPosition": "features", "featureSettings": "features",
    "colorScheme": "isDarkScheme",
  ]
  private static let usedByTheCascade: Set<String> = [
    "container-name", "color-scheme", "math-depth", "animation-name", "animation-duration", "animation-timing-function", "animation-delay",
    "animation-iteration-count", "animation-direction", "animation-fill-mode", "animation-play-state", "animation-composition",
    "animation-timeline", "scroll-timeline-name",
    "scroll-timeline-axis", "view-timeline-name", "view-timeline-axis", "transition-property",
    "transition-duration", "transition-timing-function", "transition-delay", "transition-behavior",
  ]

  /// The field of each longhand, from the sources of the table.
  private func fields() throws -> [String: String] {
    let table = try sources("CSS/Properties/Table")
    var fields: [String: String] = [:]
    for match in table.matches(of: /\b(?:field|keywords|specified|lengths?|colors?)\(\s*"([\w-]+)",\s*\\\w+\.([\w.]+)/) {
      let path = match.2.split(separator: ".").map(String.init)
      let sides: Set<String> = [
        "top", "right", "bottom", "left", "topLeft", "topRight", "bottomRight", "bottomLeft",
      ]
      fields[String(match.1)] = path.last { !sides.contains($0) }
    }
    for part in table.split(separator: /\b(?:fields|specifiedFields)\(\s*"/).dropFirst() {
      guard let name = part.prefixMatch(of: /[\w-]+/),
        let get = part.firstMatch(of: /get:\s*\{[^$]*\$0\.(\w+)|set:\s*\{[^}]*?style\.(\w+)\s*=/)
      else { continue }
      fields[String(name.0)] = (get.1 ?? get.2).map { String($0) }
    }
    for name in PropertyTable.names(supported: true) where name.hasPrefix("-webkit-mask-box-image") { fields[name] = "maskBorder" }
    // SVG properties are in one field, indexed by name.
    let svg = try String(
      contentsOf: root.appendingPathComponent("Sources/CSS/Properties/Table/SVGProperties.swift"),
      encoding: .utf8)
    for match in svg.matches(of: /"([a-z-]+)"/) {
      fields[String(match.1)] = fields[String(match.1)] ?? "svg"
    }
    return fields
  }

  @Test("Exactly the properties documented as supported are read by layout, painting or typography")
  func isTrue() throws {
    let users = try ["Layout", "Painting", "Typography", "Offprint"].map(sources).joined()
    let words = Set(users.matches(of: /\.(\w+)/).map { String($0.1) })
    let fields = try fields()
    func isUsed(_ name: String) -> Bool {
      guard !Self.usedByTheCascade.contains(name) else { return true }
      guard let field = fields[name] else { return false }
      return words.contains(Self.readAs[field] ?? field)
    }
    let supported = PropertyTable.names(supported: true)
    let others = PropertyTable.names(supported: false)
    #expect(supported.count > 200)
    #expect(supported.filter { !isUsed($0) } == [])
    #expect(others.filter(isUsed) == [])
  }
}

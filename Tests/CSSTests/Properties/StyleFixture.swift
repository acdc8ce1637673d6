import OffprintCoreTypes
import OffprintDOM

@testable import OffprintCSS

/// Metrics relative to the font size: x-height 0.5, advance of zero 0.5625, line height 1.25.
struct FixedMetrics: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.75, zeroAdvance: font.size * 0.5625, icAdvance: font.size,
      normalLineHeight: font.size * 1.25)
  }
}

/// Computes styles from declarations as in a style attribute, whose values contain no `;`.
final class StyleFixture {
  let interner = NameInterner(table: .known)
  let arena = StyleArena()
  let quirks: Bool
  let computer: StyleComputer
  var attributes: [String: String] = [:]

  init(quirks: Bool = false, isDark: Bool = false, registered: [String: RegisteredProperty] = [:], reportsAll: Bool = false) {
    self.quirks = quirks
    var properties: [Name: RegisteredProperty] = [:]
    for (name, property) in registered { properties[interner.table.intern(name)] = property }
    computer = StyleComputer(
      arena: arena, viewport: (800, 600), fontMetrics: FixedMetrics(), names: interner, quirks: quirks, isDark: isDark,
      registeredProperties: properties, reportsAll: reportsAll)
    // Styles point into the arena, which must outlive all tests.
    _ = Unmanaged.passRetained(arena)
  }

  func declarations(_ css: String) -> [Declaration]? {
    var result: [Declaration] = []
    var allValid = true
    for item in css.split(separator: ";") {
      guard let colon = item.firstIndex(of: ":") else { continue }
      let name = item[..<colon].filter { $0 != " " && $0 != "\n" }
      let buffer = Tokenizer.tokenize(String(item[item.index(after: colon)...]))
      let context = ParserContext(quirks: quirks, baseURL: "https://example.test/css/a.css", names: interner)
      allValid =
        DeclarationParser.parse(
          name: Array(name.utf8)[...], tokens: 0..<buffer.tokens.count - 1, in: buffer, context: context, important: false, into: &result)
        && allValid
    }
    return allValid ? result : nil
  }

  func accepts(_ css: String) -> Bool { declarations(css) != nil }

  func style(
    _ css: String, parent: ComputedStyle? = nil, isRoot: Bool = false, origin: CascadeOrigin = .author, before: [CascadedDeclaration] = []
  ) -> ComputedStyle {
    let own = (declarations(css) ?? []).map { CascadedDeclaration(declaration: $0, origin: origin, layer: 0) }
    let attributes = attributes
    return computer.compute(
      before + own, parent: isRoot ? nil : parent ?? arena.initialStyle, root: nil, isRootElement: isRoot,
      attribute: { attributes[String(decoding: $0, as: UTF8.self)].map { Array($0.utf8)[...] } })
  }

  func cascaded(_ css: String, origin: CascadeOrigin, layer: UInt32 = 0) -> [CascadedDeclaration] {
    (declarations(css) ?? []).map { CascadedDeclaration(declaration: $0, origin: origin, layer: layer) }
  }
}

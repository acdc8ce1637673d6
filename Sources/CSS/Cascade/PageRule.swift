public import OffprintCoreTypes

/// A `@page` rule. https://drafts.csswg.org/css-page-3/
public struct PageRule: Sendable {
  /// Pseudo-classes in page selectors.
  public enum PseudoClass: Hashable, Sendable { case first, left, right, blank }
  public enum Orientation: Hashable, Sendable { case portrait, landscape }
  public enum Size: Hashable, Sendable {
    case auto
    /// In CSS px.
    case px(width: Float, height: Float)
    /// The default page size in this orientation.
    case orientation(Orientation)
  }
  /// A length in CSS px, or a percentage of the page's width or height.
  public enum Margin: Hashable, Sendable {
    case px(Float)
    case percentage(Float)
    case auto
  }
  struct Declared<Value: Hashable & Sendable>: Hashable, Sendable {
    var value: Value
    var isImportant: Bool
  }

  /// The name in the page selector; nil for all pages.
  public internal(set) var name: ByteString?
  var pseudoClasses: [PseudoClass] = []
  /// Declarations for the page except its size and margins, and declarations for its margin boxes.
  var page = DeclarationBlock()
  var boxes: [PageMarginBox: DeclarationBlock] = [:]
  var size: Declared<Size>?
  /// Top, right, bottom, left.
  var margins: [Declared<Margin>?] = [nil, nil, nil, nil]

  /// https://drafts.csswg.org/css-page-3/#cascading-and-page-context
  private var specificity: Int {
    pseudoClasses.reduce(name == nil ? 0 : 10_000) { $0 + ($1 == .first || $1 == .blank ? 100 : 1) }
  }

  /// The rules that apply to a page, in cascade order.
  static func matching(_ rules: [PageRule], _ classes: Set<PseudoClass>, name: ByteString?) -> [PageRule] {
    rules.enumerated()
      .filter { ($0.element.name == nil || $0.element.name == name) && classes.isSuperset(of: $0.element.pseudoClasses) }
      .sorted { ($0.element.specificity, $0.offset) < ($1.element.specificity, $1.offset) }.map(\.element)
  }

  /// A page size keyword in CSS px, portrait. https://drafts.csswg.org/css-page-3/#page-size-prop
  public static func named(_ name: String) -> (width: Float, height: Float)? {
    func mm(_ width: Float, _ height: Float) -> (Float, Float) { (width * 96 / 25.4, height * 96 / 25.4) }
    return switch name.lowercased() {
    case "a3": mm(297, 420)
    case "a4": mm(210, 297)
    case "a5": mm(148, 210)
    case "b4": mm(250, 353)
    case "b5": mm(176, 250)
    case "jis-b4": mm(257, 364)
    case "jis-b5": mm(182, 257)
    case "letter": (816, 1056)
    case "legal": (816, 1344)
    case "ledger": (1056, 1632)
    default: nil
    }
  }
}

/// The page size and margins that result from the `@page` rules for a page.
public struct PageStyle: Hashable, Sendable {
  public var size: PageRule.Size?
  /// Top, right, bottom, left; nil if not specified.
  public var margins: [PageRule.Margin?]

  /// - Parameters:
  ///   - classes: The pseudo-classes of the page.
  ///   - name: The page name.
  public init(_ rules: [PageRule], _ classes: Set<PageRule.PseudoClass>, name: ByteString? = nil) {
    let matching = PageRule.matching(rules, classes, name: name)
    func last<Value>(_ values: [PageRule.Declared<Value>?]) -> Value? {
      let declared = values.compactMap(\.self)
      return (declared.last { $0.isImportant } ?? declared.last)?.value
    }
    size = last(matching.map(\.size))
    margins = (0..<4).map { side in last(matching.map { $0.margins[side] }) }
  }

  /// Whether neither size nor margins are specified.
  public var isEmpty: Bool { size == nil && margins.allSatisfy { $0 == nil } }
}

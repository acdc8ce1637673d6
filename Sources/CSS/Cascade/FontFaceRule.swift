public import OffprintCoreTypes

/// A `@font-face` rule.
///
/// https://drafts.csswg.org/css-fonts-4/#font-face-rule
public struct FontFaceRule: Hashable, Sendable {
  public enum Source: Hashable, Sendable {
    case local(String)
    /// `format` is empty if not specified.
    case url(String, format: String)
  }
  public var family = ""
  public var sources: [Source] = []
  /// The base URL of `sources`.
  public var baseURL = ""
  /// Nil if not specified: the range that the font supports.
  public var weight: ClosedRange<Float>?
  /// In percent.
  public var stretch: ClosedRange<Float> = 100...100
  public var slope = FontStyle.Slope.normal
  /// Empty for all of Unicode.
  public var unicodeRange: [ClosedRange<UInt32>] = []
  /// Fractions of the font size; nil for `normal`.
  public var ascentOverride: Float?
  public var descentOverride: Float?
  public var lineGapOverride: Float?
  /// Factor of the font size.
  public var sizeAdjust: Float = 1
  public init() {}
}

/// A `@counter-style` rule.
///
/// https://drafts.csswg.org/css-counter-styles-3/
public struct CounterStyleRule: Hashable, Sendable {
  public enum Symbol: Hashable, Sendable {
    case text(String)
    case image(String)
  }
  public enum System: Hashable, Sendable {
    case cyclic, numeric, alphabetic, symbolic, additive
    case fixed(first: Int)
    case extends(ByteString)
  }
  public var name: ByteString = ""
  public var system = System.symbolic
  /// Whether the rule has enough symbols for its system. Otherwise it does not define a counter style.
  /// https://drafts.csswg.org/css-counter-styles-3/#counter-style-symbols
  var hasSymbols: Bool {
    switch system {
    case .cyclic, .symbolic, .fixed: !symbols.isEmpty
    case .numeric, .alphabetic: symbols.count > 1
    case .additive: !additiveSymbols.isEmpty
    case .extends: true
    }
  }
  public var negative: (prefix: String, suffix: String)? {
    get { negativePrefix.map { ($0, negativeSuffix) } }
    set {
      negativePrefix = newValue?.prefix
      negativeSuffix = newValue?.suffix ?? ""
    }
  }
  private var negativePrefix: String?
  private var negativeSuffix = ""
  public var prefix: String?
  public var suffix: String?
  /// Nil for `auto`. `infinite` bounds are the smallest and largest integers.
  public var range: [ClosedRange<Int>]?
  public var padLength = 0
  public var padSymbol = ""
  /// Nil if not specified: `decimal`, or the fallback of the extended style.
  public var fallback: ByteString?
  public var symbols: [Symbol] = []
  /// In descending order of weight.
  public var additiveSymbols: [AdditiveSymbol] = []
  public init() {}

  public struct AdditiveSymbol: Hashable, Sendable {
    public var weight: Int
    public var symbol: Symbol
    public init(weight: Int, symbol: Symbol) {
      self.weight = weight
      self.symbol = symbol
    }
  }
}

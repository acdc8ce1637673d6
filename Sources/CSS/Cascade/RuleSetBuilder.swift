import OffprintCoreTypes
import OffprintDOM

/// Collects the rules of style sheets during parsing.
struct RuleSetBuilder {
  /// Maximum number of pairs of rule and selector.
  private static let maximumEntries = 1 << 20

  var selectors = SelectorStore()
  var rules: [StyleRule] = []
  var declarations: [Declaration] = []
  var entries: [(head: UInt32, rule: UInt32)] = []
  var layers = LayerTree()
  var containers: [ContainerQuery] = []
  var scopes: [ScopeRule] = []
  var fontFaces: [FontFaceRule] = []
  var pageRules: [PageRule] = []
  var counterStyles: [CounterStyleRule] = []
  var fontFeatureValues = FontFeatureValues()
  var registeredProperties: [Name: RegisteredProperty] = [:]
  /// `@function` rules by name; the last rule of a name wins.
  var functions: [Name: CustomFunction] = [:]
  /// By name; the last rule of a name wins.
  var keyframes: [ByteString: KeyframesRule] = [:]
  /// `@position-try` rules by name; the last rule of a name wins.
  var positionTries: [ByteString: [Declaration]] = [:]
  var isOverLimit = false
  /// The number of `@import` rules followed.
  var imports = 0

  /// Adds a rule for the selectors `heads` with the declarations from `start` on, unless a limit is exceeded.
  mutating func addRule(
    _ heads: Range<UInt32>, from start: Int, important: [Declaration], declaresContent: Bool, place: EnclosingRules, limit: Int
  ) {
    guard !heads.isEmpty, rules.count < limit, entries.count + heads.count < Self.maximumEntries else {
      if !heads.isEmpty { isOverLimit = true }
      declarations.removeSubrange(start...)
      return
    }
    let middle = declarations.count
    declarations.append(contentsOf: important)
    rules.append(
      StyleRule(normal: start..<middle, important: middle..<declarations.count, place: place, declaresContent: declaresContent))
    let rule = UInt32(truncatingIfNeeded: rules.count - 1)
    for head in heads { entries.append((head, rule)) }
  }
}

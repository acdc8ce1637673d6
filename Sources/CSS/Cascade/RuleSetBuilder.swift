import OffprintCoreTypes
import OffprintDOM

/// Collects the rules of style sheets as they are parsed.
struct RuleSetBuilder {
  /// Rules times selectors.
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
  /// `@function` rules by name; the last of a name counts.
  var functions: [Name: CustomFunction] = [:]
  /// By name; the last of a name counts.
  var keyframes: [ByteString: KeyframesRule] = [:]
  /// `@position-try` rules by name; the last of a name counts.
  var positionTries: [ByteString: [Declaration]] = [:]
  var isOverLimit = false
  /// How many `@import` rules were followed.
  var imports = 0

  /// Makes a rule of the declarations from `start` on, for the selectors `heads`, unless there are too many.
  mutating func addRule(
    _ heads: Range<UInt32>, from start: Int, important: [Declaration], declaresContent: Bool, place: RulePlace, limit: Int
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

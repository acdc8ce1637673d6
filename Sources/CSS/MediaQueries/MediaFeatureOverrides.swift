/// Values of media features that override those of a desktop browser.
///
/// https://drafts.csswg.org/mediaqueries-5/
public enum MediaFeatureOverrides {
  /// The allowed values by feature name; `resolution` is a number with a unit.
  public static let values: [(name: String, values: [String])] = [
    ("prefers-reduced-motion", ["no-preference", "reduce"]), ("prefers-reduced-transparency", ["no-preference", "reduce"]),
    ("prefers-reduced-data", ["no-preference", "reduce"]), ("prefers-contrast", ["no-preference", "more", "less", "custom"]),
    ("inverted-colors", ["none", "inverted"]), ("color-gamut", ["srgb", "p3", "rec2020"]), ("dynamic-range", ["standard", "high"]),
    ("video-dynamic-range", ["standard", "high"]), ("hover", ["none", "hover"]), ("any-hover", ["none", "hover"]),
    ("pointer", ["none", "coarse", "fine"]), ("any-pointer", ["none", "coarse", "fine"]), ("update", ["none", "slow", "fast"]),
    ("scripting", ["none", "initial-only", "enabled"]),
    ("display-mode", ["browser", "standalone", "minimal-ui", "fullscreen", "window-controls-overlay", "picture-in-picture"]),
    ("resolution", []),
  ]

  /// Whether a value is allowed for a feature; both in lowercase.
  public static func isValid(_ name: String, _ value: String) -> Bool {
    guard let row = values.first(where: { $0.name == name }) else { return false }
    return name == "resolution" ? resolution(value).map { $0 > 0 && $0 <= 1000 } == true : row.values.contains(value)
  }

  /// The feature value for queries. Wider gamuts and ranges include the narrower ones.
  static func featureValue(_ name: String, _ value: String) -> FeatureValue? {
    switch name {
    case "resolution": return resolution(value).map { .resolution($0) }
    case "color-gamut": return .keywords(Array(["srgb", "p3", "rec2020"].prefix { $0 != value }) + [value])
    case "dynamic-range", "video-dynamic-range": return .keywords(value == "high" ? ["standard", "high"] : ["standard"])
    default: return value == "no-preference" ? .preference(value) : .keyword(value)
    }
  }

  private static func resolution(_ text: String) -> Double? {
    let list = TokenList(Tokenizer.tokenize(text))
    return list.count == 1 ? MediaValue(list: list).resolution(0..<1) : nil
  }
}

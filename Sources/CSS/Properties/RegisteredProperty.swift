import OffprintCoreTypes

/// A custom property registered with `@property`.
///
/// https://drafts.css-houdini.org/css-properties-values-api/
struct RegisteredProperty: Sendable {
  /// As specified; `*` for any value.
  var syntax: String
  var inherits: Bool
  /// As UTF-8; nil if not specified.
  var initialValue: [UInt8]?
}

extension RegisteredProperty {
  /// Interpolates between two values; nil for types that cannot be interpolated.
  func interpolated(_ a: [UInt8], _ b: [UInt8], _ part: Double) -> [UInt8]? {
    let from = String(decoding: a, as: UTF8.self), to = String(decoding: b, as: UTF8.self)
    let share = max(-1e6, min(1e6, part))
    switch syntax {
    case "<length>", "<number>", "<percentage>", "<length-percentage>", "<angle>", "<time>":
      return Array("calc((\(from)) * \(1 - share) + (\(to)) * \(share))".utf8)
    case "<integer>": return Array("round((\(from)) * \(1 - share) + (\(to)) * \(share))".utf8)
    case "<color>":
      let percentage = max(0, min(1, share)) * 100
      return Array("color-mix(in srgb, \(from) \(100 - percentage)%, \(to) \(percentage)%)".utf8)
    default: return nil
    }
  }

  /// Whether `text` matches the syntax. Syntaxes with several components accept any value.
  ///
  /// https://drafts.css-houdini.org/css-properties-values-api/#supported-names
  func accepts(_ text: [UInt8]) -> Bool {
    let buffer = Tokenizer.tokenize(text)
    var parser = ValueParser(buffer: buffer, tokens: 0..<max(buffer.tokens.count - 1, 0), quirks: false, baseURL: "", element: nil)
    switch syntax {
    case "<length>": return parser.length() != nil && parser.isAtEnd()
    case "<number>": return parser.number() != nil && parser.isAtEnd()
    case "<integer>": return parser.integer() != nil && parser.isAtEnd()
    case "<percentage>": return parser.percentage() != nil && parser.isAtEnd()
    case "<length-percentage>": return parser.lengthPercentage() != nil && parser.isAtEnd()
    case "<color>": return parser.color() != nil && parser.isAtEnd()
    case "<angle>": return parser.angle() != nil && parser.isAtEnd()
    case "<time>": return parser.dimension(.time) != nil && parser.isAtEnd()
    case "<image>": return parser.image() != nil && parser.isAtEnd()
    case "<custom-ident>": return parser.customIdentifier() != nil && parser.isAtEnd()
    case "<string>": return parser.string() != nil && parser.isAtEnd()
    default: return true
    }
  }
}

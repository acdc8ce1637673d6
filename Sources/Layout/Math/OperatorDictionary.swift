/// The default spacing and stretching of operators. https://w3c.github.io/mathml-core/#operator-dictionary
enum MathOperatorDictionary {
  enum Form { case infix, prefix, postfix }

  struct Properties: OptionSet {
    var rawValue: UInt8
    static let stretchy = Properties(rawValue: 1)
    static let symmetric = Properties(rawValue: 2)
    static let largeOp = Properties(rawValue: 4)
    static let movableLimits = Properties(rawValue: 8)
  }

  struct Entry {
    /// In 1/18 em.
    var leading: Int
    var trailing: Int
    var properties: Properties

    init(_ leading: Int, _ trailing: Int, _ properties: Properties) {
      self.leading = leading; self.trailing = trailing; self.properties = properties
    }

    static var `default`: Entry { Entry(5, 5, []) }
  }

  /// https://w3c.github.io/mathml-core/#dfn-algorithm-to-determine-the-category-of-an-operator
  static func entry(_ content: [UInt8], _ form: Form) -> Entry? {
    guard let key = key(content, form) else { return nil }
    if key == 0x1EEF0 || key == 0x1EEF1 { return form == .postfix ? Entry(0, 0, .stretchy) : nil }
    if form == .infix, key == 0x7C || key == 0x223C { return .default }
    return categories.first { $0.form == form && contains($0.entries, key) }?.properties
  }

  private static func key(_ content: [UInt8], _ form: Form) -> UInt32? {
    guard content.count <= 8 else { return nil }
    let scalars = Array(String(decoding: content, as: UTF8.self).unicodeScalars)
    guard let first = scalars.first, scalars.count <= 2 else { return nil }
    if scalars.count == 1 { return (0x320...0x3FF).contains(first.value) ? nil : first.value }
    // A negated operator has the properties of the operator.
    if scalars[1].value == 0x338 || scalars[1].value == 0x20D2 { return first.value }
    let pair = String(decoding: content, as: UTF8.self)
    return pairs.firstIndex(of: pair).map { 0x320 + UInt32($0) }
  }

  static func contains(_ ranges: [ClosedRange<UInt32>], _ key: UInt32) -> Bool {
    var low = 0, high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(key)
  }
}

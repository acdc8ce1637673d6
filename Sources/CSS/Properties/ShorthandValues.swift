/// The longhand values of a shorthand during parsing. Longhands without a value are set to their initial values.
struct ShorthandValues {
  let shorthand: Shorthand
  private var values: [(PropertyID, PropertyValue)] = []
  /// Whether some value is relative to the element but is not a contiguous range of tokens, so that the whole shorthand has to be parsed
  /// again for each element.
  private(set) var isWholeRelative = false

  init(shorthand: Shorthand) { self.shorthand = shorthand }

  subscript(property: PropertyID) -> PropertyValue? {
    get { values.last { $0.0 == property }?.1 }
    set { if let newValue { values.append((property, newValue)) } }
  }

  func has(_ index: Int) -> Bool { self[shorthand.longhands[index]] != nil }

  /// Parses the value of the longhand at `index` of the shorthand.
  mutating func take(_ index: Int, _ parser: inout ValueParser) -> Bool {
    guard index < shorthand.longhands.count else { return false }
    let property = shorthand.longhands[index]
    let row = PropertyTable.shared[property]
    _ = parser.peek()
    let start = parser.remaining.lowerBound
    let wasRelative = parser.isRelative
    parser.isRelative = false
    parser.isQuirky = false
    parser.allowsUnitlessLength = shorthand.hasQuirks && row.allowsUnitlessLength
    parser.allowsHashlessColor = shorthand.hasQuirks && row.allowsHashlessColor
    let value = row.kind.parse(&parser)
    let isRelative = parser.isRelative
    parser.isRelative = wasRelative || isRelative
    parser.allowsUnitlessLength = false
    parser.allowsHashlessColor = false
    guard let value else {
      parser.rewind(to: start)
      parser.isRelative = wasRelative
      return false
    }
    if isRelative, parser.element == nil {
      let raw = RawValue(
        buffer: parser.buffer, tokens: start..<parser.remaining.lowerBound, quirks: parser.quirks && shorthand.hasQuirks,
        baseURL: parser.baseURL, hasSubstitutions: false)
      self[property] = .relative(raw)
    } else {
      self[property] = .specified(value)
    }
    return true
  }

  /// Copies the value of the longhand at `other` to that at `index`.
  mutating func copy(_ index: Int, from other: Int) { self[shorthand.longhands[index]] = self[shorthand.longhands[other]] }

  mutating func setInitial(_ index: Int) { self[shorthand.longhands[index]] = .wide(.initial) }

  /// Sets the longhand at `index` to a value that `parser` composed from several token ranges.
  mutating func set<Value: Sendable>(_ index: Int, _ value: Value, _ parser: ValueParser) {
    guard PropertyTable.shared[shorthand.longhands[index]].kind.valueType == ObjectIdentifier(Value.self) else { return }
    self[shorthand.longhands[index]] = .specified(FieldValue(value))
    if parser.isRelative, parser.element == nil { isWholeRelative = true }
  }

  mutating func set<Value: Sendable>(_ index: Int, specified value: Specified<Value>, _ parser: ValueParser) {
    guard PropertyTable.shared[shorthand.longhands[index]].kind.valueType == ObjectIdentifier(Value.self) else { return }
    set(index, stored: StoredValue.field(value), parser)
  }

  mutating func set(_ index: Int, stored value: StoredValue, _ parser: ValueParser) {
    self[shorthand.longhands[index]] = .specified(value)
    if parser.isRelative, parser.element == nil { isWholeRelative = true }
  }

  /// Sets the longhand at `index`, which is stored as a list in `EffectStyle`.
  mutating func set<Value: Sendable>(
    _ index: Int, _ value: [Value], _ path: any WritableKeyPath<EffectStyle, [Value]> & Sendable, _ parser: ValueParser
  ) {
    set(index, stored: FieldsValue<EffectStyle, [Value]>(value) { $0[keyPath: path] = $1 }, parser)
  }

  /// Parses the longhands at `indexes` in any order, each at most once. Returns whether there was at least one.
  mutating func takeAnyOrder(_ indexes: [Int], _ parser: inout ValueParser) -> Bool {
    var open = indexes
    var took = false
    search: while !open.isEmpty, !parser.isAtEnd() {
      for (place, index) in open.enumerated() where take(index, &parser) {
        open.remove(at: place)
        took = true
        continue search
      }
      break
    }
    return took
  }
}

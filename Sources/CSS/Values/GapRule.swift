/// Values for the gaps of an axis, in order. https://drafts.csswg.org/css-gaps-1/#lists-repeat
public struct GapList<Value: Hashable & Sendable>: Hashable, Sendable {
  /// A value, or the values in `repeat()`.
  enum Entry: Hashable, Sendable {
    case value(Value)
    /// A nil count is `repeat(auto, …)`, as often as there are gaps.
    case repetition(Int?, [Value])

    func map(_ change: (Value) -> Value) -> Entry {
      switch self {
      case .value(let value): .value(change(value))
      case .repetition(let count, let values): .repetition(count, values.map(change))
      }
    }
  }

  /// The entries as specified.
  let entries: [Entry]

  /// The values before, in and after `repeat(auto, …)`. Without it all values are in `leading`. Stored, since they are needed for each gap.
  private let leading: [Value]
  private let repeated: [Value]
  private let trailing: [Value]

  public init(_ value: Value) { self.init(entries: [.value(value)]) }

  init(entries: [Entry]) {
    var leading: [Value] = [], repeated: [Value] = [], trailing: [Value] = []
    func add(_ values: [Value]) { if repeated.isEmpty { leading += values } else { trailing += values } }
    for entry in entries {
      switch entry {
      case .value(let value): add([value])
      case .repetition(nil, let values): repeated = values
      case .repetition(let count?, let values): for _ in 0..<count { add(values) }
      }
    }
    self.entries = entries
    (self.leading, self.repeated, self.trailing) = (leading, repeated, trailing)
  }

  /// The value for the gap at `index` of `count` gaps. Without `repeat(auto, …)` the list is cycled.
  public func value(_ index: Int, of count: Int) -> Value? {
    guard !repeated.isEmpty else { return leading.isEmpty ? nil : leading[index % leading.count] }
    if index < leading.count { return leading[index] }
    let fromEnd = count - index
    if fromEnd <= trailing.count, trailing.count <= count - leading.count { return trailing[trailing.count - fromEnd] }
    return repeated[(index - leading.count) % repeated.count]
  }

  func map(_ change: (Value) -> Value) -> GapList { GapList(entries: entries.map { $0.map(change) }) }

  public func contains(_ matches: (Value) -> Bool) -> Bool {
    entries.contains { entry in
      switch entry {
      case .value(let value): matches(value)
      case .repetition(_, let values): values.contains(where: matches)
      }
    }
  }
}

/// The rules in the gaps of an axis. https://drafts.csswg.org/css-gaps-1/
public struct GapRule: Hashable, Sendable {
  public enum Break: Hashable, Sendable { case none, normal, intersection }
  public enum Visibility: Hashable, Sendable { case normal, all, around, between }
  /// The distance by which a rule is shortened at the edge of the container (a cap), or where it meets another gap (a junction).
  public struct Inset: Hashable, Sendable {
    public var start = LengthPercentage.zero
    public var end = LengthPercentage.zero
  }
  /// In CSS px.
  public var width = GapList<Float>(3)
  public var style = GapList(BorderLineStyle.none)
  public var color = GapList(ColorValue.currentColor)
  public var breaks = Break.normal
  public var visibility = Visibility.normal
  public var cap = Inset()
  public var junction = Inset()

  public var isVisible: Bool { style.contains(\.isVisible) && width.contains { $0 > 0 } }

  func zoomed(_ zoom: Float) -> GapRule {
    var rule = self
    rule.width = width.map { $0.zoomed(zoom) }
    for inset in [\GapRule.cap, \GapRule.junction] {
      rule[keyPath: inset].start = self[keyPath: inset].start.zoomed(zoom)
      rule[keyPath: inset].end = self[keyPath: inset].end.zoomed(zoom)
    }
    return rule
  }

  mutating func snapWidths(_ resolution: Double) { width = width.map { snappedWidth($0, resolution) } }
}

public enum RuleOverlap: Hashable, Sendable { case rowOverColumn, columnOverRow }

extension ValueParser {
  /// Parses `[ <value> | repeat( [ <integer [1,∞]> | auto ], <value># ) ]#`, with at most one `repeat(auto, …)`.
  mutating func gapList<Value: Hashable & Sendable>(_ item: (inout ValueParser) -> Value?) -> GapList<Value>? {
    var entries: [GapList<Value>.Entry] = []
    var count = 0, hasAuto = false
    repeat {
      guard let entry = gapEntry(item) else { return nil }
      switch entry {
      case .value: count += 1
      case .repetition(nil, let values):
        guard !hasAuto else { return nil }
        hasAuto = true
        count += values.count
      case .repetition(let times?, let values): count += times * values.count
      }
      guard count <= 10_000 else { return nil }
      entries.append(entry)
    } while comma()
    return GapList(entries: entries)
  }

  private mutating func gapEntry<Value>(_ item: (inout ValueParser) -> Value?) -> GapList<Value>.Entry? {
    guard peekFunction()?.equalsIgnoringCase("repeat") == true else { return item(&self).map { .value($0) } }
    return block { parser in
      var count: Int?
      if !parser.keyword("auto") {
        guard let number = parser.integer(min: 1) else { return nil }
        count = min(number, 10_000)
      }
      guard parser.comma(), let values = parser.commaList({ item(&$0) }) else { return nil }
      return .repetition(count, values)
    }
  }

  mutating func ruleWidth() -> Float? {
    let widths: [(StaticString, Float)] = [("thin", 1), ("medium", 3), ("thick", 5)]
    return keyword(of: widths) ?? length(0...Self.lengthLimit)
  }

  /// A rule: width, style and color in any order.
  private struct Line: Hashable, Sendable {
    var width: Float = 3
    var style = BorderLineStyle.none
    var color = ColorValue.currentColor
  }

  private mutating func ruleLine() -> Line? {
    var line = Line(), has = (width: false, style: false, color: false)
    for _ in 0..<3 {
      if !has.width, let width = ruleWidth() {
        (line.width, has.width) = (width, true)
      } else if !has.style, let style = keyword(of: Self.lineStyles) {
        (line.style, has.style) = (style, true)
      } else if !has.color, let color = color() {
        (line.color, has.color) = (color, true)
      } else {
        break
      }
    }
    return has.width || has.style || has.color ? line : nil
  }

  /// Parses `column-rule`, `row-rule`, or the shorthand for both.
  mutating func gapRule(_ values: inout ShorthandValues) -> Bool {
    guard let lines = gapList({ $0.ruleLine() }) else { return false }
    func list<Value>(_ part: (Line) -> Value) -> GapList<Value> {
      GapList(
        entries: lines.entries.map { entry in
          switch entry {
          case .value(let line): .value(part(line))
          case .repetition(let count, let lines): .repetition(count, lines.map(part))
          }
        })
    }
    for first in stride(from: 0, to: values.shorthand.longhands.count, by: 3) {
      values.set(first, list(\.width), self)
      values.set(first + 1, list(\.style), self)
      values.set(first + 2, list(\.color), self)
    }
    return true
  }
}

extension ValueParser {
  mutating func ruleWidths() -> GapList<Float>? { gapList { $0.ruleWidth() } }
  mutating func ruleStyles() -> GapList<BorderLineStyle>? { gapList { $0.keyword(of: Self.lineStyles) } }
  mutating func ruleColors() -> GapList<ColorValue>? { gapList { $0.color() } }
}

extension GapList {
  private func text(_ value: (Value) -> String) -> String {
    entries.map { entry in
      switch entry {
      case .value(let one): value(one)
      case .repetition(let count, let values):
        "repeat(\(count.map { "\($0)" } ?? "auto"), \(values.map(value).joined(separator: ", ")))"
      }
    }.joined(separator: ", ")
  }
}

extension GapList where Value == Float {
  func css(_ writer: ComputedTextWriter) -> String { text { ComputedTextWriter.px($0) } }
}

extension GapList where Value == BorderLineStyle {
  func css(_ writer: ComputedTextWriter) -> String { text { "\($0)" } }
}

extension GapList where Value == ColorValue {
  func css(_ writer: ComputedTextWriter) -> String { text { $0.css(writer) } }
}

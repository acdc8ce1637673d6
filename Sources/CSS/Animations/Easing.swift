/// https://drafts.csswg.org/css-easing-2/
enum Easing: Hashable, Sendable {
  enum Jump: UInt8, Hashable, Sendable { case start, end, none, both }
  struct Point: Hashable, Sendable {
    var input: Double
    var output: Double
  }
  case cubic(Double, Double, Double, Double)
  case steps(Int, Jump)
  case linear([Point])

  static let ease = Easing.cubic(0.25, 0.1, 0.25, 1)

  /// - Parameter isBefore: Whether steps at exactly `input` have not happened yet. https://drafts.csswg.org/css-easing-2/#before-flag
  func output(_ input: Double, isBefore: Bool = false) -> Double {
    switch self {
    case .cubic(let x1, let y1, let x2, let y2): Self.cubic(input, x1, y1, x2, y2)
    case .steps(let count, let jump): Self.steps(input, count, jump, isBefore: isBefore)
    case .linear(let points): Self.linear(input, points)
    }
  }

  private static func cubic(_ x: Double, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> Double {
    func value(_ t: Double, _ a: Double, _ b: Double) -> Double { ((1 - t) * (1 - t) * 3 * a + (1 - t) * 3 * b * t + t * t) * t }
    guard x > 0, x < 1 else { return x <= 0 ? 0 : 1 }
    var low = 0.0, high = 1.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if value(middle, x1, x2) < x { low = middle } else { high = middle }
    }
    return value((low + high) / 2, y1, y2)
  }

  private static func steps(_ input: Double, _ count: Int, _ jump: Jump, isBefore: Bool) -> Double {
    let exact = input * Double(count)
    var step = exact.rounded(.down)
    if jump == .start || jump == .both { step += 1 }
    if isBefore, exact == exact.rounded(.down) { step -= 1 }
    let jumps =
      switch jump {
      case .start, .end: Double(count)
      case .none: Double(count - 1)
      case .both: Double(count + 1)
      }
    return jumps > 0 ? min(max(step, 0), jumps) / jumps : 0
  }

  private static func linear(_ input: Double, _ points: [Point]) -> Double {
    guard points.count > 1 else { return points.first?.output ?? input }
    let next = points.dropFirst().firstIndex { $0.input > input } ?? points.count - 1
    let a = points[next - 1], b = points[next]
    return b.input > a.input ? a.output + (b.output - a.output) * (input - a.input) / (b.input - a.input) : b.output
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-easing-2/#typedef-easing-function
  mutating func easing() -> Easing? {
    let words: [(StaticString, Easing)] = [
      ("ease", .ease), ("linear", .linear([])), ("ease-in", .cubic(0.42, 0, 1, 1)), ("ease-out", .cubic(0, 0, 0.58, 1)),
      ("ease-in-out", .cubic(0.42, 0, 0.58, 1)), ("step-start", .steps(1, .start)), ("step-end", .steps(1, .end)),
    ]
    if let word = keyword(of: words) { return word }
    if let curve = function(
      "cubic-bezier",
      { parser -> Easing? in
        guard let x1 = parser.number(0...1), parser.comma(), let y1 = parser.number(), parser.comma(), let x2 = parser.number(0...1),
          parser.comma(), let y2 = parser.number()
        else { return nil }
        return .cubic(x1, y1, x2, y2)
      })
    {
      return curve
    }
    if let steps = function("steps", { $0.steps() }) { return steps }
    return function("linear") { $0.linearPoints() }
  }

  private mutating func steps() -> Easing? {
    guard let count = integer(min: 1), count < 1_000_000 else { return nil }
    guard comma() else { return .steps(count, .end) }
    let words: [(StaticString, Easing.Jump)] = [
      ("jump-start", .start), ("start", .start), ("jump-end", .end), ("end", .end), ("jump-none", .none), ("jump-both", .both),
    ]
    guard let jump = keyword(of: words), jump != .none || count > 1 else { return nil }
    return .steps(count, jump)
  }

  /// https://drafts.csswg.org/css-easing-2/#linear-easing-function-parsing
  private mutating func linearPoints() -> Easing? {
    var points: [(output: Double, input: Double?)] = []
    let items = commaList { parser -> Bool? in
      guard points.count < 10_000 else { return nil }
      var first = parser.percentage()
      guard let output = parser.number() else { return nil }
      if first == nil { first = parser.percentage() }
      points.append((output, first.map { $0 / 100 }))
      if first != nil, let second = parser.percentage() { points.append((output, second / 100)) }
      return true
    }
    guard let items, items.count > 1 else { return nil }
    if points[0].input == nil { points[0].input = 0 }
    if points[points.count - 1].input == nil { points[points.count - 1].input = 1 }
    var largest = points[0].input ?? 0
    for index in points.indices {
      guard let input = points[index].input else { continue }
      largest = max(largest, input)
      points[index].input = largest
    }
    var index = 0
    while index < points.count {
      guard points[index].input == nil else { index += 1; continue }
      let before = points[index - 1].input ?? 0, next = points[index...].firstIndex { $0.input != nil } ?? points.count - 1
      let step = ((points[next].input ?? 1) - before) / Double(next - index + 1)
      for place in index..<next { points[place].input = before + step * Double(place - index + 1) }
      index = next
    }
    return .linear(points.map { Easing.Point(input: $0.input ?? 0, output: $0.output) })
  }
}

import OffprintCoreTypes

extension ValueParser {
  private enum Side { case left, right, top, bottom, center }
  private static let sideKeywords: [(StaticString, Side)] = [
    ("left", .left), ("right", .right), ("top", .top), ("bottom", .bottom), ("center", .center),
  ]

  private enum Part {
    case side(Side)
    case offset(LengthPercentage)
    var isHorizontal: Bool { if case .side(.left) = self { true } else if case .side(.right) = self { true } else { false } }
    var isVertical: Bool { if case .side(.top) = self { true } else if case .side(.bottom) = self { true } else { false } }
  }

  private mutating func part() -> Part? {
    if let side = keyword(of: Self.sideKeywords) { return .side(side) }
    return lengthPercentage().map { .offset($0) }
  }

  /// Parses a `<position>`, including the three-value form if `allowsThree`. https://drafts.csswg.org/css-values-4/#typedef-position
  mutating func position(allowsThree: Bool = false, allowsFour: Bool = true) -> Position? {
    let start = remaining.lowerBound
    guard let all = list(max: allowsFour ? 4 : 2, { $0.part() }) else { return nil }
    // Following values may look like parts of the position; the longest valid prefix is used.
    for count in stride(from: all.count, through: 1, by: -1) {
      guard let position = position(of: Array(all.prefix(count)), allowsThree) else { continue }
      if count < all.count {
        rewind(to: start)
        _ = list(max: count) { $0.part() }
      }
      return position
    }
    rewind(to: start)
    return nil
  }

  private func position(of parts: [Part], _ allowsThree: Bool) -> Position? {
    switch parts.count {
    case 1: return pair(parts[0], .side(.center))
    case 2: return pair(parts[0], parts[1])
    case 3: return allowsThree ? threeValues(parts) : nil
    default: return fourValues(parts)
    }
  }

  private func pair(_ a: Part, _ b: Part) -> Position? {
    var (a, b) = (a, b)
    if a.isVertical || b.isHorizontal {
      if case .offset = a { return nil }
      if case .offset = b { return nil }
      swap(&a, &b)
    }
    guard !a.isVertical, !b.isHorizontal else { return nil }
    return Position(x: offset(a), y: offset(b))
  }

  private func offset(_ part: Part) -> LengthPercentage {
    switch part {
    case .offset(let value): value
    case .side(.left), .side(.top): .percentage(0)
    case .side(.center): .percentage(50)
    case .side(.right), .side(.bottom): .percentage(100)
    }
  }

  private func from(_ side: Side, _ value: LengthPercentage) -> LengthPercentage {
    side == .right || side == .bottom ? value.fromEnd : value
  }

  private func fourValues(_ parts: [Part]) -> Position? {
    guard case .side(let a) = parts[0], case .offset(let x) = parts[1], case .side(let b) = parts[2], case .offset(let y) = parts[3]
    else { return nil }
    if a == .left || a == .right, b == .top || b == .bottom { return Position(x: from(a, x), y: from(b, y)) }
    if a == .top || a == .bottom, b == .left || b == .right { return Position(x: from(b, y), y: from(a, x)) }
    return nil
  }

  /// Parses three values, of which one keyword has an offset: `right 10px center`, `center bottom 5px`.
  private func threeValues(_ parts: [Part]) -> Position? {
    guard case .side(let first) = parts[0] else { return nil }
    var (a, b) = (parts[0], parts[2])
    var (aOffset, bOffset): (LengthPercentage?, LengthPercentage?) = (nil, nil)
    if case .offset(let value) = parts[1] {
      guard first != .center else { return nil }
      aOffset = value
    } else if case .offset(let value) = parts[2], case .side(let second) = parts[1], second != .center {
      b = parts[1]
      bOffset = value
    } else {
      return nil
    }
    if a.isVertical || b.isHorizontal {
      swap(&a, &b)
      swap(&aOffset, &bOffset)
    }
    guard case .side(let x) = a, case .side(let y) = b, !a.isVertical, !b.isHorizontal else { return nil }
    return Position(x: aOffset.map { from(x, $0) } ?? offset(a), y: bOffset.map { from(y, $0) } ?? offset(b))
  }

  /// Parses `background-position-x` or `-y`.
  mutating func axisPosition(horizontal: Bool) -> LengthPercentage? {
    if let side = attempt({ parser -> Side? in
      guard let side = parser.keyword(of: Self.sideKeywords) else { return nil }
      return side == .center || (side == .left || side == .right) == horizontal ? side : nil
    }) {
      guard side != .center else { return .percentage(50) }
      guard let value = lengthPercentage() else { return side == .left || side == .top ? .percentage(0) : .percentage(100) }
      return from(side, value)
    }
    return lengthPercentage()
  }
}

extension LengthPercentage {
  /// 100% minus this value: an offset from the right or bottom.
  var fromEnd: LengthPercentage {
    switch self {
    case .length(let px): px == 0 ? .percentage(100) : .sum(px: -px, percent: 100)
    case .percentage(let percent): .percentage(100 - percent)
    case .sum(let px, let percent): .sum(px: -px, percent: 100 - percent)
    case .math(let expression): .math(.sum([.percentage(100), .product(expression, -1)]))
    }
  }
}

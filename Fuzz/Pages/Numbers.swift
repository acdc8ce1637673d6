extension ValueGenerator {
  private static let hostile: StaticWords = """
    0 -1 1e9 -1e9 1e38 -1e38 3.5e38 1e308 -1e308 1e-40 -1e-40 1e-7 0.0001 65535 65536 16777217 33554431 33554432 2147483647 2147483648
    -2147483648 4294967296 9223372036854775807 99999999999999999999 -0 0.5 0.015625 1000000 100000 1e400
    """
  private static let calculations: StaticWords = """
    0/0 NaN infinity -infinity 1/0 -1/0 sqrt(-1) log(0) pow(10,400) mod(5,0) rem(infinity,3) round(1,0) exp(1e9) hypot(1e308,1e308)
    clamp(3,2,1) max(NaN,1) min(1,infinity) sign(NaN) acos(2) tan(90deg) 1e308*1e308 (1e38*1e38) abs(-infinity) atan2(0,0)
    """

  mutating func number(in range: ClosedRange<Double>?) -> String {
    if random.chance(hostility) {
      return random.chance(25) ? "calc(\(random.word(Self.calculations)))" : random.word(Self.hostile)
    }
    let low = max(range?.lowerBound ?? -2, -8)
    let span = min(range?.upperBound ?? 8, 1000) - low
    let value = low + Double(random.below(1 + Int(min(span, 10) * 4))) / 4
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  mutating func integer(in range: ClosedRange<Double>?) -> String {
    if random.chance(hostility) {
      return random.chance(15) ? "calc(\(random.word(Self.calculations)))" : random.word(Self.hostile)
    }
    return "\(max(Int(max(range?.lowerBound ?? -2, -8)), random.between(-2, 6)))"
  }

  mutating func length(in range: ClosedRange<Double>?) -> String {
    if random.chance(hostility) { return hostileDimension() }
    let isNegative = range == nil && random.chance(12)
    let sign = isNegative ? "-" : ""
    switch random.below(20) {
    case 0...9: return "\(sign)\(random.between(0, random.chance(80) ? 40 : 300))px"
    case 10...12: return "\(sign)\(random.between(0, 4))\(random.word("em rem ch ex lh cap ic rlh"))"
    case 13: return "0"
    case 14: return "\(sign)\(random.between(0, 50))\(random.word("vw vh vmin vmax vi vb cqw cqh cqi cqb cqmin svh lvw dvi"))"
    case 15: return "\(sign)\(random.between(0, 12))\(random.word("pt mm in pc Q cm"))"
    case 16: return "\(sign)\(Double(random.between(0, 6400)) / 64)px"
    case 17: return "calc(\(random.between(0, 40))px \(random.word("+ -")) \(random.between(0, 3))em)"
    case 18: return "\(random.word("min max"))(\(random.between(0, 90))px, \(random.between(0, 9))em)"
    default: return "clamp(\(random.between(0, 20))px, \(random.between(0, 90))vw, \(random.between(10, 200))px)"
    }
  }

  private mutating func hostileDimension() -> String {
    let unit = random.word("px px px em % vw rem pt ch cqw lh")
    guard random.chance(25) else { return random.word(Self.hostile) + unit }
    return "calc(\(unit == "%" ? "1px" : "1" + unit) * (\(random.word(Self.calculations))))"
  }

  mutating func percentage(in range: ClosedRange<Double>?) -> String {
    if random.chance(hostility) { return random.word(Self.hostile) + "%" }
    return "\(range == nil && random.chance(10) ? "-" : "")\(random.pick([0, 1, 10, 25, 33, 50, 100, 100, 120, 200]))%"
  }

  mutating func lengthPercentage(in range: ClosedRange<Double>?) -> String {
    if random.chance(4) {
      return "calc(\(percentage(in: range)) \(random.word("+ -")) \(length(in: range)))"
    }
    return random.chance(30) ? percentage(in: range) : length(in: range)
  }
}

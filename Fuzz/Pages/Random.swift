/// SplitMix64. The same seed produces the same numbers on every machine.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x6A09_E667_F3BC_C909 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() >> 33) % bound }
  mutating func between(_ low: Int, _ high: Int) -> Int { low + below(high - low + 1) }
  /// True with a probability of `percent`.
  mutating func chance(_ percent: Double) -> Bool { Double(next() >> 40) / Double(1 << 24) * 100 < percent }
  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
  /// A random word of a list.
  mutating func word(_ words: StaticWords) -> String { pick(words.words) }
}

/// A list of words, written as a literal with spaces between them.
struct StaticWords: Sendable, ExpressibleByStringLiteral {
  let words: [String]
  init(stringLiteral value: String) { words = value.split { $0 == " " || $0 == "\n" }.map(String.init) }
  init(_ words: [String]) { self.words = words }
}

/// Resolves texts with several isolates. FriBidi joins isolates of equal depth into one sequence, so that the contents of one affect
/// neutral characters in another; by the standard, isolating run sequences of different isolates are independent. This resolves the
/// contents of each isolate as a separate paragraph, with levels relative to that of the isolate.
///
/// https://www.unicode.org/reports/tr9/#BD13
struct BidiIsolates {
  /// The contents of an isolate, or the paragraph outside of all.
  private struct Sequence {
    /// The character that begins the isolate; nil for the paragraph.
    var initiator: Int?
    var base: BaseDirection
    var characters: [Int] = []
  }

  /// Isolates nested deeper are resolved together with the surrounding text. https://www.unicode.org/reports/tr9/#BD2 allows about as many
  /// levels.
  private static let deepest = 60

  private let codepoints: [UInt32]
  private var sequences: [Sequence] = []

  /// Nil if there are fewer than two isolates, which FriBidi handles correctly.
  init?(_ codepoints: [UInt32], _ base: BaseDirection) {
    guard codepoints.lazy.filter(Self.isInitiator).prefix(2).count == 2 else { return nil }
    self.codepoints = codepoints
    collect(base)
  }

  static func isInitiator(_ codepoint: UInt32) -> Bool { (0x2066...0x2068).contains(codepoint) }

  private mutating func collect(_ base: BaseDirection) {
    sequences = [Sequence(initiator: nil, base: base)]
    var open = [0]
    /// Initiators too deep for a sequence of their own.
    var overflow = 0
    for (index, codepoint) in codepoints.enumerated() {
      if codepoint == 0x2069 {
        if overflow > 0 { overflow -= 1 } else if open.count > 1 { open.removeLast() }
      }
      if let current = open.last { sequences[current].characters.append(index) }
      guard Self.isInitiator(codepoint) else { continue }
      guard open.count <= Self.deepest else {
        overflow += 1
        continue
      }
      sequences.append(Sequence(initiator: index, base: codepoint == 0x2066 ? .leftToRight : codepoint == 0x2067 ? .rightToLeft : .auto))
      open.append(sequences.count - 1)
    }
  }

  /// The levels of all characters, with `resolve` for those of one sequence and for its base level.
  func levels(_ resolve: ([UInt32], BaseDirection) -> (levels: [UInt8], base: UInt8)) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: codepoints.count)
    var paragraph: UInt8 = 0
    for sequence in sequences where !sequence.characters.isEmpty {
      // An object at the end of an isolate keeps spaces before it from being taken for those at a line's end.
      let text = sequence.characters.map { codepoints[$0] } + (sequence.initiator == nil ? [] : [0xfffc])
      let (levels, base) = resolve(text, sequence.base)
      if sequence.initiator == nil { paragraph = base }
      var shift = 0
      if let initiator = sequence.initiator {
        let outer = Int(result[initiator])
        shift = (base & 1 == 0 ? (outer + 2) & ~1 : (outer + 1) | 1) - Int(base)
      }
      for (index, level) in zip(sequence.characters, levels) { result[index] = UInt8(clamping: Int(level) + shift) }
    }
    // https://www.unicode.org/reports/tr9/#L1: at the end of the paragraph, isolates without contents are not in those around them.
    for index in codepoints.indices.reversed() {
      guard Self.isInitiator(codepoints[index]) || codepoints[index] == 0x2069 else { break }
      result[index] = paragraph
    }
    return result
  }
}

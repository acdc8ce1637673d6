import OffprintCoreTypes
import OffprintDOM

/// An image candidate in `srcset`. https://html.spec.whatwg.org/multipage/images.html#image-source
struct ImageCandidate {
  enum Descriptor: Equatable {
    case none
    case width(Double)
    case density(Double)
  }
  var url: ArraySlice<UInt8>
  var descriptor = Descriptor.none
}

/// https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
struct SourceSetParser {
  private let input: ArraySlice<UInt8>
  private var position: Int
  private var candidates: [ImageCandidate] = []

  /// The valid candidates, in order.
  static func parse(_ input: ArraySlice<UInt8>) -> [ImageCandidate] {
    var parser = SourceSetParser(input)
    while let candidate = parser.next() { if let candidate { parser.candidates.append(candidate) } }
    return parser.candidates
  }

  private init(_ input: ArraySlice<UInt8>) {
    self.input = input
    position = input.startIndex
  }

  private mutating func collect(_ isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while position < input.endIndex, isWanted(input[position]) { position += 1 }
    return input[start..<position]
  }

  /// One iteration of the splitting loop: nil at the end, `.some(nil)` for an invalid candidate.
  private mutating func next() -> ImageCandidate?? {
    _ = collect { isHTMLSpace($0) || $0 == 0x2C }
    guard position < input.endIndex else { return nil }
    var url = collect { !isHTMLSpace($0) }
    if url.last == 0x2C {
      while url.last == 0x2C { url.removeLast() }
      return ImageCandidate(url: url)
    }
    return .some(descriptor(descriptors()).map { ImageCandidate(url: url, descriptor: $0) })
  }

  /// The descriptor tokenizer; parentheses group their contents.
  private mutating func descriptors() -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = position
    var isInParentheses = false
    func flush(_ end: Int, _ result: inout [ArraySlice<UInt8>]) { if end > start { result.append(input[start..<end]) } }
    while position < input.endIndex {
      let byte = input[position]
      if isInParentheses {
        isInParentheses = byte != 0x29
      } else if byte == 0x28 {
        isInParentheses = true
      } else if byte == 0x2C {
        flush(position, &result)
        position += 1
        return result
      } else if isHTMLSpace(byte) {
        flush(position, &result)
        start = position + 1
      }
      position += 1
    }
    flush(position, &result)
    return result
  }

  /// The descriptor parser; nil on an error.
  private func descriptor(_ texts: [ArraySlice<UInt8>]) -> ImageCandidate.Descriptor? {
    var width: Double?, density: Double?, height: Double?
    for text in texts {
      switch text.last {
      case 0x77:
        guard width == nil, density == nil, let value = integer(text.dropLast()), value > 0 else { return nil }
        width = value
      case 0x78:
        guard width == nil, density == nil, height == nil, let value = number(text.dropLast()), value >= 0 else { return nil }
        density = value
      case 0x68:
        guard height == nil, density == nil, let value = integer(text.dropLast()), value > 0 else { return nil }
        height = value
      default: return nil
      }
    }
    if let width { return .width(width) }
    return height != nil ? nil : density.map { .density($0) } ?? ImageCandidate.Descriptor.none
  }

  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-non-negative-integer
  private func integer(_ text: ArraySlice<UInt8>) -> Double? {
    guard !text.isEmpty, text.allSatisfy(isDigit) else { return nil }
    return text.reduce(0.0) { min($0 * 10 + Double($1 - 0x30), 2_147_483_647) }
  }

  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number
  private func number(_ text: ArraySlice<UInt8>) -> Double? {
    var rest = text.first == 0x2D ? text.dropFirst() : text
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    if rest.first == 0x2E {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count + 1)
    } else if whole.isEmpty {
      return nil
    }
    if let e = rest.first, e | 0x20 == 0x65 {
      rest = rest.dropFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() }
      guard !rest.isEmpty, rest.allSatisfy(isDigit) else { return nil }
      rest = []
    }
    guard rest.isEmpty, text.count <= 400, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    return value
  }
}

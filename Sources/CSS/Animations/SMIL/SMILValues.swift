import OffprintCoreTypes
import OffprintDOM

/// The values of an animation element, and the value at a time. https://www.w3.org/TR/SMIL3/smil-animation.html
struct SMILValues {
  private enum Kind {
    case list
    /// With `by` alone: from zero, added to the underlying value.
    case by
    /// With `to` alone: from the underlying value.
    case to
  }
  /// At least one.
  private let values: [String]
  private let kind: Kind
  private let pacing: SMILPacing
  private let accumulates: Bool
  private static let maximum = 4096

  /// Nil if there are no values.
  ///
  /// - Parameter normalize: Gives each value a form in which they can be mixed.
  init?(_ document: Document, _ node: NodeID, isSet: Bool = false, normalize: (String) -> String = { $0 }) {
    func text(_ name: String) -> String? { isSet && name != "to" ? nil : document.plainAttribute(name, node).map(normalize) }
    let given = isSet ? [] : Self.list("values", document, node).map(normalize)
    if !given.isEmpty {
      (values, kind) = (given, .list)
    } else if let to = text("to") {
      if isSet { (values, kind) = ([to], .list) } else { (values, kind) = text("from").map { ([$0, to], .list) } ?? ([to], .to) }
    } else if let by = text("by") {
      (values, kind) = text("from").map { ([$0, Self.sum($0, by)], .list) } ?? ([by], .by)
    } else {
      return nil
    }
    accumulates = !isSet && kind != .to && document.plainAttribute("accumulate", node) == "sum"
    let distances = kind == .list ? zip(values, values.dropFirst()).map { SVGNumbers.distance($0, $1) } : []
    pacing = isSet ? SMILPacing() : SMILPacing(document, node, count: kind == .list ? values.count : 2, distances: distances)
  }

  static func list(_ name: String, _ document: Document, _ node: NodeID) -> [String] {
    (document.plainAttribute(name, node) ?? "").split(byte: ";").prefix(maximum).map {
      String(Substring($0.utf8.drop(while: \.isHTMLSpace)))
    }
  }

  /// The value, and whether it is added to the underlying one; nil if nothing changes.
  ///
  /// https://www.w3.org/TR/SMIL3/smil-animation.html#animationNS-AnimationFunction
  /// - Parameter underlying: Nil if it is not known.
  func value(at timing: SMILTiming, isColor: Bool, underlying: @autoclosure () -> String?) -> (text: String, isSum: Bool)? {
    let (index, part) = pacing.segment(timing.progress)
    let reached = Double(index) + part
    switch kind {
    case .by: return (Self.scaled(values[0], reached + (accumulates ? timing.iteration : 0)), true)
    case .to:
      guard reached < 1 else { return (values[0], false) }
      return underlying().map { (Self.mixed($0, values[0], reached, isColor: isColor), false) }
    case .list:
      let isBetween = part > 0 && index + 1 < values.count
      let text = isBetween ? Self.mixed(values[index], values[index + 1], part, isColor: isColor) : values[index]
      guard accumulates, timing.iteration > 0, let last = values.last else { return (text, false) }
      return (isColor ? Self.colorSum(text, last, timing.iteration) : Self.sum(text, Self.scaled(last, timing.iteration)), false)
    }
  }

  // MARK: Mixing

  /// Values that have the same words between their numbers are mixed number by number.
  static func mixed(_ a: String, _ b: String, _ part: Double, isColor: Bool) -> String {
    // Neither `none` nor a paint server mixes with a color.
    if isColor, !Self.isColor(a) || !Self.isColor(b) { return part < 0.5 ? a : b }
    if isColor { return "color-mix(in srgb,\(b) \(SVGNumbers.text(part * 100))%,\(a))" }
    return SVGNumbers.combined(a, b) { $0 + ($1 - $0) * part } ?? (part < 0.5 ? a : b)
  }

  static func sum(_ a: String, _ b: String) -> String { SVGNumbers.combined(a, b) { $0 + $1 } ?? b }

  /// A color with a multiple of another one added. Neither `none` nor a paint server can be added.
  static func colorSum(_ a: String, _ b: String, _ factor: Double = 1) -> String {
    guard isColor(a), isColor(b) else { return a }
    let factor = SVGNumbers.text(factor)
    // Relative colors contain only their own channels: the mixture of equal parts is half of the sum.
    let sum = ["r", "g", "b"].map { "calc(2*\($0))" }.joined(separator: " ")
    let multiple = ["r", "g", "b"].map { "calc(\(factor)*\($0))" }.joined(separator: " ")
    return "rgb(from color-mix(in srgb,\(a),rgb(from \(b) \(multiple))) \(sum))"
  }

  private static func isColor(_ text: String) -> Bool { text != "none" && !text.hasPrefix("url(") }

  private static func scaled(_ a: String, _ factor: Double) -> String { SVGNumbers.combined(a, a) { first, _ in first * factor } ?? a }
}

/// Numbers in the text of attributes.
enum SVGNumbers {
  private static let longest = 1 << 16

  static func list(_ text: some StringProtocol) -> [Double] {
    var scanner = SVGNumberScanner(text.utf8), result: [Double] = []
    scanner.skipSpace()
    while result.count < 4096, let number = scanner.number() {
      result.append(number)
      scanner.skipSpaceAndComma()
    }
    return result
  }

  /// The distance between two lists of numbers. https://www.w3.org/TR/SVG11/animate.html#PacedMode
  static func distance(_ a: String, _ b: String) -> Double {
    zip(list(a), list(b)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  /// The text of `a` with its numbers combined with those of `b`; nil if the text between the numbers differs.
  static func combined(_ a: String, _ b: String, _ body: (Double, Double) -> Double) -> String? {
    guard a.utf8.count < longest, b.utf8.count < longest else { return nil }
    var first = SVGNumberScanner(a.utf8), second = SVGNumberScanner(b.utf8), result = ""
    while !first.isAtEnd || !second.isAtEnd {
      let x = first.number(), y = second.number()
      if let x, let y {
        result += text(body(x, y))
      } else {
        guard x == nil, y == nil, let byte = first.next, let other = second.next, isSame(byte, other) else { return nil }
        result.unicodeScalars.append(Unicode.Scalar(byte))
        if isSpace(byte) { first.skipSpaceAndComma(); second.skipSpaceAndComma() } else { first.advance(); second.advance() }
      }
    }
    return result
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte || byte == 0x2C }

  private static func isSame(_ a: UInt8, _ b: UInt8) -> Bool { a < 0x80 && (a == b || isSpace(a) && isSpace(b)) }

  static func text(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let rounded = (max(-1e9, min(1e9, value)) * 1e4).rounded() / 1e4
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// The arguments of a transform function with omitted ones filled in, so that all values have the same number.
  ///
  /// https://drafts.csswg.org/css-transforms-1/#svg-transform-functions
  static func transformArguments(_ text: String, of type: String) -> String {
    var numbers = list(text)
    guard let first = numbers.first else { return text }
    switch type {
    case "translate": if numbers.count == 1 { numbers.append(0) }
    case "scale": if numbers.count == 1 { numbers.append(first) }
    case "rotate": if numbers.count == 1 { numbers += [0, 0] }
    default: break
    }
    return numbers.map(self.text).joined(separator: " ")
  }
}

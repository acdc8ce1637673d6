import OffprintCoreTypes
import OffprintDOM

/// The values of an animation element, and what they make at a moment. https://www.w3.org/TR/SMIL3/smil-animation.html
struct SMILValues {
  /// At least one; with `by` alone, what is added.
  private var values: [String]
  private var isByAlone = false
  /// From what is there already.
  private var startsFromBase = false
  private let calcMode: String
  private let keyTimes: [Double]
  private let splines: [[Double]]
  private static let most = 4096

  /// Nil where there are no values.
  init?(_ document: Document, _ node: NodeID, isSet: Bool = false, defaultMode: String = "linear") {
    func text(_ name: String) -> String? { document.plainAttribute(name, node) }
    func list(_ name: String) -> [String] {
      (text(name) ?? "").split(byte: ";").prefix(Self.most).map { String(Substring($0.utf8.drop(while: \.isHTMLSpace))) }
    }
    calcMode = isSet ? "discrete" : text("calcMode") ?? defaultMode
    let given = isSet ? [] : list("values")
    if !given.isEmpty {
      values = given
    } else if let to = text("to") {
      if let from = isSet ? to : text("from") {
        values = [from, to]
      } else {
        values = [to]
        startsFromBase = true
      }
    } else if let by = text("by"), !isSet {
      if let from = text("from") {
        values = [from, Self.sum(from, by)]
      } else {
        values = [by]
        isByAlone = true
      }
    } else {
      return nil
    }
    let times = isSet ? [] : list("keyTimes").compactMap { Double($0) }
    let isOrdered = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    keyTimes = times.count == values.count && isOrdered && times.first == 0 && calcMode != "paced" ? times : []
    splines = list("keySplines").map { SVGNumbers.list($0) }
  }

  /// What is shown, and whether it is added to what is there; nil where nothing changes.
  ///
  /// https://www.w3.org/TR/SMIL3/smil-animation.html#animationNS-AnimationFunction
  func value(at progress: Double, isColor: Bool) -> (text: String, isSum: Bool)? {
    if isByAlone { return (Self.scaled(values[0], progress), true) }
    if startsFromBase {
      // Half-way what cannot be mixed changes; what can is mixed with what is there.
      return progress >= (calcMode == "discrete" ? 0.5 : 1) ? (values[0], false) : nil
    }
    let (index, part) = segment(progress)
    guard part > 0, index + 1 < values.count else { return (values[index], false) }
    return (Self.mixed(values[index], values[index + 1], part, isColor: isColor), false)
  }

  /// The value at `progress` or before it, and how far the next one is reached.
  func segment(_ progress: Double) -> (index: Int, part: Double) {
    let last = values.count - 1
    guard last > 0 else { return (0, 0) }
    if calcMode == "discrete" {
      let index = keyTimes.isEmpty ? Int(progress * Double(values.count)) : (keyTimes.lastIndex { $0 <= progress } ?? 0)
      return (max(0, min(index, last)), 0)
    }
    guard progress < 1 else { return (last, 0) }
    var index = Int(progress * Double(last)), part = progress * Double(last) - Double(index)
    if !keyTimes.isEmpty {
      index = min(keyTimes.lastIndex { $0 <= progress } ?? 0, last - 1)
      let length = keyTimes[index + 1] - keyTimes[index]
      part = length > 0 ? min((progress - keyTimes[index]) / length, 1) : 0
    }
    if calcMode == "spline", splines.indices.contains(index), splines[index].count == 4 {
      let s = splines[index].map { max(0, min(1, $0)) }
      part = Easing.cubic(s[0], s[1], s[2], s[3]).output(part)
    }
    return (index, part)
  }

  // MARK: Mixing

  /// Values that have the same words between their numbers are mixed number by number.
  static func mixed(_ a: String, _ b: String, _ part: Double, isColor: Bool) -> String {
    if isColor { return "color-mix(in srgb,\(b) \(SVGNumbers.text(part * 100))%,\(a))" }
    return SVGNumbers.combined(a, b) { $0 + ($1 - $0) * part } ?? (part < 0.5 ? a : b)
  }

  static func sum(_ a: String, _ b: String) -> String { SVGNumbers.combined(a, b) { $0 + $1 } ?? b }

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

  /// The text of `a` with its numbers combined with those of `b`; nil where what is between the numbers is not the same.
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
}

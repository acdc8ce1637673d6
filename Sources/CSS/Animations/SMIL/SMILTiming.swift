import OffprintCoreTypes
import OffprintDOM

/// When an animation element is active, in seconds from the document's begin. https://www.w3.org/TR/SMIL3/smil-timing.html
struct SMILTiming {
  /// The begin of the interval that applies at the time.
  var begin: Double
  /// The progress of the simple duration, from 0 to 1; 0 if it is indefinite.
  var progress: Double
  /// The number of iterations that were completed before.
  var iteration: Double

  /// Nil if the animation has no effect at `time`.
  init?(_ node: NodeID, _ clock: inout SMILClock, at time: AnimationTime) {
    let seconds: Double = if case .seconds(let seconds) = time { seconds } else { .infinity }
    let lengths = clock.lengths(node)
    guard let begin = clock.lastBegin(node, lengths, until: seconds) else { return nil }
    self.begin = begin
    let simple = clock.duration("dur", node), active = lengths.active(from: begin)
    // At the end of all finite animations, infinite ones are at their start.
    var elapsed = time == .end && !active.isFinite ? 0 : seconds - begin
    if elapsed >= active {
      guard clock.isFrozen(node), active > 0 else { return nil }
      elapsed = active
    }
    guard let simple else { (progress, iteration) = (0, 0); return }
    let iterations = ((elapsed / simple) * 1e7).rounded() / 1e7
    (progress, iteration) = (iterations.truncatingRemainder(dividingBy: 1), iterations.rounded(.down))
    // Frozen at the end of an iteration, it stays there.
    if progress == 0, elapsed > 0, elapsed >= active { (progress, iteration) = (1, max(iteration - 1, 0)) }
  }
}

/// The times that animation elements of a document begin and end. https://www.w3.org/TR/SMIL3/smil-timing.html#Timing-BeginEndTimingAttributes
struct SMILClock {
  let document: Document
  let ids: [ByteString: NodeID]
  /// The elements whose times are being resolved, to detect cycles.
  private var resolving: [NodeID] = []
  /// The number of references to other animations that were resolved. Beyond the maximum, references are unresolved.
  private var resolvedReferences = 0
  private static let maximumReferences = 10_000
  private static let maximumDepth = 16
  private static let maximumTimes = 64

  init(_ document: Document, ids: [ByteString: NodeID]) {
    self.document = document
    self.ids = ids
  }

  private func text(_ name: String, _ node: NodeID) -> String? { document.plainAttribute(name, node) }

  func isFrozen(_ node: NodeID) -> Bool { text("fill", node) == "freeze" }

  /// Seconds; nil of none, of `indefinite` and of errors.
  func duration(_ name: String, _ node: NodeID) -> Double? {
    text(name, node).flatMap { Self.seconds($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The attributes that determine the active duration, read once for all begin times.
  struct Lengths {
    /// Without an end.
    fileprivate var duration: Double
    fileprivate var ends: [Double]

    /// https://www.w3.org/TR/SMIL3/smil-timing.html#Timing-ComputingActiveDur
    func active(from begin: Double) -> Double {
      ends.filter { $0 > begin }.min().map { min(duration, $0 - begin) } ?? duration
    }
  }

  mutating func lengths(_ node: NodeID) -> Lengths {
    let simple = duration("dur", node) ?? .infinity
    let count: Double? = text("repeatCount", node).flatMap { $0 == "indefinite" ? .infinity : Double($0) }.flatMap { $0 > 0 ? $0 : nil }
    let total: Double? = text("repeatDur", node) == "indefinite" ? .infinity : duration("repeatDur", node)
    var active = count == nil && total == nil ? simple : min(count.map { simple * $0 } ?? .infinity, total ?? .infinity)
    if let minimum = duration("min", node), minimum.isFinite { active = max(active, minimum) }
    if let maximum = duration("max", node) { active = min(active, maximum) }
    return Lengths(duration: active, ends: times("end", node))
  }

  mutating func begins(_ node: NodeID) -> [Double] { text("begin", node) == nil ? [0] : times("begin", node) }

  /// The begin of the last interval that started at `time` or before it. https://www.w3.org/TR/SMIL3/smil-timing.html#adef-restart
  mutating func lastBegin(_ node: NodeID, _ lengths: Lengths, until time: Double) -> Double? {
    let restart = text("restart", node)
    var last: Double?
    for begin in begins(node).sorted() where begin <= time {
      guard let current = last else { last = begin; continue }
      if restart == "never" || restart == "whenNotActive" && begin < current + lengths.active(from: current) { continue }
      last = begin
    }
    return last
  }

  /// The times of a list that are known before any event happens.
  private mutating func times(_ name: String, _ node: NodeID) -> [Double] {
    guard let list = text(name, node) else { return [] }
    return list.split(byte: ";").prefix(Self.maximumTimes).compactMap { time(String($0)) }
  }

  private mutating func time(_ text: String) -> Double? {
    let item = text.removingHTMLSpaces
    if let seconds = Self.seconds(item) { return seconds }
    guard let dot = item.lastDot(before: "begin") ?? item.lastDot(before: "end") else { return nil }
    resolvedReferences += 1
    guard let node = ids[String(item[..<dot])], resolving.count < Self.maximumDepth, !resolving.contains(node),
      resolvedReferences < Self.maximumReferences
    else {
      return nil
    }
    let rest = item[item.utf8.index(after: dot)...]
    let isBegin = rest.hasPrefix("begin"), offset = String(rest.dropFirst(isBegin ? 5 : 3))
    guard let shift = offset.isEmpty ? 0 : Self.seconds(offset) else { return nil }
    resolving.append(node)
    defer { resolving.removeLast() }
    guard let begin = begins(node).min() else { return nil }
    let time = isBegin ? begin : begin + lengths(node).active(from: begin)
    return time.isFinite ? time + shift : nil
  }

  /// A clock value. https://www.w3.org/TR/SMIL3/smil-timing.html#Timing-ClockValueSyntax
  static func seconds(_ text: String) -> Double? {
    var rest = Substring(text.trimmingHTMLSpaces)
    var sign = 1.0
    if let first = rest.utf8.first, first == 0x2B || first == 0x2D {
      sign = first == 0x2D ? -1 : 1
      rest = Substring(rest.utf8.dropFirst())
    }
    guard let first = rest.utf8.first, first &- 0x30 < 10 || first == 0x2E else { return nil }
    let parts = rest.split(byte: ":", omittingEmptySubsequences: false)
    if parts.count > 1 {
      let numbers = parts.compactMap { Double($0) }
      guard numbers.count == parts.count, numbers.count <= 3 else { return nil }
      return bounded(sign * numbers.reduce(0) { $0 * 60 + $1 })
    }
    for (unit, factor) in [("ms", 0.001), ("min", 60), ("h", 3600), ("s", 1)] as [(String, Double)] where rest.hasSuffix(unit) {
      return Double(rest.dropLast(unit.count)).flatMap { bounded(sign * $0 * factor) }
    }
    return Double(rest).flatMap { bounded(sign * $0) }
  }

  private static func bounded(_ value: Double) -> Double? { value.isFinite ? max(-1e9, min(1e9, value)) : nil }
}

extension String {
  /// The last dot that a word follows: identifiers may have dots.
  fileprivate func lastDot(before word: String) -> String.Index? {
    utf8.indices.last { utf8[$0] == 0x2E && utf8[utf8.index(after: $0)...].starts(with: word.utf8) }
  }
}

extension Document {
  /// An attribute without a namespace, trimmed.
  func plainAttribute(_ name: String, _ node: NodeID) -> String? {
    for attribute in attributes(of: node) where attribute.namespace == .none {
      if names[attribute.name].elementsEqual(name.utf8) { return String(decoding: bytes(attribute.value).trimmingSpaces, as: UTF8.self) }
    }
    return nil
  }
}

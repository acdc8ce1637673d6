import OffprintCoreTypes
import OffprintDOM

/// How the simple duration of an animation element is divided among its values.
/// https://www.w3.org/TR/SMIL3/smil-animation.html#adef-calcMode
struct SMILPacing {
  enum Mode { case linear, discrete, spline, paced }
  let mode: Mode
  private let count: Int
  /// Empty if the intervals are equal.
  private var keyTimes: [Double] = []
  private var splines: [[Double]] = []

  /// Of `set`.
  init() { (mode, count) = (.discrete, 1) }

  /// - Parameter distances: Between the values; they decide the times in the mode `paced`.
  init(_ document: Document, _ node: NodeID, count: Int, distances: [Double] = [], defaultMode: Mode = .linear) {
    self.count = count
    mode = Self.mode(document, node) ?? defaultMode
    if mode == .paced {
      keyTimes = Self.times(distances)
      return
    }
    let times = SMILValues.list("keyTimes", document, node).compactMap { Double($0) }
    let isOrdered = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    if times.count == count, isOrdered, times.first == 0 { keyTimes = times }
    if mode == .spline { splines = SMILValues.list("keySplines", document, node).map { SVGNumbers.list($0) } }
  }

  private static func mode(_ document: Document, _ node: NodeID) -> Mode? {
    switch document.plainAttribute("calcMode", node) {
    case "linear": .linear
    case "discrete": .discrete
    case "spline": .spline
    case "paced": .paced
    default: nil
    }
  }

  private static func times(_ distances: [Double]) -> [Double] {
    let total = distances.reduce(0, +)
    guard total > 0, total.isFinite else { return [] }
    return distances.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1 / total) }
  }

  /// The last value at or before `progress`, and the progress toward the next one.
  func segment(_ progress: Double) -> (index: Int, part: Double) {
    let last = count - 1
    guard last > 0 else { return (0, 0) }
    if mode == .discrete {
      let index = keyTimes.isEmpty ? Int(progress * Double(count)) : (keyTimes.lastIndex { $0 <= progress } ?? 0)
      return (max(0, min(index, last)), 0)
    }
    guard progress < 1 else { return (last, 0) }
    var index = Int(progress * Double(last)), part = progress * Double(last) - Double(index)
    if !keyTimes.isEmpty {
      index = min(keyTimes.lastIndex { $0 <= progress } ?? 0, last - 1)
      let length = keyTimes[index + 1] - keyTimes[index]
      part = length > 0 ? min((progress - keyTimes[index]) / length, 1) : 0
    }
    if mode == .spline, splines.indices.contains(index), splines[index].count == 4 {
      let s = splines[index].map { max(0, min(1, $0)) }
      part = Easing.cubic(s[0], s[1], s[2], s[3]).output(part)
    }
    return (index, part)
  }
}

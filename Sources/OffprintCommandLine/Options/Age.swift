import ArgumentParser

/// A duration with a unit, `500ms`, `90s`, `12h`, `30d` or `2w`; seconds without a unit.
struct Age: ExpressibleByArgument, Hashable {
  let seconds: Double

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let factor = Self.units[argument[digits.endIndex...].lowercased()] else { return nil }
    seconds = number * factor
    guard seconds >= 0, seconds <= 1e10 else { return nil }
  }

  var duration: Duration { .milliseconds(Int64((seconds * 1000).rounded())) }

  private static let units: [String: Double] = ["": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800]
}

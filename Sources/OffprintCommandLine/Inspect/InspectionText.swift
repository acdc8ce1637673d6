import Offprint

extension Inspection {
  /// Prints the output of `inspect` for one page.
  func print(asJSON: Bool) {
    switch self {
    case .text(let text): Output.line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    case .boxes(let layout): Output.line(layout.json)
    case .timings(let timings): timings.forEach { Output.line("\($0.text) ms") }
    case .diagnostics(let entries): entries.forEach { Output.line(asJSON ? $0.json : $0.description) }
    case .elements(let elements): elements.forEach { Output.line(asJSON ? $0.json : $0.text) }
    }
  }

  /// The members of the output for one page of a list.
  var member: String {
    switch self {
    case .text(let text): "\"dom\":\(JSONText.string(text))"
    case .boxes(let layout): "\"boxes\":\(layout.boxesJSON)"
    case .diagnostics, .elements, .timings: "\"boxes\":[]"
    }
  }
}

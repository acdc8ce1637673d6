public import CoreTypes

/// What `Renderer.inspect` answers.
public enum Inspection: Sendable {
  public enum Aspect: Sendable, Equatable {
    case boxes, dom, displayList, diagnostics, timings
    /// Texts of the box tree, the fragments, the display list and the diagnostics, each under a line `== name`.
    case dump
    /// The computed values of the elements that match a selector, or of a pseudo-element of theirs.
    case computed(selector: String)
  }

  /// The page's size in CSS px, and the boxes as a JSON list of `[path, x, y, width, height]`.
  case boxes(width: Double, height: Double, json: String)
  case text(String)
  case diagnostics([Diagnostic])
  case elements([ComputedElement])

  /// An element with the computed value of every property that has one, and of its custom properties.
  public struct ComputedElement: Sendable {
    /// Child-element indexes from the root, joined by `/`.
    public var path: String
    public var name: String
    public var properties: [(name: String, value: String)]

    public var json: String {
      let members = properties.map { "\(JSONText.string($0.name)):\(JSONText.string($0.value))" }
      return "{\"path\":\(JSONText.string(path)),\"name\":\(JSONText.string(name)),\"computed\":{\(members.joined(separator: ","))}}"
    }

    public var text: String {
      let lines = properties.map { "  \($0.name): \($0.value);" }
      return (["\(path) \(name)"] + lines).joined(separator: "\n")
    }
  }
}

extension Diagnostic {
  /// One object; the place is there where it is known.
  public var json: String {
    let place = position.map { ",\"source\":\(JSONText.string($0.source)),\"line\":\($0.line),\"column\":\($0.column)" } ?? ""
    return
      "{\"code\":\(JSONText.string(code.rawValue)),\"severity\":\"\(severity.rawValue)\",\"message\":\(JSONText.string(message))\(place)}"
  }
}

extension RenderResult {
  /// One object: where it was written and what it is.
  public func json(output: String) -> String {
    let faces = faces.map { "{\"family\":\(JSONText.string($0.family)),\"postScriptName\":\(JSONText.string($0.postScriptName))}" }
    let notes = diagnostics.map(\.json)
    return
      "{\"output\":\(JSONText.string(output)),\"status\":\"\(wasCached ? "cached" : "rendered")\",\"width\":\(width),\"height\":\(height),"
      + "\"bytes\":\(image.count),\"key\":\"\(key)\",\"faces\":[\(faces.joined(separator: ","))],\"diagnostics\":[\(notes.joined(separator: ","))]}"
  }
}

extension JSONValue {
  /// The value as JSON, members in the order of their names.
  public var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): JSONText.number(value)
    case .string(let value): JSONText.string(value)
    case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
    case .object(let values):
      "{\(values.keys.sorted().map { "\(JSONText.string($0)):\(values[$0, default: .null].text)" }.joined(separator: ","))}"
    }
  }
}

/// What `Renderer.inspect` answers.
public enum Inspection: Sendable {
  public enum Aspect: Sendable { case boxes, dom, displayList, diagnostics, timings }

  /// The page's size in CSS px, and the boxes as a JSON list of `[path, x, y, width, height]`.
  case boxes(width: Double, height: Double, json: String)
  case text(String)
}

extension RenderResult {
  /// One object: where it was written and what it is.
  public func json(output: String) -> String {
    let faces = faces.map { "{\"family\":\(JSONText.string($0.family)),\"postScriptName\":\(JSONText.string($0.postScriptName))}" }
    let notes = diagnostics.map {
      "{\"code\":\(JSONText.string($0.code.rawValue)),\"severity\":\"\($0.severity.rawValue)\",\"message\":\(JSONText.string($0.message))}"
    }
    return "{\"output\":\(JSONText.string(output)),\"status\":\"\(wasCached ? "cached" : "rendered")\",\"width\":\(width),\"height\":\(height),"
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

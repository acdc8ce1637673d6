import CoreTypes
import Offprint

// What the library's values are as text, for machines and for people.

extension Diagnostic {
  /// One object; the place is there where it is known.
  var json: String {
    let place = position.map { ",\"source\":\(JSONText.string($0.source)),\"line\":\($0.line),\"column\":\($0.column)" } ?? ""
    return
      "{\"code\":\(JSONText.string(code.rawValue)),\"severity\":\"\(severity.rawValue)\",\"message\":\(JSONText.string(message))\(place)}"
  }
}

extension RenderResult {
  /// One object: where it was written and what it is.
  func json(output: String) -> String {
    let faces = faces.map { "{\"family\":\(JSONText.string($0.family)),\"postScriptName\":\(JSONText.string($0.postScriptName))}" }
    let notes = diagnostics.map(\.json)
    return
      "{\"output\":\(JSONText.string(output)),\"status\":\"\(wasCached ? "cached" : "rendered")\",\"width\":\(width),\"height\":\(height),"
      + "\"bytes\":\(image.count),\"key\":\"\(key)\",\"faces\":[\(faces.joined(separator: ","))],\"diagnostics\":[\(notes.joined(separator: ","))]}"
  }
}

extension PageLayout {
  /// `[[path,x,y,width,height],…]` in document order.
  var boxesJSON: String {
    let items = boxes.map { box in
      let numbers = [box.x, box.y, box.width, box.height].map { JSONText.number($0) }
      return "[\"\(box.path.map(String.init).joined(separator: "/"))\",\(numbers.joined(separator: ","))]"
    }
    return "[\(items.joined(separator: ","))]"
  }

  var json: String { "{\"width\":\(JSONText.number(width)),\"height\":\(JSONText.number(height)),\"boxes\":\(boxesJSON)}" }
}

extension Inspection.ComputedElement {
  var json: String {
    let members = properties.map { "\(JSONText.string($0.name)):\(JSONText.string($0.value))" }
    return "{\"path\":\(JSONText.string(path)),\"name\":\(JSONText.string(name)),\"computed\":{\(members.joined(separator: ","))}}"
  }

  var text: String {
    let lines = properties.map { "  \($0.name): \($0.value);" }
    return (["\(path) \(name)"] + lines).joined(separator: "\n")
  }
}

extension StageTiming {
  var text: String { "\(stage.rawValue)\t\((milliseconds * 1000).rounded() / 1000)" }
}

extension FontLibrary.Face {
  /// `400`, or `100–900` for a variable font.
  var weightText: String {
    axes.first { $0.tag == "wght" }.map { "\(Self.number($0.minimum))–\(Self.number($0.maximum))" } ?? Self.number(weight)
  }

  private static func number(_ value: Float) -> String { JSONText.number(Double(value)) }

  var json: String {
    func number(_ value: Float) -> String { Self.number(value) }
    func list(_ tags: [String]) -> String { "[\(tags.map { JSONText.string($0) }.joined(separator: ","))]" }
    let axes = axes.map {
      "{\"tag\":\(JSONText.string($0.tag)),\"minimum\":\(number($0.minimum)),\"default\":\(number($0.defaultValue)),\"maximum\":\(number($0.maximum))}"
    }
    return """
      {"family":\(JSONText.string(family)),"fullName":\(JSONText.string(fullName)),\
      "postScriptName":\(JSONText.string(postScriptName)),"style":\(JSONText.string(style)),\
      "weight":\(number(weight)),"stretch":\(number(stretch)),"italic":\(isItalic),"axes":[\(axes.joined(separator: ","))],\
      "features":\(list(features)),"scripts":\(list(scripts)),"coverage":\(coverage),"file":\(JSONText.string(file))}
      """
  }
}

import OffprintCoreTypes
import Offprint

// Values of the library as text, for programs and for people.

extension Diagnostic {
  /// A JSON object, with the position if it is known.
  var json: String {
    let place = position.map { ",\"source\":\(JSONText.string($0.source)),\"line\":\($0.line),\"column\":\($0.column)" } ?? ""
    return
      "{\"code\":\(JSONText.string(code.rawValue)),\"severity\":\"\(severity.rawValue)\",\"message\":\(JSONText.string(message))\(place)}"
  }
}

extension RenderResult {
  /// A JSON object: the output file and its properties.
  func json(output: String) -> String {
    "{\"output\":\(JSONText.string(output)),\"status\":\"\(wasCached ? "cached" : "rendered")\",\"state\":\"\(JobState(self).rawValue)\","
      + "\"width\":\(width),\"height\":\(height),\"bytes\":\(image.count),\"key\":\"\(key)\",\"faces\":\(facesJSON),"
      + "\"diagnostics\":\(diagnosticsJSON(adding: []))}"
  }

  var facesJSON: String {
    let faces = faces.map { "{\"family\":\(JSONText.string($0.family)),\"postScriptName\":\(JSONText.string($0.postScriptName))}" }
    return "[\(faces.joined(separator: ","))]"
  }

  /// - Parameter notes: Diagnostics about the page's source.
  func diagnosticsJSON(adding notes: [Diagnostic]) -> String { "[\((notes + diagnostics).map(\.json).joined(separator: ","))]" }

  /// Milliseconds by stage.
  var timingsJSON: String {
    "{\(timings.map { "\"\($0.stage.rawValue)\":\($0.milliseconds.rounded(places: 3))" }.joined(separator: ","))}"
  }

  /// The outcome, for people.
  var stateText: String {
    switch JobState(self) {
    case .hit: "from the cache"
    case .degraded: "degraded: incomplete and not cached"
    case .rendered, .failed: "rendered"
    }
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

  /// A JSON object with all members, for programs.
  var membersJSON: String {
    func numbers(_ values: (String, Double)...) -> String { values.map { "\"\($0)\":\(JSONText.number($1))" }.joined(separator: ",") }
    func path(_ path: [Int]) -> String { path.map(String.init).joined(separator: "/") }
    let boxes = boxes.map { box in
      "{\"path\":\"\(path(box.path))\",\"name\":\(JSONText.string(box.name)),"
        + numbers(("x", box.x), ("y", box.y), ("width", box.width), ("height", box.height)) + "}"
    }
    let lines = lines.map { line in
      "{\"path\":\"\(path(line.path))\",\"text\":\(JSONText.string(line.text)),"
        + numbers(("x", line.x), ("y", line.y), ("width", line.width), ("height", line.height), ("baseline", line.baseline)) + "}"
    }
    return numbers(("width", width), ("height", height))
      + ",\"boxes\":[\(boxes.joined(separator: ","))],\"lines\":[\(lines.joined(separator: ","))]"
  }
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
      "instances":[\(instances.map { instance($0) }.joined(separator: ","))],\
      "features":\(list(features)),"scripts":\(list(scripts)),"coverage":\(coverage),"outlines":"\(outlines)",\
      "colorTables":\(list(colorTables)),"version":\(JSONText.string(version)),"licence":\(JSONText.string(licence)),\
      "licenceURL":\(JSONText.string(licenceURL)),"embedding":\(list(embedding)),"localizedNames":\(list(localizedNames)),\
      "file":\(JSONText.string(file)),"index":\(index)}
      """
  }

  private func instance(_ instance: Instance) -> String {
    let coordinates = axes.map { "\(JSONText.string($0.tag)):\(Self.number(instance.coordinates[$0.tag] ?? $0.defaultValue))" }
    return "{\"name\":\(JSONText.string(instance.name)),\"coordinates\":{\(coordinates.joined(separator: ","))}}"
  }

  /// The fields of `--format`.
  static let fields = [
    "family", "fullName", "postScriptName", "style", "weight", "stretch", "italic", "axes", "instances", "features", "scripts", "coverage",
    "outlines", "colorTables", "version", "licence", "licenceURL", "embedding", "localizedNames", "file", "index",
  ]

  func field(_ name: String) -> String? {
    switch name {
    case "family": family
    case "fullName": fullName
    case "postScriptName": postScriptName
    case "style": style
    case "weight": weightText
    case "stretch": Self.number(stretch)
    case "italic": "\(isItalic)"
    case "axes": axes.map { "\($0.tag)=\(Self.number($0.minimum))–\(Self.number($0.maximum))" }.joined(separator: " ")
    case "instances": instances.map(\.name).joined(separator: ", ")
    case "features": features.joined(separator: " ")
    case "scripts": scripts.joined(separator: " ")
    case "coverage": "\(coverage)"
    case "outlines": outlines
    case "colorTables": colorTables.joined(separator: " ")
    case "version": version
    case "licence": licence
    case "licenceURL": licenceURL
    case "embedding": embedding.joined(separator: " ")
    case "localizedNames": localizedNames.joined(separator: ", ")
    case "file": file
    case "index": "\(index)"
    default: nil
    }
  }
}

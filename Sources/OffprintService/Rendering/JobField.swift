import OffprintCoreTypes
package import Offprint

/// The fields of a job, with the option names of `offprint render`. Options that would name files of the server are not included.
struct JobField: Sendable {
  var names: [String]
  /// The expected value, for messages.
  var expected: String
  /// JSON Schema, for the API description.
  var schema: JSONValue
  /// Whether it can be given several times.
  var isList = false
  /// The configured maximum, for fields that have one.
  var maximum: (@Sendable (ServiceSettings) -> Double)?
  /// - Returns: False if the value is invalid.
  var set: @Sendable (inout JobDraft, JSONValue) -> Bool

  /// The schema with the limits of a configuration.
  func schema(_ settings: ServiceSettings) -> JSONValue { maximum.map { schema.limited(to: $0(settings)) } ?? schema }

  /// The maximum number of values of a list field.
  static let maximumItems = 32

  static func isList(_ name: String) -> Bool { byName[name]?.isList ?? false }

  static let byName = Dictionary(table.flatMap { field in field.names.map { ($0, field) } }) { first, _ in first }

  /// Fields of batch jobs that the service refuses.
  static let refused: Set = [
    "input", "output", "allow-files", "base-url", "save-html", "fonts", "font-path", "system-fonts", "cache", "allow-host",
  ]

  static let table: [JobField] = page + animation + template + limits

  private static let page: [JobField] = [
    JobField(names: ["id"], expected: "a string or a number", schema: ["type": ["string", "number"]]) { draft, json in
      draft.id = json.scalar
      return draft.id != nil
    },
    text("webhook", "a URL that is called when the image is ready; the response is 202") { $0.webhook = $1 },
    text("html", "the page, or the body of the template") { $0.html = Array($1.utf8) },
    text("url", "the URL of the page, on a host that the service allows") { $0.url = $1 },
    JobField(
      names: ["tree"], expected: "a node, such as {\"type\", \"props\"}",
      schema: ["type": "object", "description": "the page as a tree of nodes, instead of html"]
    ) { _, _ in false },
    length("width", \.request.width), length("height", \.request.height),
    number(["viewport-height"], 0...65_535) { $0.request.viewportHeight = $1 },
    number(["max-width"], 0...65_535) { $0.request.maxWidth = $1 },
    number(["scale", "device-scale-factor", "zoom"], 0...16, maximum: { $0.maxScale }) { $0.request.scale = $1 },
    JobField(names: ["background"], expected: "a CSS color or \"transparent\"", schema: .text("a CSS color")) { draft, json in
      guard let color = json.string.flatMap({ Renderer.color($0) }) else { return false }
      draft.request.background = color
      return true
    },
    flag(["transparent", "omit-background"]) { if $1 { $0.request.background = .transparent } },
    text("selector", "a CSS selector to crop to") { $0.request.selector = $1 },
    JobField(names: ["clip"], expected: "\"x,y,w,h\"", schema: .text("x,y,w,h")) { draft, json in
      let parts = (json.string ?? "").split(byte: ",", omittingEmptySubsequences: false).map { Double(decimal: $0) }
      let values = parts.compactMap(\.self)
      guard parts.count == 4, values.count == 4, values.allSatisfy({ abs($0) <= 1e7 }), values[2] > 0, values[3] > 0 else { return false }
      draft.request.clip = .init(x: values[0], y: values[1], width: values[2], height: values[3])
      return true
    },
    JobField(names: ["css", "stylesheet"], expected: "CSS, or a list of style sheets", schema: .textOrTexts, isList: true) { draft, json in
      guard let sheets = json.texts else { return false }
      draft.request.styleSheets += sheets.enumerated().map { .init(name: "css \($0.offset + 1)", css: Array($0.element.utf8)) }
      return true
    },
    choice("color-scheme", RenderRequest.ColorScheme.allCases) { $0.request.colorScheme = $1 },
    choice("media", RenderRequest.Media.allCases) { $0.request.media = $1 },
    JobField(names: ["media-feature"], expected: "\"name=value\" or a list of these", schema: .textOrTexts, isList: true) { draft, json in
      guard let texts = json.texts else { return false }
      let features = texts.compactMap { MediaFeature($0) }
      draft.request.mediaFeatures += features
      return features.count == texts.count
    },
    choice("glyph-positions", RenderRequest.GlyphPositions.allCases) { $0.request.glyphPositions = $1 },
    JobField(names: ["at"], expected: "a time as \"500ms\" or \"1.5s\", or \"end\"", schema: .text("the time of animations")) {
      draft, json in
      guard let time = json.scalar.flatMap({ AnimationTime($0) }) else { return false }
      draft.request.time = time
      return true
    },
    choice("compression", ImageCompression.allCases) { $0.request.encoding.compression = $1 },
    flag(["lossless"]) { $0.request.encoding.isLossless = $1 }, flag(["progressive"]) { $0.request.encoding.isProgressive = $1 },
    JobField(names: ["quality"], expected: "0 to 100", schema: ["type": "integer", "minimum": 0, "maximum": 100]) { draft, json in
      guard let value = json.scalar.flatMap({ Int($0) }), (0...100).contains(value) else { return false }
      draft.request.encoding.quality = value
      return true
    },
    flag(["strict"]) { $0.request.isStrict = $1 },
    JobField(
      names: ["fail-on"],
      expected: RenderRequest.FatalDiagnostic.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ") + ", or a list of these",
      schema: .nameOrNames(RenderRequest.FatalDiagnostic.allCases.map(\.rawValue)), isList: true
    ) { draft, json in
      guard let texts = json.texts else { return false }
      let codes = texts.compactMap { RenderRequest.FatalDiagnostic(rawValue: $0) }
      draft.request.fatalDiagnostics.formUnion(codes)
      return codes.count == texts.count
    },
    text("identifier", "a name for the image: at most 512 bytes, and not 64 hexadecimal digits") { $0.request.identifier = $1 },
    JobField(names: ["tag", "tags"], expected: "a tag or a list of tags", schema: .textOrTexts, isList: true) { draft, json in
      guard let tags = json.texts, tags.allSatisfy({ (1...512).contains($0.utf8.count) }) else { return false }
      draft.tags += tags
      return true
    },
    flag(["refresh"]) { if $1, $0.request.cachePolicy != .none { $0.request.cachePolicy = .refresh } },
    flag(["no-cache"]) { if $1 { $0.request.cachePolicy = .none } },
    JobField(names: ["page-size"], expected: "a size such as \"A4\" or \"210mm 297mm\"", schema: .text("the page size of a PDF")) {
      draft, json in
      guard let size = json.string.flatMap({ RenderRequest.PageSetup.Size(css: $0) }) else { return false }
      draft.request.pageSetup.size = size
      return true
    },
    JobField(names: ["margin"], expected: "one to four lengths", schema: .text("the page margins of a PDF")) { draft, json in
      guard let margins = json.scalar.flatMap({ RenderRequest.PageSetup.Margins(css: $0) }) else { return false }
      draft.request.pageSetup.margins = margins
      return true
    },
    choice("format", EncodedImageFormat.allCases) { $0.request.encoding.format = $1 },
  ]

  private static let animation: [JobField] = [
    flag(["animate"]) { if $1 { $0.request.encoding.animate() } },
    JobField(names: ["duration"], expected: "a time such as \"5s\" or \"500ms\"", schema: .text("the length of an animation")) {
      draft, json in
      guard let seconds = json.scalar.flatMap({ Quantity.seconds($0) }), seconds > 0, seconds <= AnimationTime.latest else { return false }
      draft.request.encoding.animate { $0.duration = seconds }
      return true
    },
    JobField(names: ["fps"], expected: "1 to 60", schema: ["type": "integer", "minimum": 1, "maximum": 60]) { draft, json in
      guard let value = json.scalar.flatMap({ Int($0) }), (1...60).contains(value) else { return false }
      draft.request.encoding.animate { $0.framesPerSecond = value }
      return true
    },
    JobField(
      names: ["loop"], expected: "1 to 65535 or \"forever\"",
      schema: ["oneOf": [["type": "integer", "minimum": 1, "maximum": 65_535], ["type": "string", "const": "forever"]]]
    ) { draft, json in
      guard let text = json.scalar else { return false }
      let count = Int(text)
      guard text == "forever" || count.map({ (1...65_535).contains($0) }) == true else { return false }
      draft.request.encoding.animate { $0.plays = count }
      return true
    },
    JobField(
      names: ["poster"], expected: "a time as \"500ms\" or \"1.5s\", or \"end\"", schema: .text("the time of the still image in a PNG")
    ) {
      draft, json in
      guard let time = json.scalar.flatMap({ AnimationTime($0) }) else { return false }
      draft.request.encoding.animate { $0.poster = time }
      return true
    },
    flag(["dither"]) { if $1 { $0.request.encoding.animate { $0.isDithered = true } } },
  ]

  private static let template: [JobField] = [
    text("template", "the name of a template of the service") { $0.template = $1 },
    JobField(
      names: ["set"], expected: "an object", schema: ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]]]
    ) {
      draft, json in
      guard case .object(let values) = json, values.values.allSatisfy({ $0.scalar != nil }) else { return false }
      for (key, value) in values { draft.request.attributes[key] = value.scalar }
      return true
    },
    JobField(names: ["data"], expected: "an object", schema: ["type": "object"]) { draft, json in
      guard case .object = json else { return false }
      draft.request.data = Array(json.text.utf8)
      return true
    },
  ]

  private static let limits: [JobField] = [
    JobField(names: ["timeout"], expected: "a time such as \"5s\" or \"500ms\"", schema: .text("a time")) { draft, json in
      guard let seconds = json.scalar.flatMap({ Quantity.seconds($0) }), seconds > 0 else { return false }
      draft.request.limits.seconds = min(seconds, draft.request.limits.seconds)
      return true
    },
    limit("max-nodes", at: \.nodes), limit("max-depth", at: \.depth), limit("max-style-rules", at: \.styleRules),
    limit("max-image-side", "max-picture-side", at: \.imageSide), limit("max-image-pixels", "max-picture-pixels", at: \.imagePixels),
    limit("max-boxes", at: \.boxes), limit("max-fragments", at: \.fragments),
    limit("max-path-steps", at: \.pathSteps), limit("max-frames", at: \.frames), limit("max-animation-pixels", at: \.animationPixels),
    limit("max-template-steps", at: \.templateSteps),
  ]

  // MARK: Field types

  private static func text(
    _ name: String, _ meaning: String, _ set: @escaping @Sendable (inout JobDraft, String) -> Void
  ) -> JobField {
    JobField(names: [name], expected: "a string", schema: .text(meaning)) { draft, json in
      guard let text = json.string else { return false }
      set(&draft, text)
      return true
    }
  }

  private static func flag(_ names: [String], _ set: @escaping @Sendable (inout JobDraft, Bool) -> Void) -> JobField {
    JobField(names: names, expected: "true or false", schema: ["type": "boolean"]) { draft, json in
      guard let value = json.bool ?? json.string.flatMap({ $0 == "true" || $0 == "1" ? true : $0 == "false" || $0 == "0" ? false : nil })
      else { return false }
      set(&draft, value)
      return true
    }
  }

  private static func number(
    _ names: [String], _ range: ClosedRange<Double>, maximum: (@Sendable (ServiceSettings) -> Double)? = nil,
    _ set: @escaping @Sendable (inout JobDraft, Double) -> Void
  ) -> JobField {
    let schema: JSONValue = ["type": "number", "exclusiveMinimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    let expected = "a number above \(JSONText.number(range.lowerBound)) and at most \(JSONText.number(range.upperBound))"
    return JobField(names: names, expected: expected, schema: schema, maximum: maximum) { draft, json in
      guard let value = json.scalar.flatMap({ Double(decimal: $0) }), value > range.lowerBound, value <= range.upperBound else {
        return false
      }
      set(&draft, value)
      return true
    }
  }

  private static func length(
    _ name: String, _ path: any WritableKeyPath<JobDraft, PageLength> & Sendable
  ) -> JobField {
    let px: JSONValue = ["type": "number", "exclusiveMinimum": 0, "maximum": 65_535]
    return JobField(
      names: [name], expected: "a number of px above 0 or \"auto\"", schema: ["oneOf": [px, ["type": "string", "const": "auto"]]],
      maximum: { $0.maxSide }
    ) { draft, json in
      guard let text = json.scalar else { return false }
      let value = Double(decimal: text.hasSuffix("px") ? String(text.dropLast(2)) : text)
      guard text == "auto" || value.map({ $0 > 0 && $0 <= 65_535 }) == true else { return false }
      draft[keyPath: path] = value.map { .px($0) } ?? .auto
      return true
    }
  }

  private static func choice<Value: RawRepresentable<String> & Sendable>(
    _ name: String, _ values: [Value], _ set: @escaping @Sendable (inout JobDraft, Value) -> Void
  ) -> JobField {
    let names = values.map(\.rawValue)
    return JobField(
      names: [name], expected: names.map { "\"\($0)\"" }.joined(separator: " or "),
      schema: ["type": "string", "enum": .array(names.map { .string($0) })]
    ) { draft, json in
      guard let value = json.string.flatMap({ Value(rawValue: $0) }) else { return false }
      set(&draft, value)
      return true
    }
  }

  /// A limit of the service that a request may lower.
  private static func limit(_ names: String..., at path: any WritableKeyPath<Limits, Int> & Sendable) -> JobField {
    JobField(names: names, expected: "a whole number above 0", schema: ["type": "integer", "minimum": 1, "maximum": 4_000_000_000]) {
      draft, json in
      guard let value = json.scalar.flatMap({ Double(decimal: $0) }), value >= 1, value <= 4e9, value == value.rounded() else {
        return false
      }
      draft.request.limits[keyPath: path] = min(Int(value), draft.request.limits[keyPath: path])
      return true
    }
  }
}

extension Sequence<String> {
  /// The first repeated name. Names are compared as bytes.
  func firstRepeated(where counts: (String) -> Bool) -> String? {
    var seen: Set<[UInt8]> = []
    return first { counts($0) && !seen.insert(Array($0.utf8)).inserted }
  }
}

extension JSONValue {
  /// A schema of numbers, or of numbers and other types, with a lower maximum.
  fileprivate func limited(to maximum: Double) -> JSONValue {
    guard case .object(var members) = self else { return self }
    if let existing = members["maximum"]?.number { members["maximum"] = .number(min(existing, maximum)) }
    if case .array(let kinds)? = members["oneOf"] { members["oneOf"] = .array(kinds.map { $0.limited(to: maximum) }) }
    return .object(members)
  }

  /// The value as the text of an option.
  var scalar: String? {
    switch self {
    case .string(let text): text
    case .number, .integer, .bool: text
    default: nil
    }
  }

  var texts: [String]? {
    switch self {
    case .string(let text): [text]
    case .array(let items):
      items.allSatisfy { $0.string != nil } ? items.compactMap(\.string) : nil
    default: nil
    }
  }

  static func text(_ meaning: String) -> JSONValue { ["type": "string", "description": .string(meaning)] }
  static let textOrTexts: JSONValue = [
    "oneOf": [["type": "string"], ["type": "array", "items": ["type": "string"], "maxItems": .number(Double(JobField.maximumItems))]]
  ]

  static func nameOrNames(_ names: [String]) -> JSONValue {
    let name: JSONValue = ["type": "string", "enum": .array(names.map { .string($0) })]
    return ["oneOf": [name, ["type": "array", "items": name, "maxItems": .number(Double(JobField.maximumItems))]]]
  }

  /// Whether a URL parameter has the same value. In URLs, all values are text.
  func agrees(with address: JSONValue) -> Bool {
    if let scalar, let other = address.scalar { return scalar.utf8.elementsEqual(other.utf8) }
    guard let texts, let others = address.texts, texts.count == others.count else { return false }
    return zip(texts, others).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { _, last in last }) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

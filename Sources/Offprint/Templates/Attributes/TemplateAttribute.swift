/// Something that a template can be given, as its front matter declares it.
public struct TemplateAttribute: Hashable, Sendable {
  /// What a value may be. Lengths are CSS lengths, a bare number being px; fonts are font-family lists.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string, html, number, integer, length, color, font, boolean, choice, url, list, object
  }

  /// What templates and requests call it.
  public var name: String
  /// What it may be.
  public var kind: Kind
  /// One sentence for people; may be empty.
  public var description = ""
  /// Whether a template cannot do without.
  public var isRequired = false
  /// The least that a number, a length in px, a text's characters or a list's items may be.
  public var minimum: Double?
  /// The most.
  public var maximum: Double?
  /// What a choice chooses from.
  public var choices: [String] = []
  /// What an object is made of, in the order of the declaration.
  public var fields: [TemplateAttribute] = []
  var itemBox: [TemplateAttribute] = []
  var defaultValue: JSONValue?
  var exampleValue: JSONValue?

  init(name: String, kind: Kind) { self.name = name; self.kind = kind }

  /// What each item of a list is.
  public var item: TemplateAttribute? { itemBox.first }
  /// The default as JSON; nil where there is none.
  public var defaultJSON: String? { defaultValue?.text }
  /// The example as JSON; nil where there is none.
  public var exampleJSON: String? { exampleValue?.text }
  /// The default as `attributes` would have it: texts without quotes.
  public var defaultText: String? { defaultValue.map { $0.string ?? $0.text } }

  /// `a number, 0 to 100`
  public var expectation: String {
    let range = rangeText
    switch kind {
    case .string: return range.isEmpty ? "a text" : "a text of \(range) characters"
    case .html: return "HTML"
    case .number: return "a number" + (range.isEmpty ? "" : ", \(range)")
    case .integer: return "a whole number" + (range.isEmpty ? "" : ", \(range)")
    case .length: return "a length such as 12px or 1.5em" + (range.isEmpty ? "" : ", \(range) px")
    case .color: return "a CSS colour"
    case .font: return "a font-family list"
    case .boolean: return "true or false"
    case .choice: return choices.joined(separator: ", ").replacingLast(", ", with: " or ")
    case .url: return "a relative reference, or a URL with http:, https:, file: or data:"
    case .list: return "a list" + (range.isEmpty ? "" : " of \(range) items") + (item.map { " (each \($0.expectation))" } ?? "")
    case .object: return "an object with \(fields.map(\.name).joined(separator: ", "))"
    }
  }

  private var rangeText: String {
    switch (minimum.map(JSONText.number), maximum.map(JSONText.number)) {
    case (let low?, let high?): low == high ? low : "\(low) to \(high)"
    case (let low?, nil): "at least \(low)"
    case (nil, let high?): "at most \(high)"
    case (nil, nil): ""
    }
  }

  /// One JSON object, members in a fixed order.
  public var json: String {
    var members = ["\"name\":\(JSONText.string(name))", "\"type\":\"\(kind.rawValue)\"", "\"required\":\(isRequired)"]
    if !description.isEmpty { members.append("\"description\":\(JSONText.string(description))") }
    if let defaultJSON { members.append("\"default\":\(defaultJSON)") }
    if let exampleJSON { members.append("\"example\":\(exampleJSON)") }
    if let minimum { members.append("\"minimum\":\(JSONText.number(minimum))") }
    if let maximum { members.append("\"maximum\":\(JSONText.number(maximum))") }
    if !choices.isEmpty { members.append("\"choices\":[\(choices.map { JSONText.string($0) }.joined(separator: ","))]") }
    if !fields.isEmpty { members.append("\"fields\":[\(fields.map(\.json).joined(separator: ","))]") }
    if let item { members.append("\"items\":\(item.json)") }
    return "{\(members.joined(separator: ","))}"
  }
}

extension String {
  fileprivate func replacingLast(_ text: String, with replacement: String) -> String {
    guard let range = ranges(of: text).last else { return self }
    return self[..<range.lowerBound] + replacement + self[range.upperBound...]
  }
}

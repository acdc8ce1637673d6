/// A parameter of a template, as its front matter declares it.
public struct TemplateAttribute: Hashable, Sendable {
  /// The type of a value. Dates have a time and a time zone, as in RFC 3339; intervals are two of them with a slash. Lengths are CSS lengths, in px without a unit; fonts are font-family lists.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case string, html, number, integer, length, color, font, boolean, choice, url, date, list, object
  }

  /// The name in templates and requests.
  public var name: String
  /// The type of its value.
  public var kind: Kind
  /// One sentence for people; may be empty.
  public var description = ""
  /// Whether the template requires it.
  public var isRequired = false
  /// The minimum of a number, a length in px, the characters of a text, or the items of a list.
  public var minimum: Double?
  /// The maximum.
  public var maximum: Double?
  /// The values of a choice.
  public var choices: [String] = []
  /// The fields of an object, in the order of the declaration.
  public var fields: [TemplateAttribute] = []
  var itemBox: [TemplateAttribute] = []
  var defaultValue: JSONValue?
  var exampleValue: JSONValue?

  init(name: String, kind: Kind) { self.name = name; self.kind = kind }

  /// The type of a list's items.
  public var item: TemplateAttribute? { itemBox.first }
  /// The default as JSON; nil if absent.
  public var defaultJSON: String? { defaultValue?.text }
  /// The example as JSON; nil if absent.
  public var exampleJSON: String? { exampleValue?.text }
  /// The default in the form of `attributes`: texts without quotes.
  public var defaultText: String? { defaultValue.map { $0.string ?? $0.text } }

  /// For example `a number, 0 to 100`.
  public var expectation: String {
    let range = rangeText
    switch kind {
    case .string: return range.isEmpty ? "text" : "text of \(range) characters"
    case .html: return "HTML"
    case .number: return "a number" + (range.isEmpty ? "" : ", \(range)")
    case .integer: return "a whole number" + (range.isEmpty ? "" : ", \(range)")
    case .length: return "a length such as 12px or 1.5em" + (range.isEmpty ? "" : ", \(range) px")
    case .color: return "a CSS color"
    case .font: return "a font-family list"
    case .date: return "a date and time such as 2026-12-24T18:00Z, or an interval of two with a slash"
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

  /// A JSON object with members in a fixed order.
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

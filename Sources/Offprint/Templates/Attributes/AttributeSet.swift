/// The declared attributes of a template or object, with the given values.
struct AttributeSet {
  let attributes: [TemplateAttribute]
  init(_ attributes: [TemplateAttribute]) { self.attributes = attributes }

  /// The values for the template: each attribute's given value, its default, or nothing.
  ///
  /// - Parameter path: The prefix of names in errors.
  func values(
    _ given: [String: JSONValue], texts: [String: String] = [:], path: String = "", refusesUnknown: Bool
  ) throws(AttributeValue.Invalid) -> [String: JSONValue] {
    var result = given  // undeclared values are included
    try refuseUnknown(texts.keys.sorted(), path)
    if refusesUnknown { try refuseUnknown(given.keys.sorted(), path) }
    for attribute in attributes {
      result[attribute.name] = try value(attribute, given[attribute.name], texts[attribute.name], path + attribute.name)
    }
    return result
  }

  private func refuseUnknown(_ names: [String], _ path: String) throws(AttributeValue.Invalid) {
    guard let name = names.first(where: { name in !attributes.contains { $0.name == name } }) else { return }
    let list = attributes.map(\.name).joined(separator: ", ")
    throw AttributeValue.Invalid(path: path + name, value: "", expectation: attributes.isEmpty ? "none" : list, isUnknown: true)
  }

  private func value(
    _ attribute: TemplateAttribute, _ json: JSONValue?, _ text: String?, _ path: String
  ) throws(AttributeValue.Invalid) -> JSONValue {
    // An empty text counts as not given, so that sections over it are skipped.
    if let text, !(text.isEmpty && isTextual(attribute)) { return try AttributeValue.parse(text, attribute, path: path) }
    if text == nil, let json, json != .null, !(json == .string("") && isTextual(attribute)) {
      return try AttributeValue.check(json, attribute, path: path)
    }
    if attribute.isRequired {
      throw AttributeValue.Invalid(path: path, value: "", expectation: attribute.expectation, isMissing: true)
    }
    let isGivenEmpty = text != nil || json == .string("")
    if !isGivenEmpty, let value = attribute.defaultValue { return value }
    switch attribute.kind {
    case .list: return .array([])
    case .boolean: return .bool(false)
    default: return .null
    }
  }

  private func isTextual(_ attribute: TemplateAttribute) -> Bool {
    switch attribute.kind {
    case .string, .html, .url, .list: true
    case .object, .color, .length, .font, .number, .integer, .choice, .date, .boolean:
      attribute.defaultValue == nil && attribute.kind != .boolean
    }
  }
}

import OffprintCoreTypes

/// Parses the declarations of attributes.
struct AttributeDeclaration {
  typealias Node = FrontMatter.Node
  typealias Invalid = FrontMatter.Invalid

  static let keys = ["type", "default", "range", "required", "description", "choices", "fields", "items", "example"]

  /// The attributes in `attributes` or `fields`.
  static func attributes(_ node: Node, depth: Int = 0) throws(Invalid) -> [TemplateAttribute] {
    if node.isEmpty { return [] }
    guard case .mapping(let members) = node.value else {
      throw Invalid(line: node.line, problem: "attributes must be declared as 'name:' lines")
    }
    guard depth < 4 else { throw Invalid(line: node.line, problem: "attributes are nested deeper than 4") }
    return try members.map { member throws(Invalid) in
      let isName = member.key.utf8.allSatisfy { $0 >= 0x20 && !"{}.#^/&!=<>*$%\"'".utf8.contains($0) } && member.key.utf8.count <= 100
      guard isName else { throw Invalid(line: member.line, problem: "'\(member.key.prefix(40))' is not a valid attribute name") }
      return try attribute(member.key, member.value, member.line, depth)
    }
  }

  /// Parses `name: string`, or a declaration as a mapping.
  private static func attribute(_ name: String, _ node: Node, _ line: Int, _ depth: Int) throws(Invalid) -> TemplateAttribute {
    if let text = node.text {
      let attribute = TemplateAttribute(name: name, kind: try kind(text, name, line))
      try check(attribute, line)
      return attribute
    }
    guard case .mapping(let members) = node.value else {
      throw Invalid(line: line, problem: "'\(name)' must be declared by a type, or by a mapping with 'type:'")
    }
    if let unknown = members.first(where: { !keys.contains($0.key) }) {
      throw Invalid(
        line: unknown.line, problem: "'\(name)' has the unknown key '\(unknown.key)'; the keys are \(keys.joined(separator: ", "))")
    }
    func member(_ key: String) -> FrontMatter.Member? { members.first { $0.key == key } }
    let type = member("type")?.value.text ?? (member("fields") == nil ? member("items") == nil ? "string" : "list" : "object")
    var attribute = TemplateAttribute(name: name, kind: try kind(type, name, member("type")?.line ?? line))
    attribute.description = member("description")?.value.text?.trimmingSpaces ?? ""
    if let required = member("required") {
      guard case .bool(let flag) = required.value.json else {
        throw Invalid(line: required.line, problem: "'required' must be true or false")
      }
      attribute.isRequired = flag
    }
    if let range = member("range") { (attribute.minimum, attribute.maximum) = try self.range(range) }
    if let choices = member("choices") { attribute.choices = try self.choices(choices) }
    if let fields = member("fields") { attribute.fields = try attributes(fields.value, depth: depth + 1) }
    if let items = member("items") { attribute.itemBox = [try self.attribute("items", items.value, items.line, depth + 1)] }
    try check(attribute, line)
    attribute.defaultValue = try value(member("default"), attribute, "default")
    attribute.exampleValue = try value(member("example"), attribute, "example")
    return attribute
  }

  private static func kind(_ text: String, _ name: String, _ line: Int) throws(Invalid) -> TemplateAttribute.Kind {
    guard let kind = TemplateAttribute.Kind(rawValue: text) else {
      let kinds = TemplateAttribute.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Invalid(line: line, problem: "'\(name)' has the type '\(text.prefix(40))'; the types are \(kinds)")
    }
    return kind
  }

  private static func check(_ attribute: TemplateAttribute, _ line: Int) throws(Invalid) {
    let problem: String? =
      switch attribute.kind {
      case .choice where attribute.choices.isEmpty: "is a choice and has no 'choices'"
      case .object where attribute.fields.isEmpty: "is an object and has no 'fields'"
      case let kind where kind != .choice && !attribute.choices.isEmpty: "has 'choices' but is not a choice"
      case let kind where kind != .object && !attribute.fields.isEmpty: "has 'fields' but is not an object"
      case let kind where kind != .list && attribute.item != nil: "has 'items' but is not a list"
      case .color, .font, .boolean, .choice, .url, .date, .object, .html:
        attribute.minimum != nil || attribute.maximum != nil ? "has a 'range', which its type does not support" : nil
      case .string, .number, .integer, .length, .list: nil
      }
    if let problem { throw Invalid(line: line, problem: "'\(attribute.name)' \(problem)") }
  }

  /// `1..10`, `1..`, `..10`
  private static func range(_ member: FrontMatter.Member) throws(Invalid) -> (Double?, Double?) {
    let problem = Invalid(line: member.line, problem: "a range must be '1..10', '1..' or '..10'")
    guard let text = member.value.text, let dots = text.firstRange(of: "..") else { throw problem }
    let sides = [text[..<dots.lowerBound], text[dots.upperBound...]].map(\.trimmingSpaces)
    let numbers = sides.map { Double(decimal: $0) }
    guard zip(sides, numbers).allSatisfy({ $0.isEmpty || $1?.isFinite == true }) else { throw problem }
    // `Double` rounds larger integers, so the range would differ from the one in the file.
    guard numbers.allSatisfy({ abs($0 ?? 0) < 0x1p53 }) else {
      throw Invalid(line: member.line, problem: "the limits of a range must be below 2^53")
    }
    guard numbers[0] ?? -.infinity <= numbers[1] ?? .infinity,
      sides != ["", ""]
    else { throw problem }
    return (numbers[0], numbers[1])
  }

  private static func choices(_ member: FrontMatter.Member) throws(Invalid) -> [String] {
    guard case .list(let items) = member.value.value, !items.isEmpty else {
      throw Invalid(line: member.line, problem: "'choices' must be a list, such as [left, right]")
    }
    let texts = items.compactMap(\.text)
    guard texts.count == items.count else { throw Invalid(line: member.line, problem: "'choices' are texts") }
    return texts
  }

  /// Parses a default or example, which must itself be valid. A default given as text is parsed as text, so that colors need no quotes.
  private static func value(_ member: FrontMatter.Member?, _ attribute: TemplateAttribute, _ what: String) throws(Invalid) -> JSONValue? {
    guard let member else { return nil }
    let given = member.value
    if case .null = given.json { return nil }
    do {
      if let text = given.text, attribute.kind != .list { return try AttributeValue.parse(text, attribute, path: attribute.name) }
      return try AttributeValue.check(given.json, attribute, path: attribute.name)
    } catch {
      throw Invalid(line: member.line, problem: "the \(what) of '\(attribute.name)' is not valid: it must be \(error.expectation)")
    }
  }
}

import Mustache

/// Templates of the user. https://mustache.github.io/mustache.5.html
enum MustacheTemplateRenderer {
  /// - Parameter body: what `{{{body}}}` stands for.
  static func expand(
    _ source: String, name: String, attributes: [String: String], data: [UInt8]?, body: [UInt8]
  ) throws(OffprintError) -> [UInt8] {
    var context: [String: JSONValue] = [:]
    if let data { context = try object(data, name: name) }
    for (key, value) in attributes { context[key] = .string(value) }
    if !body.isEmpty { context["body"] = .string(String(decoding: body, as: UTF8.self)) }
    do {
      let template = try MustacheTemplate(string: source)
      return Array(template.render(JSONValue.object(context).mustacheValue as Any).utf8)
    } catch {
      throw OffprintError(.templateInvalid, "The template '\(name)' is not valid Mustache: \(error).")
    }
  }

  private static func object(_ data: [UInt8], name: String) throws(OffprintError) -> [String: JSONValue] {
    guard case .object(let object)? = JSONValue(parsing: data) else {
      throw OffprintError(.dataInvalid, "The data for the template '\(name)' is not a JSON object.")
    }
    return object
  }
}

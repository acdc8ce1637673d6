import OffprintCoreTypes

extension Template {
  /// The values for the template's tags. Attributes take precedence over data, and data over defaults.
  func context(attributes: [String: String], data: [UInt8]?, body: [UInt8]) throws(OffprintError) -> [String: JSONValue] {
    let definition = try defined()
    var values = try data.map { data throws(OffprintError) in try object(data) } ?? [:]
    guard definition.declaresAttributes else {
      for (key, value) in attributes { values[key] = .string(value) }  // their order does not matter
      if !body.isEmpty || values["body"] == nil { values["body"] = .string(String(decoding: body, as: UTF8.self)) }
      return values
    }
    if !body.isEmpty {
      guard takesBody else {
        throw OffprintError(
          .templateAttributeUnknown, "The template '\(name)' has no 'body' for a page; omit the page.")
      }
      values["body"] = .string(String(decoding: body, as: UTF8.self))
    }
    do {
      return try AttributeSet(definition.attributes).values(values, texts: attributes, refusesUnknown: false)
    } catch {
      throw OffprintError(error, template: name)
    }
  }

  private func object(_ data: [UInt8]) throws(OffprintError) -> [String: JSONValue] {
    try JSONValue.members(data, of: "The data for the template '\(name)'")
  }

  /// The expanded page.
  ///
  /// - Throws: `dataInvalid`, `templateUnknown`, `templateInvalid`, the errors of attributes, `limitExceeded`, `timedOut`.
  func expand(_ request: RenderRequest, deadline: Deadline) throws -> [UInt8] {
    let context = try context(attributes: request.attributes, data: request.data, body: request.html)
    let limits = request.limits
    let depth = max(1, min(limits.depth, 1024))
    let mustache = try MustacheTemplate(
      Array(source.utf8), from: try defined().bodyOffset, name: name, depth: depth, deadline: deadline)
    let partials = partials.merging(request.partials) { _, given in given }
    var renderer = MustacheRenderer(partials: partials, depth: depth, limits: limits, deadline: deadline)
    return try renderer.render(mustache, .object(context))
  }
}

extension RenderRequest {
  /// Applies the options in the template's front matter to the request: width, height, background, crop. Call it after setting the
  /// template, its attributes and data, and before setting options that override it.
  ///
  /// - Throws: See `Template.validate`.
  public mutating func takeTemplatePage() throws(OffprintError) {
    guard let template else { return }
    let context = try template.context(attributes: attributes, data: data, body: html)
    try template.defined().page.apply(to: &self, context)
  }
}

extension OffprintError {
  init(_ invalid: AttributeValue.Invalid, template: String) {
    let (path, expectation) = (invalid.path.prefix(200), invalid.expectation)
    if invalid.isUnknown {
      self.init(.templateAttributeUnknown, "The template '\(template)' has no attribute '\(path)'; it has \(expectation).")
    } else if invalid.isMissing {
      self.init(.templateAttributeMissing, "The template '\(template)' requires the attribute '\(path)': \(expectation).")
    } else if let problem = invalid.problem {
      self.init(.templateAttributeInvalid, "The attribute '\(path)' of the template '\(template)' \(problem).")
    } else {
      let value = invalid.value.count > 60 ? invalid.value.prefix(60) + "…" : invalid.value[...]
      self.init(
        .templateAttributeInvalid, "The attribute '\(path)' of the template '\(template)' cannot be '\(value)'; it must be \(expectation).")
    }
  }
}

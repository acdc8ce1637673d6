extension Template {
  /// A request that demonstrates the template: each attribute has its example, or otherwise its default.
  ///
  /// - Throws: `templateAttributeMissing` if a required attribute has neither.
  public func specimen() throws(OffprintError) -> RenderRequest {
    var request = RenderRequest(html: [])
    request.template = self
    request.sourceName = name
    var values: [String: JSONValue] = [:]
    for attribute in attributes { values[attribute.name] = attribute.exampleValue }
    request.data = Array(JSONValue.object(values).text.utf8)
    try request.takeTemplatePage()
    return request
  }
}
